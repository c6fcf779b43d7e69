package tui

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/kubestep/kubestep/docs/questions"
	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/internal/opener"
	"github.com/kubestep/kubestep/tui/internal/pane"
	"github.com/kubestep/kubestep/tui/internal/picker"
	"github.com/kubestep/kubestep/tui/internal/theme"
	"github.com/kubestep/kubestep/tui/internal/views"
)

// harmless are lines that a recording has from its end on, and that answer no question: the place of the question itself, bars whose
// scale is that of the whole recording, and what a sync had read before.
var harmless = regexp.MustCompile(`^(|the question is what comes next|((history +)?[▁▂▃▄▅▆▇█ ]+ (available|pods) *)+|` +
	`(read )?[a-z]+/[a-z0-9-]+( -n [a-z.]+)?(: not found| rv [0-9]+, .*)|read .*|[0-9]+ [a-z]+ from its cache|done +not yet|the sync requeued its key)$`)

// TestNoQuestionIsGivenAway looks at each question of the course in every pane, twice: in the whole recording, and in one that ends
// with the question. What the panes show is the same: nothing that happens after the question is on the screen.
func TestNoQuestionIsGivenAway(t *testing.T) {
	plain, err := theme.New("default", "auto")
	if err != nil {
		t.Fatal(err)
	}
	// The views of queues know from a later sync which keys are in them, and which programs there are; what they show has happened before the question.
	panes := panesOf(slices.DeleteFunc(slices.Clone(views.All), func(view *views.View) bool {
		return view == views.Comparison || slices.Contains([]string{"Queues", "Components", "Stage"}, view.Name)
	}))
	questions := 0
	for _, name := range library.Course {
		rec, err := recordings.Open(t.Context(), picker.Entry{Name: name, File: name}, opener.News{})
		if err != nil {
			t.Fatal(err)
		}
		for _, seq := range rec.Marks().Notes {
			if rec.Record(seq).Ask == nil {
				continue
			}
			questions++
			whole, ends := newViewer(rec), newViewer(until(t, rec, seq))
			whole.move(seq)
			ends.move(seq)
			for _, p := range panes {
				known := drawn(p, ends, plain)
				for _, line := range drawn(p, whole, plain) {
					if !slices.Contains(known, line) && !harmless.MatchString(line) {
						t.Errorf("%s, %q: %T shows what happens after the question:\n%s", name, rec.Record(seq).Ask.Question, p, line)
					}
				}
			}
		}
	}
	if questions < 30 {
		t.Errorf("the course has only %d questions", questions)
	}
}

// TestNoDecisionComesBeforeItsQuestion looks at each sync of the course that a question interrupts, from its start to the question: no
// pane shows yet what the sync decides.
func TestNoDecisionComesBeforeItsQuestion(t *testing.T) {
	plain, err := theme.New("default", "auto")
	if err != nil {
		t.Fatal(err)
	}
	interrupted := 0
	for _, name := range library.Course {
		rec, err := recordings.Open(t.Context(), picker.Entry{Name: name, File: name}, opener.News{})
		if err != nil {
			t.Fatal(err)
		}
		v := newViewer(rec)
		for _, start := range rec.Starts() {
			verdict, asked := interruption(v, start)
			if asked == 0 {
				continue
			}
			interrupted++
			// An earlier sync may have decided the same.
			before := shown(v, start-1, verdict, plain)
			for seq := start; seq < asked; seq++ {
				for i, n := range shown(v, seq, verdict, plain) {
					if n > before[i] {
						t.Errorf("%s, record %d: %T shows before the question %q: %s",
							name, seq, allPanes()[i], rec.Record(asked).Ask.Question, verdict)
					}
				}
			}
		}
	}
	if interrupted < 5 {
		t.Errorf("questions interrupt only %d explained syncs", interrupted)
	}
}

