// Package files is what upstream's integration tests get in place of k8s.io/client-go/util/testing, which wants a T of
// Go's package testing. It has what they use of it.
package files

import (
	"os"

	"github.com/kubestep/kubestep/sim/conformance/testing"
)

// CloseAndRemove closes files and removes them.
func CloseAndRemove(t *testing.T, files ...*os.File) {
	for _, file := range files {
		if err := file.Close(); err != nil {
			t.Error(err)
		}
		if err := os.Remove(file.Name()); err != nil {
			t.Error(err)
		}
	}
}

// MkTmpdir makes a temporary folder.
func MkTmpdir(prefix string) (string, error) { return os.MkdirTemp("", prefix) }
