#!/usr/bin/env bash
# Runs every shipped scenario N times in processes of their own and fails when one seed gives two hashes. The processes
# differ in their time zone, zone data, temporary folder, home, working directory, locale and umask, and in whether they
# have one processor or two. A difference is allowed if the run itself says whose order is open, which it does in the stock
# build only: see docs/explanation/determinism.md.
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
surroundings=$(mktemp -d)
trap 'rmdir "$surroundings/empty" "$surroundings"' EXIT
mkdir "$surroundings/empty"
binary=$(realpath "$binary")

# run_in I NAME runs a scenario on the I-th machine: what a run could see of it (sim/process/machine) differs each time.
run_in() {
  local zones=(UTC Asia/Kathmandu America/St_Johns Europe/Berlin America/New_York Asia/Kolkata)
  local folders=(/tmp "$surroundings/missing" "$surroundings/empty") locales=(C tr_TR.UTF-8 ar_EG.UTF-8)
  local masks=(022 077)
  (
    umask "${masks[$1 % 2]}"
    cd "${folders[$1 % 3]}" 2>/dev/null || cd /
    TZ=${zones[$1 % 6]} ZONEINFO=$surroundings/empty TMPDIR=${folders[$1 % 3]} HOME=${folders[$1 % 3]} \
      LANG=${locales[$1 % 3]} LC_ALL=${locales[$1 % 3]} GOMAXPROCS=$(($1 / 6 % 2 + 1)) "$binary" run "$2" -o json
  )
}

failed=0
for name in "${names[@]}"; do
  runs=$(for i in $(seq "$count"); do run_in "$i" "$name"; done)
  hashes=$(sed 's/.*"traceHash":"\([^"]*\)".*/\1/' <<<"$runs" | sort | uniq -c)
  open=$(sed -n 's/.*"openOrder":\[\([^]]*\)\].*/\1/p' <<<"$runs" | sort -u | tr -d '"')
  printf '%-20s %s of %s alike%s\n' "$name" "$(sort -rn <<<"$hashes" | awk 'NR == 1 {print $1}')" "$count" "${open:+ (order open: $open)}"
  if [ "$(wc -l <<<"$hashes")" -ne 1 ] && [ -z "$open" ]; then
    failed=1
    echo "$hashes"
  fi
done
exit $failed
