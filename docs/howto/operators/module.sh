#!/usr/bin/env bash
# module.sh MODULE VERSION prints the directory of a Go module, which it downloads. Exit code 75 means that it cannot be had.
set -euo pipefail
json=$(cd / && GOFLAGS=-mod=mod go mod download -json "$1@$2") || exit 75
sed -n 's/^\t"Dir": "\(.*\)",$/\1/p' <<<"$json"
