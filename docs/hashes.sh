#!/usr/bin/env bash
# Runs every shipped scenario N times in processes of their own, on one processor and on two, and fails when
# one seed gives two hashes. Scenarios with DaemonSets are left out: see docs/explanation/determinism.md.
#
# Usage: docs/hashes.sh [N] [NAME...]
set -euo pipefail
cd "$(dirname "$0")/.."
count=${1:-20}
shift || true
binary=${KUBESTEP:-bin/kubestep}
names=("$@")
if [ ${#names[@]} -eq 0 ]; then
  mapfile -t names < <("$binary" list | awk 'NR > 1 && $1 != "daemonset" {print $1}')
fi
failed=0
for name in "${names[@]}"; do
  hashes=$(for i in $(seq "$count"); do
    GOMAXPROCS=$((i % 2 + 1)) "$binary" run "$name" -o json | sed 's/.*"traceHash":"\([^"]*\)".*/\1/'
  done | sort | uniq -c)
  distinct=$(wc -l <<<"$hashes")
  printf '%-20s %s of %s alike\n' "$name" "$(sort -rn <<<"$hashes" | awk 'NR == 1 {print $1}')" "$count"
  if [ "$distinct" -ne 1 ]; then
    failed=1
    echo "$hashes"
  fi
done
exit $failed