// TestNothingIsForeseenBeyondAQuestion looks at each question of the course, and at the records since the one before: no pane names a
// time that lies behind the question. When the lease of a leader expires is the answer to the question who leads next, and when.
func TestNothingIsForeseenBeyondAQuestion(t *testing.T) {
	plain, err := theme.New("default", "auto")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range library.Course {
		rec, err := recordings.Open(t.Context(), picker.Entry{Name: name, File: name}, opener.News{})
		if err != nil {
			t.Fatal(err)
		}
		v, from, told := newViewer(rec), int64(1), map[string]bool{}
		for _, asked := range rec.Marks().Notes {
			ask := rec.Record(asked).Ask
			if ask == nil {
				continue
			}
			for _, seq := range sampled(rec.Marks().Story, from, asked) {
				v.move(seq)
				for _, p := range allPanes() {
					for _, line := range drawn(p, v, plain) {
						// Lines name times in milliseconds.
						if due := foreseen(line, rec.At(seq)); due > rec.At(asked)+time.Millisecond && !told[line] {
							told[line] = true
							t.Errorf("%s, record %d: %T says what is due at %s, before the question %q at %s:\n%s",
								name, seq, p, trace.Seconds(due), ask.Question, trace.Seconds(rec.At(asked)), line)
						}
					}
				}
			}
			v.Answers[ask.Step], from = "", asked
		}
	}
}

// onScreen are the questions whose right choice has its words on the screen, which does not answer them, with the reason.
var onScreen = map[string]string{
	"reconcile-loop 2":        "keys are in queues all the time; what a sync is told besides is the question",
	"reconcile-loop 3":        "it has created Pods before; whether it ever deletes one is the question",
	"create 1":                "all controllers are on the screen; which one creates the Pods is the question",
	"rollover 1":              "other Pods are deleted before",
	"device-claim 3":          "all controllers are on the screen, and so is what somebody deletes",
	"statefulset-order 2":     "db-2 has been created with version 1; which Pods get version 2 is the question",
	"preemption 1":            "the batch has been created; what happens to its Pod is the question",
	"volume-binding 3":        "another claim is Pending; what happens to this one is the question",
	"volume-binding 1":        "it is the volume that was Pending",
	"namespace-terminating 3": "it is a sync that does nothing; what somebody has to do is the question",
}

// TestNoScreenAnswersAQuestion looks for the answer of each question on the screens on which it is asked: no line has the words that
// distinguish the right choice. Numbers, of which screens are full, are no such words.
func TestNoScreenAnswersAQuestion(t *testing.T) {
	plain, err := theme.New("default", "auto")
	if err != nil {
		t.Fatal(err)
	}
	all, err := questions.OfCourse()
	if err != nil {
		t.Fatal(err)
	}
	// What has happened, and what has been said, is in the lines of the trace; docs has a test of what is said.
	digits, recorded := regexp.MustCompile(`^[0-9]+$`), regexp.MustCompile(`^[│▸ ]*[0-9]+\.[0-9]{3}s `)
	for _, name := range library.Course {
		rec, err := recordings.Open(t.Context(), picker.Entry{Name: name, File: name}, opener.News{})
		if err != nil {
			t.Fatal(err)
		}
		v, number := newViewer(rec), 0
		for _, asked := range rec.Marks().Notes {
			if rec.Record(asked).Ask == nil {
				continue
			}
			number++
			q := all[slices.IndexFunc(all, func(q questions.Asked) bool { return q.Lesson == name && q.Number == number })]
			if words := q.Distinctive(q.Answer); !slices.ContainsFunc(words, func(word string) bool { return !digits.MatchString(word) }) {
				continue
			}
			v.move(asked)
			found, id := "", fmt.Sprintf("%s %d", name, number)
			for _, p := range allPanes() {
				for _, line := range drawn(p, v, plain) {
					if !recorded.MatchString(line) && q.Tells(line) {
						found = line
					}
				}
			}
			switch reason := onScreen[id]; {
			case found != "" && reason == "":
				t.Errorf("%s: %q is answered by the screen: %q has words of %q: %q", id, q.Question, found, q.Answer, q.Distinctive(q.Answer))
			case found == "" && reason != "":
				t.Errorf("%s is no exception any more", id)
			}
		}
	}
}

