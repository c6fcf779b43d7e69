#!/usr/bin/env bash
# Gets the project of the Kubebuilder book's CronJob tutorial to original/. Its code is as it is; only its go.mod is another
# one, without the versions of what its own tests need.
set -euo pipefail
cd "$(dirname "$0")"
unset GOFLAGS
commit=5c400728930120dd385712db61cb0a937238ce81
repository=${REPOSITORY:-https://github.com/kubernetes-sigs/kubebuilder}
project=docs/book/src/cronjob-tutorial/testdata/project
rm -rf original
mkdir original
git init -q original/.clone
git -C original/.clone fetch -q --depth 1 "$repository" $commit
git -C original/.clone archive FETCH_HEAD:$project api internal config | tar -x -C original
rm -rf original/.clone
find original -name '*_test.go' -delete
cat >original/go.mod <<'MOD'
module tutorial.kubebuilder.io/project

go 1.26.0
MOD
