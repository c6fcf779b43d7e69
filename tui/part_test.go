package tui

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/file/archive"
	"github.com/kubestep/kubestep/tui/internal/opener"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// notes are how many records the trace of largeNotes has, one each millisecond.
const notes = 20_000

// largeNotes writes a trace of notes that does not become small by compression.
func largeNotes(t *testing.T, suffix string) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "notes"+suffix)
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	writer, err := archive.NewWriter(out, archive.Header{})
	if suffix != archive.Suffix {
		writer = nil
	}
	random := rand.New(rand.NewPCG(1, 2))
	for seq := int64(1); seq <= notes && err == nil; seq++ {
		text := fmt.Sprintf("note %d %x %s", seq, []uint64{random.Uint64(), random.Uint64(), random.Uint64()}, strings.Repeat("text ", 150))
		if seq == notes-10 {
			text += " needle"
		}
		record := &trace.Record{Seq: seq, At: time.Duration(seq) * time.Millisecond, Kind: trace.KindNote, Note: &trace.Note{Text: text}}
		if writer != nil {
			err = writer.Write(record, record.Line())
		} else {
			_, err = out.Write(record.Line())
		}
	}
	if err == nil && writer != nil {
		err = writer.Close(archive.End{Virtual: time.Minute})
	}
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// openPart opens a trace of which only what is looked at is read, and waits until its first part is shown.
func openPart(t *testing.T, file, at string) *Model {
	t.Helper()
	colors, err := theme.New("default", "dark")
	if err != nil {
		t.Fatal(err)
	}
	parts := opener.Parts{Large: 4 << 20, First: 1 << 20, Ahead: 1 << 20}
	m, err := prepareWith(Options{Theme: colors, Parts: parts, At: at}, file, nil)
	if err != nil {
		t.Fatal(err)
	}
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 34})
	drain(m, m.Init())
	return m
}

// drain runs a command and all that follow from it, as far as they read a trace.
func drain(m *Model, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, cmd := range msg {
			drain(m, cmd)
		}
	case progressMsg, earlyMsg, loadedMsg:
		_, next := m.Update(msg)
		drain(m, next)
	}
}

// typeKeys presses keys, and waits after each until nothing is being read.
func typeKeys(m *Model, keys ...string) {
	for _, key := range keys {
		msg := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(key)}
		switch key {
		case "enter":
			msg = tea.KeyMsg{Type: tea.KeyEnter}
		case "end":
			msg = tea.KeyMsg{Type: tea.KeyEnd}
		}
		_, cmd := m.Update(msg)
		drain(m, cmd)
	}
}

// TestReadsWhatIsLookedAt opens a large archive and goes on and on: only what is looked at is read, with a part ahead, and at least twice as
// much as before. A block has 512 KiB of 610 records.
func TestReadsWhatIsLookedAt(t *testing.T) {
	m := openPart(t, largeNotes(t, archive.Suffix), "")
	expect := func(what string, blocks int, seq int64, says string) {
		t.Helper()
		if _, of := m.viewer.Rec.Opened(); of != blocks || m.viewer.Seq != seq || !strings.Contains(m.View(), says) {
			t.Errorf("%s: record %d, want %d; %d blocks were read, want %d; the screen has no %q\n%s",
				what, m.viewer.Seq, seq, of, blocks, says, m.View())
		}
	}
	expect("the first screen", 4, 1, "record 1 of 20000")
	typeKeys(m, "n")
	expect("the next record", 4, 2, "of 60.000s")
	typeKeys(m, "g", "4.5s", "enter")
	expect("a time", 10, 4500, "record 4500 of 20000")
	typeKeys(m, "/", "needle", "enter")
	expect("a filter", 10, 4500, "no record matches in the part of the trace that was read")
	typeKeys(m, "n")
	expect("the next record that it lists", 33, notes-10, "record 19990 of 20000")
	if m.viewer.Rec.Whole != nil {
		t.Error("the whole trace was read, and the recording does not know it")
	}
}
