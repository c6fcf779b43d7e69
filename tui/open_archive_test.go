package tui

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/file/archive"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// archiveOfPods is an archive of a ReplicaSet with n Pods, which have large annotations and are created one after the other.
func archiveOfPods(t *testing.T, n int) *recording.Recording {
	t.Helper()
	var out bytes.Buffer
	writer, err := archive.NewWriter(&out, archive.Header{})
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
		if err := writer.Write(record, record.Line()); err != nil {
			t.Fatal(err)
		}
	}
	large := fmt.Sprintf(`"annotations":{"a":%q}`, strings.Repeat("a", 20_000))
	create(1, trace.Object{Resource: "replicasets.apps", Namespace: "default", Name: "web"}, large)
	for seq := 2; seq <= n+1; seq++ {
		owner := `,"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":"web","controller":true}]`
		create(seq, trace.Object{Resource: "pods", Namespace: "default", Name: fmt.Sprintf("web-%d", seq)}, large+owner)
	}
	if err := writer.Close(archive.End{}); err != nil {
		t.Fatal(err)
	}
	rec, err := recording.Read(&out, recording.Origin{Name: "pods"})
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// TestFirstScreenOfAnArchive opens an archive: its first screen needs the blocks with the records on it, and that of the last Pod of the
// ReplicaSet, and no others.
func TestFirstScreenOfAnArchive(t *testing.T) {
	rec := archiveOfPods(t, 1000)
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
