#!/usr/bin/env bash
# Solves sets with the program of another commit and with the one that is here, in turn, and prints the user
# seconds of each run: compare.sh BASE RUNS SET... Their tables have to be the same, if both write the same format.
set -euo pipefail
base=$1 runs=$2
shift 2
dir=$(mktemp -d)
trap 'git worktree remove --force "$dir/base" 2>/dev/null; rm -rf "$dir"' EXIT
git worktree add --quiet --detach "$dir/base" "$base"
"${GO:-go}" -C "$dir/base" build -o "$dir/old" ./cmd/gogotb
"${GO:-go}" build -o "$dir/new" ./cmd/gogotb
# format prints the version of the format of a table's file.
format() { od -An -tu2 -j8 -N2 "$1" | tr -d ' '; }
TIMEFORMAT=%U
for set; do
	for ((i = 0; i < runs; i++)); do
		line=$set
		for which in old new; do
			rm -rf "$dir/$which-tables"
			line+=" $which $({ time "$dir/$which" --dir "$dir/$which-tables" generate --no-progress "$set" >/dev/null 2>"$dir/errors"; } 2>&1)"
		done
		echo "$line"
		old=$(format "$dir/old-tables/$set.gbo") new=$(format "$dir/new-tables/$set.gbo")
		if [ "$old" = "$new" ]; then
			cmp "$dir/old-tables/SHA256SUMS" "$dir/new-tables/SHA256SUMS"
		else
			echo "$set: not compared, as the formats are $old and $new"
		fi
	done
done
