#!/usr/bin/env bash
# Copies the module sigs.k8s.io/lws to original/. Its code is as it is; only its go.mod is another one, without the versions of
# what its own tests need.
set -euo pipefail
cd "$(dirname "$0")"
unset GOFLAGS
from=$(../module.sh sigs.k8s.io/lws v0.9.0)
rm -rf original
mkdir -p original
(cd "$from" && tar -c api client-go pkg config LICENSE) | tar -x -C original
chmod -R u+w original
find original -name '*_test.go' -delete
cat >original/go.mod <<'MOD'
module sigs.k8s.io/lws

go 1.26.0
MOD
