package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/sim/toolchain/exact/internal/edit"
)

// TestTheStandInsAreForTheVersionsOfGoMod names each module that go.mod has in another version, and each edit whose
// anchor is gone, not only the first.
func TestTheStandInsAreForTheVersionsOfGoMod(t *testing.T) {
	found, err := edit.Modules("go", paths(modules)...)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range modules {
		if _, err := m.apply(found[m.path]); err != nil {
			t.Error(err)
		}
		for _, e := range m.edits {
			if e.Why == "" || e.Anchor == e.Text {
				t.Errorf("%s: %q has no reason or changes nothing", e.File, e.Anchor)
			}
		}
	}
}

// moduleAt is a module with files, in a folder.
func moduleAt(t *testing.T, files map[string]string) edit.Module {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return edit.Module{Path: "example.org/m", Version: "v1.2.3", Dir: dir}
}

// TestChanges are the ways to change a module.
func TestChanges(t *testing.T) {
	from := moduleAt(t, map[string]string{
		"lock_unix.go": "package m", "lock_windows.go": "//go:build windows\n\npackage m\n", "signal.go": "HUP, TERM", "texts.go": "a\nDescription: x\nb\n",
	})
	m := module{
		path: from.Path, written: from.Version, without: []string{"lock_unix.go"}, windows: []string{"lock_windows.go"},
		edits:   []edit.Edit{{File: "signal.go", Anchor: "HUP, ", Why: "no such signal"}},
		lines:   map[string]*regexp.Regexp{"texts.go": regexp.MustCompile(`(?m)^Description.*\n`)},
		inserts: map[string]string{"new_js.go": "package m"},
	}
	c, err := m.apply(from)
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		"lock_js.go": "//go:build js\n\npackage m\n", "signal.go": "TERM", "texts.go": "a\nb\n", "new_js.go": "package m",
	} {
		if c.texts[file] != want {
			t.Errorf("%s is %q, want %q", file, c.texts[file], want)
		}
	}
	out, overlay := t.TempDir(), edit.Overlay{}
	link := filepath.Join(out, "modules", "m")
	if err := c.write(overlay, from.Dir, link, filepath.Join(out, "edited")); err != nil {
		t.Fatal(err)
	}
	if text, ok := overlay[filepath.Join(link, "lock_unix.go")]; !ok || text != "" {
		t.Errorf("lock_unix.go is not left out: %q", text)
	}
	if text, err := os.ReadFile(overlay[filepath.Join(link, "signal.go")]); err != nil || string(text) != "TERM" {
		t.Errorf("signal.go is %q, %v", text, err)
	}
}

// TestWhatIsNotAsItWasWritten is refused, with the name of what changed.
func TestWhatIsNotAsItWasWritten(t *testing.T) {
	from := moduleAt(t, map[string]string{"signal.go": "TERM", "new_js.go": "package m"})
	for want, m := range map[string]module{
		"are written for v1.2.2, and go.mod selects v1.2.3": {written: "v1.2.2"},
		`"HUP" stands there 0 times`:                        {edits: []edit.Edit{{File: "signal.go", Anchor: "HUP"}}},
		"the file to leave out":                             {without: []string{"gone.go"}},
		"the file for Windows":                              {windows: []string{"gone_windows.go"}},
		"has a file new_js.go now":                          {inserts: map[string]string{"new_js.go": "package m"}},
		"no line matches":                                   {lines: map[string]*regexp.Regexp{"signal.go": regexp.MustCompile("INT")}},
	} {
		m.path = from.Path
		if m.written == "" {
			m.written = from.Version
		}
		if _, err := m.apply(from); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// TestTheFlags are those of the exact build, with the other overlay.
func TestTheFlags(t *testing.T) {
	exact := t.TempDir()
	for name, text := range map[string]string{
		"goflags":      "-trimpath -tags=kubestep_exact '-overlay=/with a space/overlay.json' -gcflags=all=-d=fmahash=qn\n",
		"overlay.json": `{"Replace": {"/go/src/runtime/proc.go": "/edited/proc.go"}}`,
	} {
		if err := os.WriteFile(filepath.Join(exact, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out := t.TempDir()
	flags, err := run("go", exact, out)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"-trimpath", "-tags=kubestep_exact,grpcnotrace", "-gcflags=all=-d=fmahash=qn",
		"-overlay=" + filepath.Join(out, "overlay.json"), "-modfile=" + filepath.Join(out, "go.mod"),
	}
	if got := strings.Fields(flags); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	overlay, err := edit.Read(filepath.Join(out, "overlay.json"))
	if err != nil || overlay["/go/src/runtime/proc.go"] != "/edited/proc.go" || len(overlay) < 20 {
		t.Errorf("the overlay lacks the edits of the runtime: %d files, %v", len(overlay), err)
	}
	text, err := os.ReadFile(filepath.Join(out, "go.mod"))
	if err != nil || strings.Count(string(text), "\nreplace ") != len(modules) {
		t.Errorf("go.mod replaces %d modules of %d, %v", strings.Count(string(text), "\nreplace "), len(modules), err)
	}
}
