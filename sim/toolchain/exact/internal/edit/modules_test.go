package edit

import (
	"archive/zip"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestModulesAreDownloaded asks for a module with an empty module cache, as on a machine that has compiled nothing yet.
func TestModulesAreDownloaded(t *testing.T) {
	proxy := t.TempDir()
	for name, text := range map[string]string{
		"example.org/m/@v/list":        "v1.0.0\n",
		"example.org/m/@v/v1.0.0.info": `{"Version": "v1.0.0", "Time": "2026-01-01T00:00:00Z"}`,
		"example.org/m/@v/v1.0.0.mod":  "module example.org/m\n",
	} {
		write(t, filepath.Join(proxy, filepath.FromSlash(name)), text)
	}
	archive(t, filepath.Join(proxy, "example.org/m/@v/v1.0.0.zip"), map[string]string{
		"example.org/m@v1.0.0/go.mod": "module example.org/m\n", "example.org/m@v1.0.0/m.go": "package m\n",
	})
	project := t.TempDir()
	write(t, filepath.Join(project, "go.mod"), "module example.org/project\n\ngo 1.26\n\nrequire example.org/m v1.0.0\n")
	t.Chdir(project)
	t.Setenv("GOPROXY", "file://"+filepath.ToSlash(proxy))
	t.Setenv("GONOSUMDB", "*")
	t.Setenv("GOFLAGS", "")
	cache := t.TempDir()
	t.Setenv("GOMODCACHE", cache)
	t.Cleanup(func() { clean(t) })

	found, err := Modules("go", "example.org/m")
	if err != nil {
		t.Fatal(err)
	}
	if got := found["example.org/m"].Dir; !strings.HasPrefix(got, cache) {
		t.Errorf("the source is in %q, want a folder of %s", got, cache)
	}
	if _, err := os.Stat(filepath.Join(found["example.org/m"].Dir, "m.go")); err != nil {
		t.Error(err)
	}
	if _, err := Modules("go", "example.org/other"); err == nil {
		t.Error("a module that the main module does not name is found")
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// archive writes a module's zip file.
func archive(t *testing.T, path string, files map[string]string) {
	t.Helper()
	var content bytes.Buffer
	w := zip.NewWriter(&content)
	for name, text := range files {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	write(t, path, content.String())
}

// clean removes the module cache, whose files are read-only.
func clean(t *testing.T) {
	t.Helper()
	if out, err := exec.Command("go", "clean", "-modcache").CombinedOutput(); err != nil {
		t.Errorf("go clean -modcache: %v\n%s", err, out)
	}
}
