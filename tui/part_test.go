package tui

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/cockroachdb/datadriven"

	"github.com/kubestep/kubestep/scenarios/cli"
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
	var writer *archive.Writer
	if suffix == archive.Suffix {
		writer, err = archive.NewWriter(out, archive.Header{})
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

// openPods opens an archive of Pods (archiveOfPods) in parts: more than 4 MiB of lines are a large trace, of which 1 MiB is read when it is
// opened, and 1 MiB ahead of what is looked at.
func (s *screens) openPods(t *testing.T, d *datadriven.TestData) {
	t.Helper()
	var n int
	d.ScanArgs(t, "n", &n)
	file := filepath.Join(t.TempDir(), "pods"+archive.Suffix)
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	writePods(t, out, n, 0)
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	options := s.options(t, d)
	options.Parts = opener.Parts{Large: 4 << 20, First: 1 << 20, Ahead: 1 << 20}
	m, err := prepareWith(options, file, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.begin(t, d, m)
	s.run(m.Init())
}

// blocks says which blocks of the archive were read.
func (s *screens) blocks(t *testing.T) string {
	t.Helper()
	rec := s.model.viewer.Rec
	in, err := os.Open(s.model.branches.nodes[0].entry.Trace)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		t.Fatal(err)
	}
	index, err := archive.ReadIndex(in, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	decompressed, read := rec.Opened()
	return fmt.Sprintf("read: %d of %d blocks, with the records 1 to %d of %d\ndecompressed: %d of them\n",
		read, len(index.Blocks), rec.Len(), index.Records, decompressed)
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

// TestReadsWhatIsLookedAt opens a large archive and moves on and on: only what is looked at is read, with a part ahead, and at least twice
// as much as before. A block has 512 KiB of 599 records.
func TestReadsWhatIsLookedAt(t *testing.T) {
	m := openPart(t, largeNotes(t, archive.Suffix), "")
	expect := func(what string, blocks int, seq int64, says string) {
		t.Helper()
		if _, of := m.viewer.Rec.Opened(); of != blocks || m.viewer.Seq != seq || !strings.Contains(m.View(), says) {
			t.Errorf("%s: record %d, want %d; %d blocks were read, want %d; the screen has no %q\n%s",
				what, m.viewer.Seq, seq, of, blocks, says, m.View())
		}
	}
	expect("the first screen", 6, 1, "record 1 of 20000")
	typeKeys(m, "n")
	expect("the next record", 6, 2, "of 60.000s")
	typeKeys(m, "g", "4.5s", "enter")
	expect("a time", 16, 4500, "record 4500 of 20000")
	typeKeys(m, "/", "needle", "enter")
	expect("a filter", 16, 4500, "no record matches in the part of the trace that was read")
	typeKeys(m, "n")
	expect("the next record that it lists", 34, notes-10, "note 19990")
	if m.viewer.Rec.Whole != nil {
		t.Error("the whole trace was read, and the recording does not know it")
	}
}

// TestGoesIntoATrace opens large traces at a place, or goes to their end: the screen is that of a trace that was read as a whole.
func TestGoesIntoATrace(t *testing.T) {
	for _, suffix := range []string{archive.Suffix, ".jsonl"} {
		file := largeNotes(t, suffix)
		m := openPart(t, file, "7s")
		if m.viewer.Seq != 7000 || m.viewer.Rec.Whole == nil {
			t.Errorf("%s: --at 7s is record %d, %+v", suffix, m.viewer.Seq, m.viewer.Rec.Whole)
		}
		typeKeys(m, "end")
		whole, err := prepareWith(Options{Theme: m.theme, At: "7s"}, file, nil)
		if err != nil {
			t.Fatal(err)
		}
		whole.Update(tea.WindowSizeMsg{Width: 120, Height: 34})
		drain(whole, whole.Init())
		typeKeys(whole, "end")
		if want, got := whole.View(), m.View(); m.viewer.Seq != notes || want != got {
			t.Errorf("%s: the end is\n%s\nwant\n%s", suffix, got, want)
		}
	}
}

// TestATraceThatChanges opens the first part of a trace, in whose place another one is when the reader moves on.
func TestATraceThatChanges(t *testing.T) {
	file := largeNotes(t, ".jsonl")
	m := openPart(t, file, "")
	lines, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(file, []byte(strings.ReplaceAll(string(lines), `000000,"kind"`, `000001,"kind"`)), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	typeKeys(m, "end")
	var usage *cli.UsageError
	if err := m.Err(); !errors.As(err, &usage) || !strings.Contains(usage.Error(), "the file has changed since it was opened") {
		t.Errorf("%v, want that the file has changed", err)
	}
}

// TestKeepsAPlaceInATrace cancels a way to the end while the trace is being read.
func TestKeepsAPlaceInATrace(t *testing.T) {
	m := openPart(t, largeNotes(t, archive.Suffix), "")
	_, reading := m.Update(tea.KeyMsg{Type: tea.KeyEnd})
	if screen := m.View(); !strings.Contains(screen, "reading on; esc cancels") {
		t.Errorf("the screen is\n%s", screen)
	}
	m.Update(tea.KeyMsg{Type: tea.KeyEsc})
	drain(m, reading)
	if m.viewer.Seq != 1 || m.viewer.Rec.Whole != nil {
		t.Errorf("record %d, %+v", m.viewer.Seq, m.viewer.Rec.Whole)
	}
}
