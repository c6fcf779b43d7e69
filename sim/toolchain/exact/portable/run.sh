#!/usr/bin/env bash
# Runs scenarios in the exact build on several architectures and fails when one of them gives two hashes: on this
# machine, on this machine without the AES instructions with which Go hashes, on arm64 (with qemu-aarch64, on another
# machine), and on js/wasm (with node). The first time, Kubernetes is compiled for each of them: ten minutes on a laptop.
#
# Usage: sim/toolchain/exact/portable/run.sh [NAME...]    GOFLAGS must be those of the exact build: make portable sets them.
set -euo pipefail
cd "$(dirname "$0")/../../../.."
go=${GO:-go}
names=("$@")
if [ ${#names[@]} -eq 0 ]; then
  # Two whose order is open in the stock build, autoscalers for their floating-point numbers, and others.
  names=(all-controllers namespace daemonset horizontal-pod-autoscaler horizontal-pod-autoscaler-custom
    missing-metric-blocks-scale-down restart-resets-the-window rolling-update statefulset job cronjob garbage-collector
    node-lifecycle certificates proportional-scaling)
fi
out=bin/_portable
program=./scenarios/explore/verify/testdata/hash
mkdir -p $out
out=$(realpath $out)

echo "compiling for this machine, arm64 and js/wasm" >&2
$go build -o "$out/native" $program
platforms=(native without-aes)
if command -v qemu-aarch64 >/dev/null; then
  GOARCH=arm64 $go build -o "$out/arm64" $program
  platforms+=(arm64)
else
  echo "no qemu-aarch64 (Debian: apt-get install qemu-user): arm64 is left out" >&2
fi
if command -v node >/dev/null; then
  flags=$($go run ./sim/toolchain/exact/wasmflags -go "$go" -exact bin/_overlay -o "$out/js")
  GOFLAGS="-buildvcs=false $flags" GOOS=js GOARCH=wasm $go build -ldflags '-s -w' -o "$out/wasm" $program
  platforms+=(wasm)
else
  echo "no node: js/wasm is left out" >&2
fi
wasm=$($go env GOROOT)/lib/wasm/go_js_wasm_exec

# run_on PLATFORM NAME prints the hash. The working directory holds no scenario of that name.
run_on() {
  cd "$out"
  case $1 in
  native) ./native "$2" ;;
  without-aes) GODEBUG=cpu.aes=off ./native "$2" ;;
  arm64) qemu-aarch64 ./arm64 "$2" ;;
  wasm) "$wasm" ./wasm "$2" ;;
  esac
}

failed=0
for name in "${names[@]}"; do
  hashes=$(for platform in "${platforms[@]}"; do
    echo "$platform $(run_on "$platform" "$name" | awk '{print $2}')"
  done)
  count=$(awk '{print $2}' <<<"$hashes" | sort -u | wc -l)
  printf '%-34s %s\n' "$name" "$(if [ "$count" -eq 1 ]; then awk 'NR == 1 {print "alike  " $2}' <<<"$hashes"; else echo DIFFERS; fi)"
  if [ "$count" -ne 1 ]; then
    failed=1
    echo "$hashes"
  fi
done
exit $failed