// sampled are some of the records between two: the last ones, and here and there one before.
func sampled(story []int64, from, to int64) (some []int64) {
	const last, each = 3, 24
	between := story[:0:0]
	for seq := from; seq != 0 && seq <= to; seq = recording.Next(story, seq) {
		between = append(between, seq)
	}
	for i, seq := range between {
		if i%each == 0 || i >= len(between)-last {
			some = append(some, seq)
		}
	}
	return some
}

// shown says how often each of allPanes has some words at a record.
func shown(v *viewer, seq int64, words string, t *theme.Theme) (times []int) {
	v.move(seq)
	for _, p := range allPanes() {
		text := strings.Join(strings.Fields(strings.Join(drawn(p, v, t), " ")), " ")
		times = append(times, strings.Count(text, words))
	}
	return times
}

// allPanes are those of all views, each once.
func allPanes() []pane.Pane { return panesOf(views.All) }

// panesOf are the panes of some views, each once.
func panesOf(some []*views.View) (all []pane.Pane) {
	for _, view := range some {
		for _, p := range append(append([]pane.Pane{view.Main}, view.Wide.Beside...), view.Narrow.Below...) {
			if !slices.Contains(all, p) {
				all = append(all, p)
			}
		}
	}
	return all
}

// dues are the ways to name a time that comes: "expires at 24.059s", "default/web again in 3.5 s", and in the queues "default/web in 3 s".
var dues = regexp.MustCompile(`((?:\bat)|(?:\bagain|\barrives|\bends|\bexpires|\bdue|/[a-z0-9…-]+) in) ([0-9.]+) ?(ms|s|min|h)\b`)

// foreseen is the latest time that a line names.
func foreseen(line string, now time.Duration) (due time.Duration) {
	for _, match := range dues.FindAllStringSubmatch(line, -1) {
		after, err := time.ParseDuration(match[2] + strings.TrimSuffix(match[3], "in"))
		if err != nil {
			continue
		}
		if match[1] != "at" {
			after += now
		}
		due = max(due, after)
	}
	return due
}

// interruption is what a sync decides, and the question that is asked before it ends; 0 for none.
func interruption(v *viewer, start int64) (verdict string, asked int64) {
	notes := v.Rec.Marks().Notes
	for seq := recording.Next(notes, start); seq != 0 && seq < v.Rec.SyncEnd(start); seq = recording.Next(notes, seq) {
		if e := v.Scenes.History.Explained(start); v.Rec.Record(seq).Ask != nil && e != nil && len(v.Rec.Sync(start).Requests) > 0 {
			return e.Verdict, seq
		}
	}
	return "", 0
}

// until is a recording that ends with a record.
func until(t *testing.T, rec *recording.Recording, seq int64) *recording.Recording {
	t.Helper()
	b := recording.NewBuilder()
	for record := range rec.All() {
		if record.Seq > seq {
			break
		}
		if err := b.Add(record); err != nil {
			t.Fatal(err)
		}
	}
	return b.Done(rec.Origin, "")
}

// drawn are the lines of a pane; none if it is not available.
func drawn(p pane.Pane, v *viewer, t *theme.Theme) []string {
	if pane.Missing(p, v.Moment) != "" {
		return nil
	}
	m := v.Moment
	m.Selected = v.Rec.ObjectsAt(v.Seq)[0]
	lines := p.Render(m, pane.Canvas{Theme: t, Width: 120, Height: 200})
	for i := range lines {
		lines[i] = strings.TrimSpace(ansi.Strip(lines[i]))
	}
	return lines
}
