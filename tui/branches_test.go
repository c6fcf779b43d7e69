package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/tui/internal/opener"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/toolchain/exact"
	"github.com/kubestep/kubestep/tui/internal/picker"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// TestASavedBranchIsTheBranch saves the scenarios of branches, and plays them: they are the same runs. Where a process can be copied, the
// branches continue from keyframes: from the last one before the step, from the one that the first branch has left, and a branch of a branch
// from before the first step of both.
func TestASavedBranchIsTheBranch(t *testing.T) {
	scenario, err := runner.Open("rolling-update")
	if err != nil {
		t.Fatal(err)
	}
	colors, err := theme.New("default", "auto")
	if err != nil {
		t.Fatal(err)
	}
	m := NewWith(Options{Theme: colors, Open: opener.Run{}, At: "7.514s"}, picker.NewEntry(scenario, "rolling-update"))
	for cmd := m.Init(); cmd != nil; {
		_, cmd = m.Update(cmd())
	}
	defer m.loading.entry.Keyframes.Close()
	file := ""
	for i, keys := range [][]string{
		{":", "node_fail_node-2", "enter"}, {":", "scale_deployment/web_4", "enter"}, {"g", "6s", "enter", ":", "controller_crash_kube-controller-manager", "enter"},
	} {
		m.press(keys...)
		if len(m.branches.nodes) != i+2 || m.branches.nodes[i+1].own == 0 {
			t.Fatalf("no branch: %s", m.status)
		}
		if exact.CanFork() && m.viewer.Rec.Shared == 0 {
			t.Errorf("%s: made from the start", keys)
		}
		file = filepath.Join(t.TempDir(), "branch.yaml")
		m.press(":", "save_"+file, "enter")
		if !strings.Contains(m.status, "saved") {
			t.Fatal(m.status)
		}
		again, err := opener.Run{}.Open(t.Context(), picker.Entry{File: file}, opener.News{})
		if err != nil {
			t.Fatal(err)
		}
		if again.Hash != m.viewer.Rec.Hash {
			t.Errorf("%s: the saved branch has the hash %s, the branch %s", keys, again.Hash, m.viewer.Rec.Hash)
		}
	}
	m.press(":", "save_"+file, "enter")
	if !strings.Contains(m.status, "another name") {
		t.Errorf("written over: %s", m.status)
	}
	if _, err := os.Stat(file); err != nil {
		t.Fatal(err)
	}
}

// TestABranchThatCannotRun goes back to the run that it was to leave, and says why.
func TestABranchThatCannotRun(t *testing.T) {
	scenario, err := runner.Open("worked-13")
	if err != nil {
		t.Fatal(err)
	}
	colors, err := theme.New("default", "auto")
	if err != nil {
		t.Fatal(err)
	}
	m := NewWith(Options{Theme: colors, Open: opener.Run{}}, picker.NewEntry(scenario, "worked-13"))
	for cmd := m.Init(); cmd != nil; {
		_, cmd = m.Update(cmd())
	}
	before := m.viewer
	m.press(":", "delete_pod/nobody", "enter")
	if m.viewer != before || m.screen != screenViewer || !strings.Contains(m.status, "not found") {
		t.Errorf("status %q", m.status)
	}
	m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{'n'}})
	if m.viewer.Seq == 1 {
		t.Error("the old run cannot be moved in")
	}
}
