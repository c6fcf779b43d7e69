package page_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/verdict/invariant"
	"github.com/kubestep/kubestep/scenarios/web/page"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/command/commandtest"
)

func TestMain(m *testing.M) { commandtest.Main(m) }

// lessonOf is the page of a scenario.
func lessonOf(t *testing.T, file string) *page.Lesson {
	t.Helper()
	rec, err := child.Run{File: file}.Record(t.Context(), recording.Origin{Name: file, Title: file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	lesson, err := page.New(rec)
	if err != nil {
		t.Fatal(err)
	}
	return lesson
}

// written is the page as a file.
func written(t *testing.T, lesson *page.Lesson) string {
	t.Helper()
	var out strings.Builder
	if err := lesson.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// unpacked are the data of a page.
func unpacked(t *testing.T, text string) map[string]any {
	t.Helper()
	_, rest, found := strings.Cut(text, `id="lesson">`)
	data, _, closed := strings.Cut(rest, "</script>")
	if !found || !closed {
		t.Fatal("the page has no data")
	}
	packed, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	document, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	var lesson map[string]any
	if err := json.Unmarshal(document, &lesson); err != nil {
		t.Fatal(err)
	}
	return lesson
}

// prepared is the page of a scenario with the branches that it prepares.
func prepared(t *testing.T, name string) *page.Lesson {
	t.Helper()
	scenario, err := library.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	lesson := lessonOf(t, name)
	err = lesson.Prepare(scenario, func(branched *format.Scenario) (*recording.Recording, error) {
		text, err := branched.Encode()
		if err != nil {
			return nil, err
		}
		return child.Run{}.RecordText(t.Context(), text, recording.Origin{Name: name}, nil)
	})
	if err != nil {
		t.Fatal(err)
	}
	return lesson
}

// TestBranches runs the branches that lessons prepare: each is found at a thing of the stage, differs from the run of the lesson, and says
// what one learns.
func TestBranches(t *testing.T) {
	files, err := library.Files()
	if err != nil {
		t.Fatal(err)
	}
	lessons := 0
	for _, file := range files {
		scenario, err := library.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		if len(scenario.Spec.Branches) == 0 {
			continue
		}
		lessons++
		lesson := prepared(t, file)
		for _, b := range lesson.Branches {
			switch {
			case len(b.Of) == 0:
				t.Errorf("%s, %s: nothing on the stage offers it", file, b.Title)
			case b.Was == nil && b.Is == nil:
				t.Errorf("%s, %s: it changes nothing", file, b.Title)
			case b.About == "":
				t.Errorf("%s, %s: it says not what one learns", file, b.Title)
			case b.Run.Beats[0].At > b.At || len(b.Run.Beats) < 2:
				t.Errorf("%s, %s: its %d beats begin at %vs", file, b.Title, len(b.Run.Beats), b.Run.Beats[0].At)
			}
		}
	}
	if lessons < 5 {
		t.Errorf("%d lessons prepare branches", lessons)
	}
}

// TestTheEndOfABranch reads what differs at the end: a controller manager that has crashed leaves all Pods, and a status that is old.
func TestTheEndOfABranch(t *testing.T) {
	got, err := json.Marshal(prepared(t, "rolling-update").Branches[0].End)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`{"what":"Deployment web","was":"10 wanted · 10 available","is":"10 wanted · 8 available"}`,
		`{"what":"Pods","was":"10 available","is":"13 available"}`,
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("the ends differ in\n%s\nwithout %s", got, want)
		}
	}
}

// TestSize holds that the page of a lesson can be sent by mail. The flagship's has about 245,000 bytes with its branches.
func TestSize(t *testing.T) {
	if size := len(written(t, prepared(t, "rolling-update"))); size > 300_000 {
		t.Errorf("the page of rolling-update has %d bytes", size)
	}
}

// TestDecisionsFollowTheirQuestions reads a lesson whose first question asks what the sync in progress decides. The page says it after
// the question, and not at the beat at which the sync begins.
func TestDecisionsFollowTheirQuestions(t *testing.T) {
	const decision = "it creates 3 Pods"
	asked, told := -1, -1
	for i, b := range lessonOf(t, "reconcile-loop").Beats {
		state, err := json.Marshal(b.State)
		if err != nil {
			t.Fatal(err)
		}
		if b.Ask != nil && asked < 0 {
			asked = i
		}
		if told < 0 && strings.Contains(string(state), decision) {
			told = i
		}
	}
	if asked < 0 || told < asked {
		t.Errorf("beat %d asks, and beat %d says %q", asked, told, decision)
	}
}

// TestOpenQuestionsConceal looks at what is to be seen while a question is open: neither bounds, nor arithmetic, nor decisions.
func TestOpenQuestionsConceal(t *testing.T) {
	asked := 0
	lesson := lessonOf(t, "rolling-update")
	for _, b := range lesson.Beats {
		if b.Ask == nil {
			continue
		}
		asked++
		if r, _ := b.Asked["rollout0"].(*scene.Rollout); r == nil || r.Limits != nil || len(r.Posts) != 1 {
			t.Errorf("while %q is open, the rollout is %+v", b.Ask.Question, r)
		}
		if i, changed := b.Asked["sum0"].(int); !changed || lesson.Sums[i].Hidden == "" || lesson.Sums[i].Verdict != "" {
			t.Errorf("while %q is open, the sum is %+v", b.Ask.Question, lesson.Sums[i])
		}
		if said := b.Asked["now0"]; said != "what the controller decides is part of the question" {
			t.Errorf("while %q is open, %q is said", b.Ask.Question, said)
		}
	}
	if asked == 0 {
		t.Error("the lesson has no question")
	}
}

// TestStatesAreWhole adds up what changes from beat to beat: the last state is that of a recording that is asked for the end alone.
func TestStatesAreWhole(t *testing.T) {
	data := unpacked(t, written(t, lessonOf(t, "create")))
	state, beats := map[string]any{}, data["beats"].([]any)
	for i, b := range beats {
		changed, _ := b.(map[string]any)["state"].(map[string]any)
		for name, part := range changed {
			state[name] = part
		}
		for name := range changed {
			for _, several := range []string{"queue", "cache", "object", "player", "thing", "machine"} {
				if strings.HasPrefix(name, several) {
					delete(changed, name)
				}
			}
		}
		if i == 0 && len(changed) != len(data["programs"].([]any))+4 {
			t.Errorf("the first beat has the parts %v", changed)
		}
	}
	web := state["rollout0"].(map[string]any)
	if web["available"] != 3.0 || web["pods"] != 3.0 || web["groups"].([]any)[0].(map[string]any)["pods"] != "aaa" {
		t.Errorf("at the end, the Deployment is %v", web)
	}
	if now, _ := state["now0"].(string); !strings.Contains(now, "the rollout is complete") {
		t.Errorf("at the end, %q is said of it", now)
	}
}

// hostile is a scenario whose texts try to leave their places in a page.
const hostile = `apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: hostile}
spec:
  title: "</title><script>document.title='owned'</script>{{.Data}}"
  about: "</script><script>document.title='owned'</script>"
  horizon: 5s
  steps:
  - note: "<img src=x onerror=\"document.title='owned'\"> \u202e \u001b[2J\n\n- **two <i>words</i>**\n- a field"
  - create: |
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: notes}
      data: {a: "</script><script>document.title='owned'</script>"}
  - ask: {question: "<b>bold</b>?", choices: ["<i>a</i>", b], for: quiet 1s, answer: b, that: "true"}
`

func hostilePage(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "hostile.yaml")
	if err := os.WriteFile(file, []byte(hostile), 0o600); err != nil {
		t.Fatal(err)
	}
	lesson := lessonOf(t, file)
	lesson.Title = "</title><script>document.title='owned'</script>{{.Data}}"
	lesson.About = "</script><script>document.title='owned'</script>"
	return written(t, lesson)
}

