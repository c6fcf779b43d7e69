package altered

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/scenarios/reading/compare"
	"github.com/kubestep/kubestep/scenarios/reading/why"
	"github.com/kubestep/kubestep/scenarios/web/page"
	"github.com/kubestep/kubestep/scenarios/web/picture"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/file/tracefile"
	"github.com/kubestep/kubestep/tui"
	"github.com/kubestep/kubestep/tui/command/commandtest"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// webhookLines are a call of a webhook and the request that made it, which no shipped scenario has.
const webhookLines = `{"seq":%d,"at":%d,"kind":"webhook","actor":"policy","webhook":{"type":"validating","configuration":"policy","hook":"policy.example.com","resource":"pods","namespace":"default","name":"web-0","operation":"CREATE","client":"kubectl","sent":0,"code":403,"message":"no"}}
{"seq":%d,"at":%d,"kind":"request","actor":"kubectl","request":{"verb":"create","resource":"pods","namespace":"default","name":"web-0","code":403,"reason":"Forbidden","sent":0,"webhooks":[%d]}}
`

// containerLines are what upstream's kubelet does with containers and plugins, which it does in the exact build only.
const containerLines = `{"seq":%d,"at":%d,"kind":"container","actor":"kubelet@node-1","container":{"resource":"pods","namespace":"default","name":"web-0","uid":"u","container":"c","probe":{"type":"readiness","output":"HTTP probe failed with statuscode: 503","code":503,"sent":0,"timedOut":true,"run":3,"threshold":3}}}
{"seq":%d,"at":%d,"kind":"container","actor":"kubelet@node-1","container":{"resource":"pods","namespace":"default","name":"web-0","uid":"u","container":"c","signal":{"name":"SIGTERM","grace":6000000000}}}
{"seq":%d,"at":%d,"kind":"container","actor":"kubelet@node-1","container":{"resource":"pods","namespace":"default","name":"web-0","uid":"u","container":"c","exit":{"ended":5,"code":1,"reason":"Error"}}}
{"seq":%d,"at":%d,"kind":"container","actor":"kubelet@node-1","container":{"resource":"pods","namespace":"default","name":"web-0","uid":"u","container":"c","backOff":{"length":40000000000}}}
{"seq":%d,"at":%d,"kind":"container","actor":"kubelet@node-1","container":{"resource":"pods","namespace":"default","name":"web-0","uid":"u","container":"c","hook":{"phase":"end","timedOut":true}}}
{"seq":%d,"at":%d,"kind":"container","actor":"kubelet@node-1","container":{"resource":"pods","namespace":"default","name":"web-0","uid":"u","pull":{"image":"web","took":5,"error":"not found"}}}
{"seq":%d,"at":%d,"kind":"container","actor":"kubelet@node-1","container":{"resource":"pods","namespace":"default","name":"web-0","uid":"u","container":"c","started":true}}
{"seq":%d,"at":%d,"kind":"call","actor":"kubelet@node-1","background":true,"call":{"resource":"persistentvolumes","name":"disk","uid":"u","plugin":"disk.example.com","method":"NodeStageVolume","phase":"start"}}
{"seq":%d,"at":%d,"kind":"call","actor":"kubelet@node-1","call":{"resource":"persistentvolumes","name":"disk","uid":"u","plugin":"disk.example.com","method":"NodeStageVolume","phase":"end","took":5,"error":"no"}}
{"seq":%d,"at":%d,"kind":"future","future":{"seed":42}}
`

// TestAlteredTraces alters each field of records of all kinds in turn, as somebody may who sends a trace to others: the field
// is left out, or has another value of its type. What is refused has a position; what is read goes through everything that
// shows a trace, and nothing panics.
func TestAlteredTraces(t *testing.T) {
	done, seen := map[string]bool{}, map[trace.Kind]bool{}
	for _, name := range []string{"conflict", "stale-restart-deletes-a-healthy-pod"} {
		lines := run(t, name)
		last, err := trace.Decode(lines[len(lines)-1])
		if err != nil {
			t.Fatal(err)
		}
		more := fmt.Sprintf(webhookLines, last.Seq+1, last.At, last.Seq+2, last.At, last.Seq+1)
		var numbers []any
		for n := range int64(strings.Count(containerLines, "\n")) {
			numbers = append(numbers, last.Seq+3+n, last.At)
		}
		more += fmt.Sprintf(containerLines, numbers...)
		lines = append(lines, slices.Collect(bytes.Lines([]byte(more)))...)
		whole, err := recording.Read(bytes.NewReader(bytes.Join(lines, nil)), recording.Origin{})
		if err != nil || whole.Cut != "" {
			t.Fatal(err, whole.Cut)
		}
		alterAll(t, lines, whole, done, seen)
	}
	for _, kind := range trace.Kinds() {
		// A halt is no record of a recording: it says why it ends.
		if !seen[kind] && kind != trace.KindHalt {
			t.Errorf("no record of kind %q was altered", kind)
		}
	}
}

