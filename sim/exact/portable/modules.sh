#!/usr/bin/env bash
# Writes DIR/go.mod, a module file with which kubestep's simulations compile for js/wasm. Ten packages do not, because each
# makes a system call that no controller ever makes. Their modules are copied to DIR, and in the copies the files for
# Windows, or the stand-ins of js/, take the place of those for Unix.
#
# Usage: sim/exact/portable/modules.sh DIR
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../../..
out=$(mkdir -p "$1" && cd "$1" && pwd)
go=${GO:-go}

# copied MODULE copies a module, once, and prints where.
copied() {
  local to=$out/$1
  if [ ! -d "$to" ]; then
    mkdir -p "$(dirname "$to")"
    cp -r "$(cd "$root" && $go list -m -f '{{.Dir}}' "$1")" "$to.part"
    chmod -R u+w "$to.part"
    mv "$to.part" "$to"
    $go mod edit -replace "$1=$to" "$out/go.mod"
  fi
  echo "$to"
}

# without_js FILE... leaves files for Unix out.
without_js() { sed -i -e '/^\/\/ +build/d' -e 's|^//go:build !windows.*|& \&\& !js|' "$@"; }

# as_windows FILE... takes files for Windows.
as_windows() {
  local file
  for file in "$@"; do
    sed -e '/^\/\/ +build/d' -e 's|^//go:build windows|//go:build js|' "$file" >"${file%_windows.go}_js.go"
  done
}

cp "$root/go.mod" "$root/go.sum" "$out/"

dir=$(copied github.com/coreos/go-systemd/v22)/journal
without_js "$dir/journal_unix.go"
as_windows "$dir/journal_windows.go"

dir=$(copied go.etcd.io/etcd/client/pkg/v3)/fileutil
without_js "$dir/lock_flock.go"
cp "$here/js/flock.go.txt" "$dir/flock_js.go"

dir=$(copied github.com/moby/term)
without_js "$dir/term_unix.go" "$dir/termios_unix.go"
sed -i -e '/^\/\/ +build/d' -e 's|^//go:build .*|& \&\& !js|' "$dir/termios_nonbsd.go"
cp "$here/js/term.go.txt" "$dir/term_js.go"

dir=$(copied k8s.io/apiserver)/pkg/server/options
without_js "$dir/serving_unix.go"
as_windows "$dir/serving_windows.go"

dir=$(copied k8s.io/mount-utils)
without_js "$dir/mount_helper_unix.go"
as_windows "$dir/mount_helper_windows.go"

dir=$(copied k8s.io/kubernetes)/pkg
without_js "$dir/probe/dialer_others.go" "$dir/scheduler/backend/cache/debugger/signal.go"
cp "$here/js/dialer.go.txt" "$dir/probe/dialer_js.go"
as_windows "$dir/securitycontext/util_windows.go" "$dir/scheduler/backend/cache/debugger/signal_windows.go"
sed -i 's|^//go:build freebsd.*|& \|\| js|' "$dir/util/filesystem/util_unix.go"

dir=$(copied k8s.io/kubectl)/pkg/util
without_js "$dir/umask.go" "$dir/term/resizeevents.go"
as_windows "$dir/umask_windows.go" "$dir/term/resizeevents_windows.go"
sed -i 's|syscall.SIGHUP, ||' "$dir/interrupt/interrupt.go"
