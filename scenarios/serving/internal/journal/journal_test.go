package journal_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/serving/internal/journal"
)

// disk is a file in memory that fails from some write on, of which it takes a part.
type disk struct {
	text []byte
	// left is how many bytes there is room for; negative means as many as one likes.
	left int
}

var errFull = errors.New("no space left on device")

// WriteAt implements journal.File. Only what makes the file longer needs room.
func (d *disk) WriteAt(data []byte, at int64) (int, error) {
	more := max(int(at)+len(data)-len(d.text), 0)
	if d.left >= 0 && more > d.left {
		data = data[:len(data)-(more-d.left)]
		d.put(data, at)
		d.left = 0
		return len(data), errFull
	}
	d.left -= more
	d.put(data, at)
	return len(data), nil
}

func (d *disk) put(data []byte, at int64) {
	if need := int(at) + len(data); need > len(d.text) {
		d.text = append(d.text, make([]byte, need-len(d.text))...)
	}
	copy(d.text[at:], data)
}

// Truncate implements journal.File.
func (d *disk) Truncate(size int64) error {
	d.text = d.text[:size]
	return nil
}

// Sync implements journal.File.
func (d *disk) Sync() error { return nil }

const base = `apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: world}
spec:
  title: A cluster to use
  cluster: {nodes: [{count: 1}]}
  steps: STEPS
  checks:
    - {name: one, at-end: "nodes().size() == 1"}
`

func load(t *testing.T, text []byte) *format.Scenario {
	t.Helper()
	s, err := format.Parse("session.yaml", text, verb.All)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return s
}

// creation is the n-th step of a session.
func creation(n int) (format.Step, time.Duration) {
	v := verb.Create(fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: map-%d\ndata:\n  text: |\n    a\n\n    b\n", n))
	at := time.Duration(n) * time.Second
	return format.Step{At: &notation.Duration{Duration: at}, Verb: &v, Comment: "kubectl create"}, at + time.Millisecond
}

// holds compares the file with the steps that it must have.
func holds(t *testing.T, text []byte, before, steps int) {
	t.Helper()
	s := load(t, text)
	if len(s.Spec.Steps) != before+steps || len(s.Spec.Checks) != 1 {
		t.Fatalf("%d steps, want %d, in\n%s", len(s.Spec.Steps), before+steps, text)
	}
	if steps == 0 {
		return
	}
	want, end := creation(steps)
	last := s.Spec.Steps[len(s.Spec.Steps)-1]
	if got := last.Verb.(*verb.Create); *got != *want.Verb.(*verb.Create) || last.At.Duration != want.At.Duration || s.Spec.Horizon.Duration != end {
		t.Errorf("the last step is %v at %s, and the horizon %s, in\n%s", last.Verb, last.At, s.Spec.Horizon, text)
	}
}

// TestAdd adds steps to a scenario without and with steps of its own. The file is a scenario after each.
func TestAdd(t *testing.T) {
	for before, list := range []string{"[]", "[{at: 1ms, annotate: {target: node/node-1, set: {a: b}}}]"} {
		file := &disk{left: -1}
		j, err := journal.New(file, load(t, []byte(strings.Replace(base, "STEPS", list, 1))))
		if err != nil {
			t.Fatal(err)
		}
		for n := range 5 {
			holds(t, file.text, before, n)
			if err := j.Add(creation(n + 1)); err != nil {
				t.Fatal(err)
			}
		}
		holds(t, file.text, before, 5)
	}
}

// TestTornWrites lets the disk be full after each byte of three steps. The file keeps all steps that were added before, and when there is
// room again, the next step brings along the one that failed.
func TestTornWrites(t *testing.T) {
	whole := &disk{left: -1}
	scenario := load(t, []byte(strings.Replace(base, "STEPS", "[]", 1)))
	j, err := journal.New(whole, scenario)
	if err != nil {
		t.Fatal(err)
	}
	begin := len(whole.text)
	for n := range 3 {
		if err := j.Add(creation(n + 1)); err != nil {
			t.Fatal(err)
		}
	}
	for room := 0; room < len(whole.text)-begin; room++ {
		file := &disk{left: begin + room}
		j, err := journal.New(file, scenario)
		if err != nil {
			t.Fatal(err)
		}
		added := 0
		for added < 3 && j.Add(creation(added+1)) == nil {
			added++
		}
		if added == 3 {
			t.Fatalf("no error with room for %d bytes less than needed", len(whole.text)-begin-room)
		}
		holds(t, file.text, 0, added)
		file.left = -1
		if err := j.Add(creation(added + 2)); err != nil {
			t.Fatal(err)
		}
		holds(t, file.text, 0, added+2)
	}
}

// TestNoJournal adds to nothing.
func TestNoJournal(t *testing.T) {
	var j *journal.Journal
	if err := j.Add(creation(1)); err != nil {
		t.Error(err)
	}
}
