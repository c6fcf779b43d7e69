package tui

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/file/archive"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// archiveOfPods is an archive of a ReplicaSet with n Pods, which have annotations of 20 KB that cannot be compressed much, and are created
// one after the other, one each second. The outline says that a record, if it is not 0, is of another actor.
func archiveOfPods(t *testing.T, n, wrong int) *recording.Recording {
	t.Helper()
	var out bytes.Buffer
	writePods(t, &out, n, wrong)
	rec, err := recording.Read(&out, recording.Origin{Name: "pods"})
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// writePods writes that archive.
func writePods(t *testing.T, out io.Writer, n, wrong int) {
	t.Helper()
	writer, err := archive.NewWriter(out, archive.Header{})
	if err != nil {
		t.Fatal(err)
	}
	create := func(seq int, o trace.Object, metadata string) {
		text := fmt.Sprintf(`{"metadata":{"name":%q,"namespace":"default","uid":%q,%s}}`, o.Name, o.Name, metadata)
		record := &trace.Record{
			Seq: int64(seq), At: time.Duration(seq) * time.Second, Kind: trace.KindRequest, Actor: "replicaset-controller",
			Request: &trace.Request{Verb: "create", Object: o, Code: 201, Writes: []trace.Write{
				{Op: trace.OpCreate, Object: o, UID: o.Name, RV: uint64(seq), New: []byte(text)},
			}},
		}
		said := *record
		if seq == wrong {
			said.Actor = "nobody"
		}
		if err := writer.Write(&said, record.Line()); err != nil {
			t.Fatal(err)
		}
	}
	random := rand.NewChaCha8([32]byte{})
	large := func() string {
		bytes := make([]byte, 10_000)
		_, _ = random.Read(bytes)
		return fmt.Sprintf(`"annotations":{"a":"%x"}`, bytes)
	}
	create(1, trace.Object{Resource: "replicasets.apps", Namespace: "default", Name: "web"}, large())
	for seq := 2; seq <= n+1; seq++ {
		owner := `,"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":"web","controller":true}]`
		create(seq, trace.Object{Resource: "pods", Namespace: "default", Name: fmt.Sprintf("web-%d", seq)}, large()+owner)
	}
	if err := writer.Close(archive.End{Virtual: time.Duration(n+1) * time.Second}); err != nil {
		t.Fatal(err)
	}
}

// TestFirstScreenOfAnArchive opens an archive: its first screen needs the blocks with the records on it, and that of the last Pod of the
// ReplicaSet, and no others.
func TestFirstScreenOfAnArchive(t *testing.T) {
	rec := archiveOfPods(t, 1000, 0)
	colors, err := theme.New("default", "auto")
	if err != nil {
		t.Fatal(err)
	}
	m := Show(Options{Theme: colors, Open: recordings}, rec)
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	if screen := m.View(); !strings.Contains(screen, "create rs/web") {
		t.Errorf("the first screen is\n%s", screen)
	}
	if opened, of := rec.Opened(); opened != 2 || of != 41 {
		t.Errorf("%d of %d blocks were decompressed for the first screen, want 2 of 41", opened, of)
	}
}

// TestTerminalEndsAtAWrongOutline opens an archive whose outline says something wrong of a record, and goes there: the terminal ends with
// the byte of the block, what is wrong, and what to try.
func TestTerminalEndsAtAWrongOutline(t *testing.T) {
	colors, err := theme.New("default", "auto")
	if err != nil {
		t.Fatal(err)
	}
	quit := make(chan bool, 1)
	g := &guarded{Model: Show(Options{Theme: colors, Open: recordings}, archiveOfPods(t, 400, 200)), quit: func() { quit <- true }}
	g.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	if g.View() == "" || g.err != nil {
		t.Fatalf("there is no first screen: %v", g.err)
	}
	for range 400 {
		g.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("n")})
		if screen := g.View(); g.err != nil {
			if screen != "" {
				t.Errorf("the screen is\n%s", screen)
			}
			break
		}
	}
	var usage *cli.UsageError
	if !errors.As(g.err, &usage) || !strings.Contains(usage.Error(), "the block: its records differ from its outline") ||
		!strings.HasPrefix(usage.Error(), "byte ") || !strings.HasPrefix(usage.Try, "another copy") {
		t.Errorf("the terminal ends with %#v", g.err)
	}
	if _, cmd := g.Update(tea.KeyMsg{Type: tea.KeyDown}); cmd == nil || cmd() != tea.Quit() {
		t.Error("the terminal does not end")
	}
}
