package tui

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kubestep/kubestep/tui/internal/opener"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/tui/internal/picker"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// frameTime is how long a move may take, so that a held key is followed at 60 frames a second.
const frameTime = 16 * time.Millisecond

// BenchmarkMoves moves through a recording of more than 10,000 records, and draws each screen.
func BenchmarkMoves(b *testing.B) {
	rec := long(b)
	b.Logf("%d records", rec.Len())
	for _, view := range []struct{ name, keys string }{
		{"Rollout", "1"}, {"Math", "m"}, {"Loop", "2"}, {"Queues", "3"}, {"Objects", "4"}, {"Owners", "4 tab tab"}, {"Trace", "5"},
		{"AllRecords", "5 v"}, {"Branches", "6"}, {"Present", "P"},
	} {
		for _, keys := range []string{"n", "w", "s", "c", "p"} {
			b.Run(view.name+"/"+keys, func(b *testing.B) {
				colors, err := theme.New("default", "auto")
				if err != nil {
					b.Fatal(err)
				}
				m := Show(Options{Theme: colors, Open: recordings}, rec)
				m.Update(tea.WindowSizeMsg{Width: 160, Height: 50})
				m.press(strings.Fields(view.keys)...)
				m.viewer.move(rec.Len() / 2)
				for b.Loop() {
					m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(keys)})
					_ = m.View()
				}
				if each := b.Elapsed() / time.Duration(b.N); each > frameTime {
					b.Errorf("a move takes %v, more than %v", each, frameTime)
				}
			})
		}
	}
}

// long is a rolling update of many Pods.
func long(tb testing.TB) *recording.Recording {
	tb.Helper()
	s, err := library.Load("rolling-update")
	if err != nil {
		tb.Fatal(err)
	}
	s.Spec.Checks = nil
	s.Spec.Steps = slices.DeleteFunc(s.Spec.Steps, func(st format.Step) bool { _, asks := st.Verb.(verb.Questioner); return asks })
	text, err := s.Encode()
	if err != nil {
		tb.Fatal(err)
	}
	text = bytes.Replace(text, []byte("replicas: 10\n"), []byte("replicas: 300\n"), 1)
	file := filepath.Join(tb.TempDir(), "long.yaml")
	if err := os.WriteFile(file, text, 0o644); err != nil {
		tb.Fatal(err)
	}
	rec, err := recordings.Open(context.Background(), picker.Entry{Name: "long", File: file}, opener.News{})
	if err != nil {
		tb.Fatal(err)
	}
	if rec.Len() < 10000 {
		tb.Fatalf("%d records are too few", rec.Len())
	}
	return rec
}
