#!/usr/bin/env bash
# Copies what the tests need from the module k8s.io/sample-controller, whose controller is in a package main that nobody can
# import, to original/: the controller as it is but for the name of its package, and its two definitions.
set -euo pipefail
cd "$(dirname "$0")"
unset GOFLAGS
from=$(../module.sh k8s.io/sample-controller v0.37.1)
mkdir -p original
sed 's/^package main$/package original/' "$from/controller.go" >original/controller.go
cp "$from/artifacts/examples/crd.yaml" "$from/artifacts/examples/crd-status-subresource.yaml" original/
chmod u+w original/*
