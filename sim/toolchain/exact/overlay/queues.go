package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/kubestep/kubestep/sim/toolchain/exact/internal/edit"
)

// The edits are for the package of work queues in client-go, and were written for one version of it.
const (
	clientGo      = "k8s.io/client-go"
	queues        = "util/workqueue/"
	queuesWritten = "v0.37.2"
)

// queueEdits give a queue without a name one.
var queueEdits = parse("queues.txt")

// addQueues adds the edited package to the overlay in a folder, and returns the flag that makes the go command compile it. The
// client-go is the one of the module in the current folder, so that an operator has its own.
func addQueues(command, folder string, edits []edit.Edit, overlay edit.Overlay) (flag string, err error) {
	modules, err := edit.Modules(command, clientGo)
	if err != nil {
		return "", err
	}
	found := modules[clientGo]
	files, err := edit.Sources{Root: found.Dir, Version: found.Version, Written: queuesWritten}.Apply(edits)
	if err != nil {
		return "", err
	}
	files[queues+"kubestep_queues.go"] = read("insert/queues.go.txt")
	link := filepath.Join(folder, "modules", filepath.FromSlash(clientGo))
	// What an earlier version has written must not stay.
	if err := os.RemoveAll(link); err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
		return "", err
	}
	if err := os.Symlink(found.Dir, link); err != nil {
		return "", err
	}
	if err := overlay.Add(link, filepath.Join(folder, "edited"), files); err != nil {
		return "", err
	}
	replacement := fmt.Sprintf("\nreplace %s %s => %s\n", clientGo, found.Version, link)
	return "-modfile=" + filepath.Join(folder, "go.mod"), edit.ModuleFile(command, folder, replacement)
}
