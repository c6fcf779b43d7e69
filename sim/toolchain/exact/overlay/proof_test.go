package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/sim/toolchain/exact/internal/edit"
)

// TestEachEditNamesItsProof: what differs without the edit is an experiment of a program of ../testdata, or a platform of
// TestOneRuntimeEverywhere, or nothing compiles.
func TestEachEditNamesItsProof(t *testing.T) {
	programs := map[string]string{}
	for _, program := range []string{"bubble", "mutexes", "external", "queues", "node"} {
		text, err := os.ReadFile(filepath.Join("..", "testdata", program, "main.go"))
		if err != nil {
			t.Fatal(err)
		}
		programs[program] = string(text)
	}
	whole := []string{"compile", "platform/arm64", "platform/wasm"}
	seen := map[string]string{}
	for _, e := range every {
		program, name, _ := strings.Cut(e.Proof, "/")
		switch text := programs[program]; {
		case slices.Contains(whole, e.Proof):
		case text == "" || !strings.Contains(text, `"`+name+`"`):
			t.Errorf("%s: there is no experiment %q for %q", e.File, e.Proof, e.Anchor)
		}
		if other := seen[e.Why]; other != "" || strings.HasPrefix(e.Why, "the same") {
			t.Errorf("%s: %q has the reason of another edit: %s", e.File, e.Anchor, e.Why)
		}
		seen[e.Why] = e.Anchor
	}
}

// TestEachEditIsLeftOut: with the number of an edit, the overlay lacks that one alone.
func TestEachEditIsLeftOut(t *testing.T) {
	tools := tools(t)
	for i, e := range edits {
		if e.Proof == "compile" {
			continue // others replace text next to it
		}
		rest := slices.Delete(slices.Clone(edits), i, i+1)
		files, err := tools.apply(rest)
		if err != nil {
			t.Errorf("without edit %d: %v", i+1, err)
			continue
		}
		if all, err := tools.apply(slices.Concat(rest, []edit.Edit{e})); err == nil && all[e.File] == files[e.File] {
			t.Errorf("edit %d of %s changes nothing", i+1, e.File)
		}
	}
}
