package main

import (
	"encoding/json"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/sim/toolchain/exact/internal/edit"
)

// tools returns the installed toolchain, or skips when the edits are not written for it.
func tools(t *testing.T) toolchain {
	t.Helper()
	tools, err := installed("go")
	if err != nil {
		t.Fatal(err)
	}
	if !tools.isKnown() {
		t.Skipf("the edits are written for %s, this is %s: there is no exact build", known, tools.GOVERSION)
	}
	return tools
}

// TestTheEditsApply names each edit whose anchor is gone, not only the first.
func TestTheEditsApply(t *testing.T) {
	tools := tools(t)
	for _, e := range edits {
		if _, err := tools.apply([]edit.Edit{e}); err != nil {
			t.Error(err)
		}
	}
	files, err := tools.apply(edits)
	if err != nil {
		t.Fatal(err)
	}
	for file, text := range files {
		if _, err := parser.ParseFile(token.NewFileSet(), file, text, parser.SkipObjectResolution); err != nil {
			t.Errorf("%s does not parse after the edits: %v", file, err)
		}
	}
}

func TestTheEditsSayWhatAndWhy(t *testing.T) {
	for _, e := range edits {
		if e.Why == "" || e.Anchor == "" || e.Anchor == e.Text {
			t.Errorf("%s: %q has no reason or changes nothing", e.File, e.Anchor)
		}
		if len(e.Anchor) > 80 {
			t.Errorf("%s: the anchor %q is longer than it needs to be", e.File, e.Anchor)
		}
	}
	for file, text := range inserts {
		if formatted, err := format.Source([]byte(text)); err != nil || string(formatted) != text {
			t.Errorf("what is inserted as %s is not in gofmt's format (%v)", file, err)
		}
	}
}

// TestTheQueuesAreInTheOverlay compares the overlay with the files of client-go.
func TestTheQueuesAreInTheOverlay(t *testing.T) {
	tools(t)
	out := t.TempDir()
	if _, err := (build{command: "go", out: out, names: true}).run(); err != nil {
		t.Fatal(err)
	}
	list, err := edit.Read(filepath.Join(out, "overlay.json"))
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for original, edited := range list {
		if !strings.Contains(original, filepath.FromSlash(clientGo)) {
			continue
		}
		found = append(found, filepath.Base(original))
		if _, err := parser.ParseFile(token.NewFileSet(), edited, nil, parser.SkipObjectResolution); err != nil {
			t.Error(err)
		}
	}
	slices.Sort(found)
	if want := []string{"kubestep_queues.go", "metrics.go"}; !slices.Equal(found, want) {
		t.Errorf("the overlay has %v of client-go, want %v", found, want)
	}
	insert := read("insert/queues.go.txt")
	if formatted, err := format.Source([]byte(insert)); err != nil || string(formatted) != insert {
		t.Errorf("what is inserted is not in gofmt's format (%v)", err)
	}
}

func TestAWrongAnchorIsNamed(t *testing.T) {
	tools := tools(t)
	for name, anchor := range map[string]string{"0 times": "t.rand = nothing()", "times, not once": "return"} {
		wrong := slices.Clone(edits)
		i := slices.IndexFunc(wrong, func(e edit.Edit) bool { return e.File == "runtime/time.go" })
		wrong[i].Anchor = anchor
		files, err := tools.apply(wrong)
		if err == nil || files != nil {
			t.Fatalf("%q is taken as an anchor", anchor)
		}
		for _, part := range []string{"runtime/time.go", wrong[i].Why, anchor, name, known, tools.GOVERSION} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("the error does not hold %q: %v", part, err)
			}
		}
	}
}

func TestAnotherReleaseIsRefused(t *testing.T) {
	tools := tools(t)
	for version, want := range map[string]bool{
		"go1.26.8": true, "go1.26.99": true, "go1.26": true, "go1.26.8 X:nosomething": true,
		"go1.25.3": false, "go1.27.0": false, "go1.260.1": false, "devel go1.27-abcdef": false,
	} {
		_, err := toolchain{GOROOT: tools.GOROOT, GOVERSION: version}.apply(edits)
		if got := err == nil; got != want {
			t.Errorf("%s: taken %v, want %v (%v)", version, got, want, err)
		}
		if err != nil && !strings.Contains(err.Error(), known) {
			t.Errorf("%s: the error does not name %s: %v", version, known, err)
		}
	}
}

func TestNothingIsWrittenOnAnError(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	if _, err := (build{command: "no-such-go", out: out}).run(); err == nil {
		t.Error("a go command that does not exist is taken")
	}
	if _, err := os.Stat(out); !os.IsNotExist(err) {
		t.Errorf("%s is there: %v", out, err)
	}
}

func TestTheOverlayListsEveryFile(t *testing.T) {
	testOverlay(t, false, edits, inserts)
}

func TestTheOverlayOfAProgramOfItsOwnListsEveryFile(t *testing.T) {
	all := maps.Clone(inserts)
	maps.Copy(all, externalInserts)
	testOverlay(t, true, slices.Concat(edits, externalEdits), all)
}

func testOverlay(t *testing.T, external bool, edits []edit.Edit, inserts map[string]string) {
	t.Helper()
	tools, out := tools(t), t.TempDir()
	flags, err := build{command: "go", out: out, external: external}.run()
	if err != nil {
		t.Fatal(err)
	}
	if want := "-overlay=" + filepath.Join(out, "overlay.json"); !slices.Contains(strings.Fields(flags), want) {
		t.Errorf("the flags %q lack %s", flags, want)
	}
	text, err := os.ReadFile(filepath.Join(out, "overlay.json"))
	if err != nil {
		t.Fatal(err)
	}
	var list struct{ Replace map[string]string }
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{}
	for _, e := range edits {
		want[tools.sources().Path(e.File)] = true
	}
	for file := range inserts {
		want[tools.sources().Path(file)] = true
		if _, err := os.Stat(tools.sources().Path(file)); !os.IsNotExist(err) {
			t.Errorf("the toolchain has a file %s of its own", file)
		}
	}
	for file := range want {
		if edited, err := os.ReadFile(list.Replace[file]); err != nil || len(edited) == 0 {
			t.Errorf("%s: %v", file, err)
		}
	}
	if len(list.Replace) != len(want) {
		t.Errorf("the overlay lists %d files, want %d", len(list.Replace), len(want))
	}
}

func TestTheFlagsSurviveABlank(t *testing.T) {
	const want = "-trimpath -tags=kubestep_exact '-overlay=/my files/overlay.json' -gcflags=all=-d=fmahash=qn"
	if flags := goFlags("/my files", "kubestep_exact"); flags != want {
		t.Errorf("flags %s, want %s", flags, want)
	}
}

func TestTheFlagsJoinThoseOfAnotherBuild(t *testing.T) {
	const want = "-trimpath -tags=kubestep_exact,a,b -overlay=/o/overlay.json -gcflags=all=-d=fmahash=qn -modfile=/m/x.mod"
	if flags := goFlags("/o", "kubestep_exact", "-tags=a,b", "-modfile=/m/x.mod"); flags != want {
		t.Errorf("flags %s, want %s", flags, want)
	}
}