// TestTextsStayTexts writes a page of a hostile scenario: it has the two elements with a script that every page has, and no hidden
// character.
func TestTextsStayTexts(t *testing.T) {
	text := hostilePage(t)
	if n := strings.Count(text, "<script"); n != 2 {
		t.Errorf("the page has %d scripts", n)
	}
	if strings.ContainsAny(text, "\u202e\x1b") {
		t.Error("the page has hidden characters")
	}
	note := unpacked(t, text)["beats"].([]any)[0].(map[string]any)["note"].(string)
	if !strings.Contains(note, `\u202e \x1b[2J`) {
		t.Errorf("the note is %q", note)
	}
}

// TestNothingIsForeseenBeyondAQuestion looks for times in the states before each question: none is later than the question, which may be
// about what happens then. The texts have milliseconds.
func TestNothingIsForeseenBeyondAQuestion(t *testing.T) {
	due := regexp.MustCompile(`(?:\b(?:again|expires|ends|arrives) |"(?:when|next)":")at ([0-9.]+s)`)
	for _, name := range []string{"leader-election", "back-off", "disruption-budget"} {
		lesson := lessonOf(t, name)
		from := 0
		for _, q := range lesson.Questions() {
			asked := time.Duration(lesson.Beats[q.Asked].At * float64(time.Second))
			for _, b := range lesson.Beats[from : q.Asked+1] {
				text, err := json.Marshal(b.State)
				if err != nil {
					t.Fatal(err)
				}
				for _, m := range due.FindAllSubmatch(text, -1) {
					if at, err := time.ParseDuration(string(m[1])); err != nil || at > asked.Round(time.Millisecond) {
						t.Errorf("%s, record %d: %q, before the question at %s", name, b.Seq, m[0], asked)
					}
				}
			}
			from = q.Asked + 1
		}
	}
}

// TestVerdict: a page has the verdict that the header of the terminal shows. A trace of JSON lines has none.
func TestVerdict(t *testing.T) {
	for _, test := range []struct{ result, failed, want string }{
		{runner.Pass, "", `{"word":"pass","passed":true}`},
		{runner.Fail, "ready", `{"word":"FAIL"}`},
		{runner.Fail, invariant.NotStuck, `{"word":"STUCK"}`},
		{runner.Fail, invariant.NoHotLoop, `{"word":"HOT"}`},
		{runner.Diverged, "", `{"word":"DIVERGED"}`},
		{"", "ready", "null"},
	} {
		builder := recording.NewBuilder()
		check := &trace.Check{Name: test.failed, Passed: test.failed == "", Message: "1 of 2"}
		if err := builder.Add(&trace.Record{Seq: 1, Kind: trace.KindCheck, Check: check}); err != nil {
			t.Fatal(err)
		}
		lesson, err := page.New(builder.Done(recording.Origin{Name: "web", Result: test.result}, ""))
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := json.Marshal(lesson.Verdict); string(got) != test.want {
			t.Errorf("%s %s: %s, want %s", test.result, test.failed, got, test.want)
		}
	}
}
