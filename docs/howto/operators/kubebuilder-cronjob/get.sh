#!/usr/bin/env bash
# Gets the project of the Kubebuilder book's CronJob tutorial to original/. Its code is as it is; only its go.mod is another
# one, without the versions of what its own tests need.
set -euo pipefail
cd "$(dirname "$0")"
unset GOFLAGS
commit=5c400728930120dd385712db61cb0a937238ce81
rm -rf original
../snapshot.sh original https://github.com/kubernetes-sigs/kubebuilder \
  $commit:docs/book/src/cronjob-tutorial/testdata/project api internal config
find original -name '*_test.go' -delete
cat >original/go.mod <<'MOD'
module tutorial.kubebuilder.io/project

go 1.26.0
MOD
