package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// TestTypecheck checks small modules, which stand for kubestep's own.
func TestTypecheck(t *testing.T) {
	datadriven.RunTest(t, "testdata/typecheck.txt", func(t *testing.T, d *datadriven.TestData) string {
		t.Chdir(t.TempDir())
		write(t, "go.mod", "module k8s.io/example\n\ngo 1.26\n")
		for part := range strings.SplitSeq(d.Input, "-- ") {
			if name, text, ok := strings.Cut(part, " --\n"); ok {
				write(t, name, text)
			}
		}
		var out strings.Builder
		failed, err := run(&out, "go", "", true, []string{"1.37"})
		if err != nil {
			t.Fatal(err)
		}
		if failed {
			out.WriteString("failed\n")
		}
		return out.String()
	})
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
