package edited

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/sim/toolchain/exact/internal/edit"
)

const module = "gopkg.in/yaml.v3"

// written is the version that the main module requires.
func written(t *testing.T) string {
	t.Helper()
	found, err := edit.Modules("go", module)
	if err != nil {
		t.Fatal(err)
	}
	return found[module].Version
}

// TestFlags adds an edited file and one of ours to a build that has an overlay already.
func TestFlags(t *testing.T) {
	folder := t.TempDir()
	before := filepath.Join(folder, "before.json")
	if err := (edit.Overlay{"/a.go": "/b.go"}).Write(before); err != nil {
		t.Fatal(err)
	}
	change := Module{
		Path: module, Written: written(t), Edits: []Edit{{File: "yaml.go", Anchor: "package yaml\n", Text: "package yaml // edited\n"}},
		Inserts: map[string]string{"more.go": "package yaml\n"},
	}
	flags, err := Flags("go", folder, "-trimpath -overlay="+before+" -tags=a", change)
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(folder, "overlay.json")
	if want := "-trimpath -tags=a -overlay=" + list + " -modfile=" + filepath.Join(folder, "go.mod"); flags != want {
		t.Errorf("the flags are %s\nwant %s", flags, want)
	}
	overlay, err := edit.Read(list)
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(folder, "modules", module)
	text, err := os.ReadFile(overlay[filepath.Join(link, "yaml.go")])
	if err != nil || !strings.Contains(string(text), "package yaml // edited") {
		t.Errorf("yaml.go is not edited: %v", err)
	}
	if overlay["/a.go"] != "/b.go" || overlay[filepath.Join(link, "more.go")] == "" {
		t.Errorf("the overlay is %v", overlay)
	}
	mod, err := os.ReadFile(filepath.Join(folder, "go.mod"))
	if want := "replace " + module + " " + change.Written + " => " + link + "\n"; err != nil || !strings.HasSuffix(string(mod), want) {
		t.Errorf("the module file does not end with %s%v", want, err)
	}
}

// TestRefusals are edits that cannot be applied, and a build that has a module file already.
func TestRefusals(t *testing.T) {
	once := []Edit{{File: "yaml.go", Anchor: "package yaml\n", Why: "test"}}
	for _, test := range []struct {
		change      Module
		flags, want string
	}{
		{Module{Path: module, Written: "v0.0.1", Edits: once}, "", "written for v0.0.1"},
		{Module{Path: module, Written: written(t), Edits: []Edit{{File: "yaml.go", Anchor: "func ", Why: "test"}}}, "", "times, not once"},
		{Module{Path: module, Written: written(t), Edits: once}, "-modfile=other.mod", "another module file is in use: -modfile=other.mod"},
	} {
		if _, err := Flags("go", t.TempDir(), test.flags, test.change); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, want %s", err, test.want)
		}
	}
}
