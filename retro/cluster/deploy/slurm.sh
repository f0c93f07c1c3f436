#!/usr/bin/env bash
# A fleet under Slurm: the first node has the server beside its worker, each node a worker, and the tables go to a folder
# that all nodes share.
#
#   sbatch --nodes 8 slurm.sh --pieces 4 --sample 1000000
#
# A job that ends early, at its time limit for instance, goes on when the same is submitted again: workers are told two
# minutes before, and bring what they have found into the bucket.
#SBATCH --job-name=gogotb
#SBATCH --ntasks-per-node=1
#SBATCH --exclusive
#SBATCH --signal=B:TERM@120
set -euo pipefail

gogotb=${GOGOTB:-gogotb}
shared=${SHARED:-$SLURM_SUBMIT_DIR/gogotb-fleet}
port=${PORT:-4222}
mkdir -p "$shared"

head=${HEAD:-$(hostname)} # what the other nodes call this one
join=(--join "nats://$head:$port" --creds "$shared/fleet.creds")

"$gogotb" cluster serve --store "${TMPDIR:-/tmp}/gogotb-$SLURM_JOB_ID" --listen "${LISTEN:-0.0.0.0}:$port" --creds "$shared/fleet.creds" &
serve=$!
until "$gogotb" cluster status "${join[@]}" >/dev/null 2>&1; do
  kill -0 "$serve" 2>/dev/null || exit 1
  sleep 1
done

# Of the memory of a node a twentieth is left to the system.
memory=$(awk '/^MemTotal:/ { printf "%dKiB", $2 * 0.95 }' /proc/meminfo)
srun "$gogotb" cluster worker "${join[@]}" --memory "${MEMORY:-$memory}" --scratch "${SCRATCH:-${TMPDIR:-/tmp}}" &
workers=$!

"$gogotb" cluster generate "${join[@]}" --bucket "file://$shared/bucket" "$@" &
generate=$!
# Slurm's signal comes to this script alone.
trap 'kill "$generate" 2>/dev/null || true; "$gogotb" cluster drain --all "${join[@]}" || true' TERM
status=0
wait "$generate" || status=$?
"$gogotb" cluster drain --all "${join[@]}" >/dev/null || true
wait "$workers" || true
kill "$serve" 2>/dev/null || true
wait || true
exit "$status"
