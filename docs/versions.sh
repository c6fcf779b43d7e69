#!/usr/bin/env bash
# Runs every shipped scenario with builds of other versions of Kubernetes, and prints what scenarios/library/versions.txt has: the
# versions, and the scenarios that do not pass with them.
#
# Usage: docs/versions.sh 1.36 1.35 1.35.0 1.34 1.34.0 >scenarios/library/versions.txt
set -euo pipefail
cd "$(dirname "$0")/.."
echo "# Made by docs/versions.sh: the versions with which all scenarios ran, and the scenarios that did not pass."
for version in "$@"; do
  binary=bin/kubestep-$version
  kubernetes=$("$binary" version -o json | sed 's/.*"kubernetes":"\([^"]*\)".*/\1/')
  echo "measured $kubernetes"
  while read -r name; do
    result=$("$binary" run "$name" -o json 2>/dev/null </dev/null | sed -n 's/^{"scenario":"[^"]*","result":"\([^"]*\)".*/\1/p') || true
    if [ "$result" != pass ]; then
      echo "differs $kubernetes $name ${result:-error}"
    fi
  done < <("$binary" list | awk 'NR > 1 {print $1}' | sort)
done
