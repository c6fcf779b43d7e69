package tui

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// TestLargeTrace looks around in the first part of a trace while the rest is read, and stays at its record then.
func TestLargeTrace(t *testing.T) {
	const records = 20_000
	var lines bytes.Buffer
	for i := range records {
		note := &trace.Note{Text: fmt.Sprintf("note %d %s", i+1, strings.Repeat("text ", 150))}
		lines.Write((&trace.Record{Seq: int64(i) + 1, At: time.Duration(i) * time.Millisecond, Kind: trace.KindNote, Note: note}).Line())
	}
	file := filepath.Join(t.TempDir(), "large.jsonl")
	if err := os.WriteFile(file, lines.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	colors, err := theme.New("default", "dark")
	if err != nil {
		t.Fatal(err)
	}
	m, err := prepareWith(Options{Theme: colors}, file, nil)
	if err != nil {
		t.Fatal(err)
	}
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 34})
	if m.screen != screenLoading || !strings.Contains(m.View(), "reading the trace") {
		t.Fatalf("a large trace opens with\n%s", m.View())
	}
	early := false
	for cmd := m.Init(); cmd != nil; {
		msg := cmd()
		_, cmd = m.Update(msg)
		if _, first := msg.(earlyMsg); !first {
			continue
		}
		early = true
		if n := m.viewer.Rec.Len(); n >= records || !strings.Contains(m.View(), "reading the trace") {
			t.Errorf("the first part has %d records:\n%s", n, m.View())
		}
		m.press("n", "n", "n")
	}
	if v := m.viewer; !early || v.Rec.Len() != records || v.Seq != 4 || len(v.Visible) != records {
		t.Errorf("early %t: record %d of %d, %d listed", early, v.Seq, v.Rec.Len(), len(v.Visible))
	}
	if text := m.View(); strings.Contains(text, "reading the trace") || !strings.Contains(text, "the whole trace was read") {
		t.Errorf("at the end:\n%s", text)
	}
}
