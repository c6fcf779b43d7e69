#!/usr/bin/env bash
# Runs every shipped scenario N times in processes of their own, on one processor and on two, and fails when
# one seed gives two hashes, unless the run itself says whose order is open: see docs/explanation/determinism.md.
#
# Usage: docs/hashes.sh [N] [NAME...]
set -euo pipefail
cd "$(dirname "$0")/.."
count=${1:-20}
shift || true
binary=${KUBESTEP:-bin/kubestep}
names=("$@")
if [ ${#names[@]} -eq 0 ]; then
  mapfile -t names < <("$binary" list | awk 'NR > 1 {print $1}')
fi
failed=0
for name in "${names[@]}"; do
  runs=$(for i in $(seq "$count"); do GOMAXPROCS=$((i % 2 + 1)) "$binary" run "$name" -o json; done)
  hashes=$(sed 's/.*"traceHash":"\([^"]*\)".*/\1/' <<<"$runs" | sort | uniq -c)
  open=$(sed -n 's/.*"openOrder":\[\([^]]*\)\].*/\1/p' <<<"$runs" | sort -u | tr -d '"')
  printf '%-20s %s of %s alike%s\n' "$name" "$(sort -rn <<<"$hashes" | awk 'NR == 1 {print $1}')" "$count" "${open:+ (order open: $open)}"
  if [ "$(wc -l <<<"$hashes")" -ne 1 ] && [ -z "$open" ]; then
    failed=1
    echo "$hashes"
  fi
done
exit $failed