func TestMain(m *testing.M) { commandtest.Main(m) }

// run is the trace of a shipped scenario, by lines.
func run(t *testing.T, name string) [][]byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), name+".jsonl")
	if out, err := exec.Command(os.Args[0], "run", name, "--trace-out", file, "-o", "summary").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return slices.Collect(bytes.Lines(data))
}

// alterAll alters one record of each kind, and of each verb, phase or type that it has, in each of its fields.
func alterAll(t *testing.T, lines [][]byte, whole *recording.Recording, done map[string]bool, seen map[trace.Kind]bool) {
	t.Helper()
	read, refused := 0, 0
	for i, line := range lines {
		record, err := trace.Decode(line)
		if err != nil {
			t.Fatal(err)
		}
		shape := fmt.Sprint(record.Kind, " ", trace.Describe(record).Verb, record.FaultSeq > 0)
		if done[shape] || record.Background {
			continue
		}
		done[shape], seen[record.Kind] = true, true
		for path, altered := range alterations(t, line) {
			text := slices.Clone(lines)
			text[i] = altered
			rec, err := recording.Read(bytes.NewReader(bytes.Join(text, nil)), recording.Origin{})
			if err != nil || rec.Cut != "" {
				refused++
				convertFails(t, path, bytes.Join(text, nil))
				continue
			}
			read++
			showAll(t, path, rec, whole, int64(i)+1)
		}
	}
	t.Logf("%d read, %d refused", read, refused)
	if read == 0 || refused == 0 {
		t.Errorf("%d altered traces were read and %d refused", read, refused)
	}
}

// convertFails holds that a trace which cannot be a recording is no trace for convert either, but for what a recording adds: the
// objects of the store.
func convertFails(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := tracefile.Convert(bytes.NewReader(text), tracefile.Lines(io.Discard)); err == nil && !strings.Contains(path, "writes") && !strings.Contains(path, ".request = ") {
		t.Errorf("convert accepts what a recording refuses: %s", path)
	}
}

// alterations are the line with one field left out or changed, by the path of the field and the change.
func alterations(t *testing.T, line []byte) map[string][]byte {
	t.Helper()
	var record map[string]any
	if err := json.Unmarshal(line, &record); err != nil {
		t.Fatal(err)
	}
	altered := map[string][]byte{}
	note := func(path, change string) {
		text, err := json.Marshal(record)
		if err != nil {
			t.Fatal(err)
		}
		// Every record begins with its number.
		altered[strings.TrimSpace(string(line[:min(len(line), 60)]))+" "+path+" "+change] = append(text, '\n')
	}
	var walk func(object map[string]any, path string, depth int)
	walk = func(object map[string]any, path string, depth int) {
		for _, name := range slices.Sorted(maps.Keys(object)) {
			was, at := object[name], path+"."+name
			delete(object, name)
			note(at, "left out")
			for _, other := range others(was) {
				object[name] = other
				note(at, fmt.Sprintf("= %v", other))
			}
			object[name] = was
			switch value := was.(type) {
			case map[string]any:
				walk(value, at, depth+1)
			case []any:
				if first, ok := append(value, nil)[0].(map[string]any); ok && depth < 3 {
					walk(first, at+"[0]", depth+1)
				}
			}
		}
	}
	walk(record, "", 0)
	return altered
}

// others are values of the same type.
func others(value any) []any {
	switch value.(type) {
	case float64:
		return []any{-1, 1 << 40}
	case string:
		return []any{"x"}
	case []any:
		return []any{[]any{}}
	case map[string]any:
		return []any{map[string]any{}}
	case bool:
		return []any{!value.(bool)}
	}
	return nil
}

// showAll looks at a recording with everything that shows one. A panic is what the test is about, and names the change.
func showAll(t *testing.T, path string, rec, whole *recording.Recording, seq int64) {
	t.Helper()
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("%s: panic: %v\n%s", path, p, debug.Stack())
		}
	}()
	history := why.New(rec)
	for _, at := range []int64{seq, rec.Len()} {
		instant := history.At(at, rec.At(at))
		instant.Unmet("")
		for _, o := range rec.Caches.Store().Objects() {
			if !strings.HasPrefix(o.Name, "system:") {
				instant.Ask(o)
			}
		}
	}
	rec.Chain(seq, 10)
	compare.Compare(rec, whole).Print(io.Discard, 100)
	if lesson, err := page.New(rec); err == nil {
		_ = lesson.Write(io.Discard)
	}
	_, _ = picture.Film(rec, picture.Options{})
	colors, err := theme.ForPicture("default", true)
	if err != nil {
		t.Fatal(err)
	}
	m := tui.Show(tui.Options{Theme: colors, At: strconv.FormatInt(seq, 10)}, rec)
	m.Update(tea.WindowSizeMsg{Width: 160, Height: 50})
	for _, view := range "12345678" {
		m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{view}})
		_ = m.View()
	}
}
