package trace

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestFoldKeepsLittle expects that a sync which continues for long does not hold up the text forever: its line is
// printed without its outcome, which has a line of its own at the end.
func TestFoldKeepsLittle(t *testing.T) {
	var out strings.Builder
	text := NewText(&out, TextOptions{})
	text.fold.keep = 3
	seq := int64(0)
	write := func(record *Record) {
		seq++
		record.Seq, record.Actor = seq, "job-controller"
		record.At = time.Duration(seq) * time.Millisecond
		if err := text.Write(record); err != nil {
			t.Fatal(err)
		}
	}
	write(&Record{Kind: KindSync, Sync: &Sync{Phase: PhaseStart, Queue: "job"}})
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		object := Object{Resource: "jobs.batch", Namespace: "default", Name: name}
		write(&Record{Kind: KindRequest, Cause: 1, Request: &Request{Verb: "patch", Object: object, Code: 404, Reason: "NotFound"}})
	}
	if got := strings.Count(out.String(), "\n"); got != 3 {
		t.Errorf("%d lines before the end, want 3:\n%s", got, out.String())
	}
	write(&Record{Kind: KindSync, Cause: 1, Sync: &Sync{Phase: PhaseEnd, Queue: "job", Key: "default/x", Start: 1, Requests: 6}})
	if err := text.Close(); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"0.001s job-controller sync (job) in progress",
		"0.002s job-controller patch jobs/a 404 NotFound",
		"0.003s job-controller patch jobs/b 404 NotFound",
		"0.004s job-controller patch jobs/c 404 NotFound",
		"0.005s job-controller patch jobs/d 404 NotFound",
		"0.006s job-controller patch jobs/e 404 NotFound",
		"0.007s job-controller patch jobs/f 404 NotFound",
		"0.008s job-controller done default/x nothing written",
	}
	if diff := cmp.Diff(want, words(out.String())); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if len(text.fold.open)+len(text.fold.quiet) != 0 {
		t.Errorf("left over: %v %v", text.fold.open, text.fold.quiet)
	}
}

// words are lines with one space between their cells.
func words(text string) []string {
	var lines []string
	for line := range strings.Lines(text) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	return lines
}

// TestCausesForgets expects that a chain of causes which is too old is not told wrongly.
func TestCausesForgets(t *testing.T) {
	c := NewPassing()
	add := func(seq, cause int64, record Record) {
		record.Seq, record.Cause = seq, cause
		c.Add(&record)
	}
	add(1, 0, Record{Kind: KindWatch, Watch: &Watch{Type: "ADDED", Object: Object{Resource: "pods", Name: "x"}}})
	add(2, 1, Record{Kind: KindEnqueue, Enqueue: &Enqueue{}})
	if got := c.Because("", 2).String(); got != "because pods/x ADDED" {
		t.Error(got)
	}
	for seq := int64(3); seq < remembered+2; seq++ {
		add(seq, 0, Record{Kind: KindTimer, Timer: &Timer{}})
	}
	if got := c.Because("", 2).String(); got != "because of a record too far back" {
		t.Error(got)
	}
	if len(c.links) != remembered {
		t.Errorf("%d links", len(c.links))
	}
}

// failing is a writer that takes no more.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errCut }

func TestTextReportsErrors(t *testing.T) {
	text := NewText(failing{}, TextOptions{Verbose: true})
	for range 2 {
		if err := text.Write(&Record{Seq: 1, Kind: KindNote, Note: &Note{Text: "x"}}); err != errCut {
			t.Error(err)
		}
	}
	if err := text.Close(); err != errCut {
		t.Error(err)
	}
}

func TestBecause(t *testing.T) {
	c := NewPassing()
	pods := Object{Resource: "pods", Namespace: "default", Name: "web-0"}
	for _, record := range []*Record{
		{Seq: 1, Kind: KindRequest, Actor: "shared-informers", Request: &Request{Verb: "list", Object: Object{Resource: "pods"}, Code: 200}},
		{Seq: 2, Kind: KindEnqueue, Cause: 1, Enqueue: &Enqueue{}},
		{Seq: 3, Kind: KindEnqueue, Enqueue: &Enqueue{}},
		{Seq: 4, Kind: KindAction, Action: &Action{Verb: "crash"}},
		{Seq: 5, Kind: KindRequest, Actor: "kubectl", Request: &Request{Verb: "delete", Object: pods, Writes: []Write{{Op: OpDelete, Object: pods}}}},
		{Seq: 6, Kind: KindWatch, Cause: 5, Watch: &Watch{Type: "DELETED", Object: pods}},
		{Seq: 7, At: 1500000000, Kind: KindSync, Cause: 6, Sync: &Sync{Phase: PhaseStart}},
		{Seq: 8, Kind: KindEnqueue, Cause: 7, Enqueue: &Enqueue{}},
		{Seq: 9, Kind: KindTimer, Cause: 7, Timer: &Timer{}},
		{Seq: 10, Kind: KindTimer, Timer: &Timer{}},
		{Seq: 11, Kind: KindWatch, Watch: &Watch{Type: "ADDED", Object: pods}},
	} {
		c.Add(record)
	}
	for seq, want := range []string{
		0:  "",
		2:  "because pods were listed",
		3:  "because of its start or its own timer",
		4:  "because of step crash",
		5:  "because of a request (removed by kubectl)",
		6:  "because pods/web-0 DELETED (removed by kubectl)",
		8:  "because its sync of 1.500s requested it",
		9:  "because its sync of 1.500s requeued it",
		10: "because its own timer ran out",
		11: "because pods/web-0 ADDED",
	} {
		if got := c.Because("job-controller", int64(seq)).String(); want != "" && got != want {
			t.Errorf("%d: %s, want %s", seq, got, want)
		}
	}
	if got := c.Because("kubectl", 6).String(); got != "because pods/web-0 DELETED (own write: removed)" {
		t.Error(got)
	}
	c.Add(&Record{Seq: 12, Kind: KindSync, Sync: &Sync{Phase: PhaseEnd, Start: 7, Error: "out of luck"}})
	if got := c.Because("", 9).String(); got != "because pods/web-0 DELETED (removed by kubectl); retry after an error" {
		t.Error(got)
	}
}
