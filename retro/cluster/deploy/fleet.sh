#!/usr/bin/env bash
# A fleet on a few machines, or on one: starts a server here and a worker on each host, has tables made, and sends the
# workers home.
#
#   fleet.sh HOST... -- ARGUMENTS OF gogotb cluster generate
#   fleet.sh localhost -- --bucket file:///shared/gogotb --dir tables --pieces 3
#   LISTEN=10.0.0.1:4222 fleet.sh node1 node2 -- --bucket s3://s3.example.org/tables --pieces 4
#
# Hosts but localhost are reached by ssh, without a password, and need gogotb. LISTEN is where they reach this machine;
# WORKER has arguments of gogotb cluster worker. Ctrl-C ends everything; the same command goes on.
set -euo pipefail

gogotb=${GOGOTB:-gogotb}
listen=${LISTEN:-127.0.0.1:4222}
read -ra worker_options <<<"${WORKER:-}"

hosts=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  hosts+=("$1")
  shift
done
if [ ${#hosts[@]} -eq 0 ] || [ $# -lt 2 ]; then
  sed -n '2,/^set/s/^# \{0,1\}//p' "$0" | head -n -1 >&2
  exit 2
fi
shift

state=$(mktemp -d)
creds=$state/fleet.creds
join=(--join "nats://$listen" --creds "$creds")
started=()
finish() {
  status=$?
  trap '' INT TERM
  "$gogotb" cluster drain --all "${join[@]}" >/dev/null 2>&1 || true
  for pid in "${started[@]:1}"; do
    wait "$pid" || true
  done
  kill "${started[0]}" 2>/dev/null || true
  wait
  rm -rf "$state"
  exit "$status"
}
trap finish EXIT
trap 'exit 130' INT TERM

"$gogotb" cluster serve --store "$state/store" --listen "$listen" --creds "$creds" 2>"$state/serve.log" &
started+=($!)
until "$gogotb" cluster status "${join[@]}" >/dev/null 2>&1; do
  kill -0 "${started[0]}" 2>/dev/null || { cat "$state/serve.log" >&2; exit 1; }
  sleep 0.2
done

for host in "${hosts[@]}"; do
  if [ "$host" = localhost ]; then
    "$gogotb" cluster worker "${join[@]}" "${worker_options[@]}" 2>>"$state/workers.log" &
  else
    # The credentials go through standard input; nobody sees them in the list of processes.
    # shellcheck disable=SC2029 # the options are meant to be those of this machine
    ssh "$host" "umask 077; creds=\$(mktemp); trap 'rm -f \$creds' EXIT; cat >\$creds
      gogotb cluster worker --join nats://$listen --creds \$creds ${WORKER:-}" <"$creds" 2>>"$state/workers.log" &
  fi
  started+=($!)
done

"$gogotb" cluster generate "${join[@]}" "$@"
