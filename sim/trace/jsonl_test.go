package trace

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// recording is a small one, with its hash.
func recording(t *testing.T, records ...*Record) (file string, hash string) {
	t.Helper()
	var lines bytes.Buffer
	recorder := NewRecorder(func() time.Duration { return time.Second }, func(_ *Record, line []byte) { lines.Write(line) })
	for _, record := range records {
		recorder.Emit(record)
	}
	return lines.String(), recorder.Hash()
}

func note(text string) *Record { return &Record{Kind: KindNote, Note: &Note{Text: text}} }

func TestReadJSONL(t *testing.T) {
	written := []*Record{note("one\ntwo <&>"), {Kind: KindTimer, Cause: 1, Timer: &Timer{Queue: "job"}}}
	file, hash := recording(t, written...)
	var read []*Record
	for record, err := range ReadJSONL(strings.NewReader(file)) {
		if err != nil {
			t.Fatal(err)
		}
		read = append(read, record)
	}
	if diff := cmp.Diff(written, read); diff != "" {
		t.Errorf("-written +read:\n%s", diff)
	}
	if got, err := HashLines(strings.NewReader(file)); err != nil || got != hash {
		t.Errorf("HashLines: %s %v, want %s", got, err, hash)
	}
	if err := Verify(strings.NewReader(file), hash); err != nil {
		t.Error(err)
	}
	for range ReadJSONL(strings.NewReader(file)) {
		break // A reader may stop early.
	}
}

func TestReadJSONLErrors(t *testing.T) {
	good := `{"seq":1,"at":5,"kind":"note","note":{"text":"x"}}` + "\n"
	for _, c := range []struct{ name, file, want string }{
		{"text", "hello\n", "line 1: not a kubestep trace (invalid character 'h' looking for beginning of value)"},
		{"another JSON file", "{\"apiVersion\":\"v1\"}\n", "line 1: not a kubestep trace"},
		{"another log", `{"seq":"a","kind":"b"}` + "\n", "line 1: not a kubestep trace (json: cannot unmarshal string into Go struct field Record.seq of type int64)"},
		{"no newline at all", strings.Repeat("x", 100), "line 1: not a kubestep trace"},
		{"an empty line", good + "\n" + good, "line 2: not a kubestep trace (unexpected end of JSON input)"},
		{"broken off", good + `{"seq":2,"at":`, "line 2: the trace ends in the middle of this line"},
		{"a part is missing", good + `{"seq":2,"at":5,"kind":"sync"}` + "\n", `line 2: record 2 of kind "sync" has no field "sync"`},
		{"a fault without its part", good + `{"seq":2,"at":5,"kind":"fault"}` + "\n", `line 2: record 2 of kind "fault" has no field "fault"`},
		{
			"the part of another kind", good + `{"seq":2,"at":5,"kind":"note","note":{"text":""},"check":{"name":"a","passed":true}}` + "\n",
			`line 2: record 2 of kind "note" has the field "check", which is that of another kind`,
		},
		{"a wrong part", good + `{"seq":2,"at":5,"kind":"note","note":7}` + "\n", "line 2: json: cannot unmarshal number into Go struct field Record.note of type trace.Note"},
		{"a missing record", good + `{"seq":3,"at":5,"kind":"note","note":{"text":""}}` + "\n", "line 2: record 3 follows record 1"},
		{"time runs backwards", good + `{"seq":2,"at":4,"kind":"note","note":{"text":""}}` + "\n", "line 2: record 2 is of 0.000s, before record 1 of 0.000s"},
		{"a later cause", good + `{"seq":2,"at":5,"cause":2,"kind":"note","note":{"text":""}}` + "\n", "line 2: record 2 has the later record 2 as its cause"},
	} {
		err := Verify(strings.NewReader(c.file), "")
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
		var at *LineError
		if !errors.As(err, &at) || strings.Contains(c.want, ErrForeign.Error()) != errors.Is(err, ErrForeign) {
			t.Errorf("%s: %#v", c.name, err)
		}
	}
	before := `{"seq":1,"at":-1000000000,"kind":"note","note":{"text":"x"}}` + "\n"
	if err := Verify(strings.NewReader(before), ""); err != nil {
		t.Errorf("before time zero: %v", err)
	}
	if err := Verify(strings.NewReader(good), "sha256:00"); err == nil || !strings.HasSuffix(err.Error(), ", not sha256:00") {
		t.Errorf("another hash: %v", err)
	}
}

// endless is a reader of one line that never ends.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return copy(p, manyDigits), nil }

var manyDigits = strings.Repeat("1", 1<<20)

func TestReadJSONLLimitsLines(t *testing.T) {
	for _, err := range ReadJSONL(endless{}) {
		if !errors.Is(err, ErrForeign) {
			t.Error(err)
		}
	}
}
