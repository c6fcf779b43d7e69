package main

import (
	"embed"

	"github.com/kubestep/kubestep/sim/toolchain/exact/internal/edit"
)

//go:embed *.txt insert
var texts embed.FS

var (
	// edits are all that changes in Go's own files; what they call is in files of ours.
	edits = parse("edits.txt")
	// externalEdits and externalInserts join them in programs that import package ctrlmain.
	externalEdits = parse("external.txt")
)

// inserts are the files of ours that join a package of the toolchain, by their path below GOROOT/src.
var inserts = map[string]string{
	"context/kubestep_exact.go":               read("insert/context.go.txt"),
	"runtime/kubestep_exact.go":               read("insert/runtime.go.txt"),
	"runtime/kubestep_mutex.go":               read("insert/mutex.go.txt"),
	"runtime/kubestep_fork_linux.go":          read("insert/fork.go.txt"),
	"sync/kubestep_exact.go":                  read("insert/sync.go.txt"),
	"internal/sync/kubestep_exact.go":         read("insert/internalsync.go.txt"),
	"internal/runtime/maps/kubestep_exact.go": read("insert/maps.go.txt"),
	"testing/cryptotest/kubestep_exact.go":    read("insert/cryptotest.go.txt"),
	"net/kubestep_exact.go":                   read("insert/net.go.txt"),
	"os/kubestep_exact.go":                    read("insert/os.go.txt"),
	"syscall/kubestep_exact.go":               read("insert/syscall.go.txt"),
}

var externalInserts = map[string]string{
	"runtime/kubestep_external.go":              read("insert/external.go.txt"),
	"crypto/internal/rand/kubestep_external.go": read("insert/random.go.txt"),
}

// parse reads edits of ours, and panics if they are not in their form.
func parse(name string) []edit.Edit {
	edits, err := edit.Parse(name, read(name))
	if err != nil {
		panic(err)
	}
	return edits
}

// read returns an embedded file.
func read(name string) string {
	text, err := texts.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return string(text)
}
