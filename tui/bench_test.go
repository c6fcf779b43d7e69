package tui

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/scenarios"
	"github.com/kubestep/kubestep/tui/recording"
	"github.com/kubestep/kubestep/tui/theme"
)

// frameTime is how long a move may take, so that a held key is followed at 60 frames a second.
const frameTime = 16 * time.Millisecond

// BenchmarkMoves moves through a recording of more than 10,000 records, and draws each screen.
func BenchmarkMoves(b *testing.B) {
	rec := long(b)
	b.Logf("%d records", rec.Len())
	for _, view := range views {
		for _, keys := range []string{"n", "w", "s", "c", "p"} {
			b.Run(view.name+"/"+keys, func(b *testing.B) {
				colors, err := theme.New("default", "auto")
				if err != nil {
					b.Fatal(err)
				}
				m := Show(Options{Theme: colors, Open: opener}, rec)
				m.Update(tea.WindowSizeMsg{Width: 160, Height: 50})
				m.viewer.show(view.view)
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
	data, err := scenarios.Shipped.ReadFile("lessons/rolling-update.yaml")
	if err != nil {
		tb.Fatal(err)
	}
	text, _, _ := strings.Cut(string(data), "  - expect:")
	text = strings.ReplaceAll(text, "replicas: 10\n", "replicas: 300\n")
	file := filepath.Join(tb.TempDir(), "long.yaml")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		tb.Fatal(err)
	}
	rec, err := opener.Open(context.Background(), Entry{Name: "long", File: file}, nil)
	if err != nil {
		tb.Fatal(err)
	}
	if rec.Len() < 10000 {
		tb.Fatalf("%d records are too few", rec.Len())
	}
	return rec
}
