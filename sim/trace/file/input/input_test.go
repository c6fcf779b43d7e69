package input

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// TestOf tells the kind of each text of the script.
func TestOf(t *testing.T) {
	datadriven.RunTest(t, "testdata/kinds.txt", func(_ *testing.T, d *datadriven.TestData) string {
		text := d.Input + "\n"
		if d.HasArg("quoted") {
			if _, err := fmt.Sscanf(d.Input, "%q", &text); err != nil {
				return err.Error()
			}
		}
		return Of([]byte(text)).String() + "\n"
	})
}

// TestOpen opens what its caller reads, and says what the rest is.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	trace := put("lesson.yaml", `{"seq":1,"at":0}`)
	large := put("large.yaml", "# a scenario?\n")
	if err := os.Truncate(large, Scenario.Budget()+1); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		path  string
		kinds []Kind
		want  string
	}{
		{trace, []Kind{Trace, Archive}, ""},
		{put("unknown", "notes"), []Kind{Trace}, ""},
		{put("crd.yaml", "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"), []Kind{Definitions}, ""},
		{trace, []Kind{Scenario}, "is a trace, not a scenario; kubestep open FILE"},
		{put("kubeconfig", SessionMark+"kind: Config\n"), []Kind{Scenario, Dump}, "is the kubeconfig of a session, not a scenario; kubestep open FILE"},
		{put("world.jsonl", "kind: Scenario\n"), []Kind{Trace, Archive}, "is a scenario, not a trace; kubestep run FILE"},
		{large, []Kind{Scenario}, "has 33554433 bytes, and a scenario has at most 33554432; check that this is a scenario, and remove large data"},
		{dir, []Kind{Scenario}, "is a directory, not a regular file; write its content to a file first"},
		{os.DevNull, []Kind{Trace}, "is a device, not a regular file; write its content to a file first"},
	} {
		f, err := Open(test.path, test.kinds[0], test.kinds[1:]...)
		got := ""
		var refused *FileError
		if errors.As(err, &refused) {
			got = refused.Problem + "; " + strings.ReplaceAll(refused.Try, test.path, "FILE")
		}
		if got != test.want || (err == nil) != (test.want == "") {
			t.Errorf("%s as %v: %v %q, want %q", filepath.Base(test.path), test.kinds, err, got, test.want)
		}
		if err == nil {
			want, _ := os.ReadFile(test.path)
			if text, err := io.ReadAll(f); err != nil || string(text) != string(want) {
				t.Errorf("%s: %q, %v", test.path, text, err)
			}
			f.Close()
		}
	}
}

// TestOpenReadsWhatThereWas reads a file as far as it was long, so that one that grows or that never ends, such as those of /proc, has
// an end.
func TestOpenReadsWhatThereWas(t *testing.T) {
	path := filepath.Join(t.TempDir(), "growing")
	if err := os.WriteFile(path, []byte("one"), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path, Trace)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := os.WriteFile(path, []byte("one and two"), 0o644); err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(f); err != nil || string(text) != "one" {
		t.Errorf("%q, %v", text, err)
	}
}

// TestMatching follows no name and no link out of the folder.
func TestMatching(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "repository")
	for _, name := range []string{"crds", "scenarios", "../outside"} {
		if err := os.MkdirAll(filepath.Join(folder, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"crds/a.yaml", "crds/b.yaml", "../outside/c.yaml"} {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{"scenarios/in.yaml": "../crds/a.yaml", "scenarios/out.yaml": "../../outside/c.yaml", "linked": "../outside"} {
		if err := os.Symlink(target, filepath.Join(folder, link)); err != nil {
			t.Skip(err)
		}
	}
	for pattern, want := range map[string]int{
		"crds/*.yaml": 2, "scenarios/../crds/*.yaml": 2, "scenarios/in.yaml": 1, "crds/none.yaml": 0,
		"../outside/c.yaml": -1, "../outside/none.yaml": -1, "crds/../../outside/*.yaml": -1, "scenarios/out.yaml": -1, "linked/c.yaml": -1,
	} {
		paths, err := Matching(folder, folder+"/"+pattern)
		if outside := errors.Is(err, ErrOutside); outside != (want < 0) || !outside && len(paths) != want {
			t.Errorf("%s: %q, %v", pattern, paths, err)
		}
	}
}
