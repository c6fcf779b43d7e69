package law

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
)

// Summary is what is known of the times of a scenario.
type Summary struct {
	// Name and File are those of the scenario, and Seed is that of the runs.
	Name, File string
	Seed       int64
	Findings   []*Finding
	// Runs counts the runs with another time, and Spent is the processor time of all runs.
	Runs    int
	Spent   time.Duration
	Elapsed time.Duration
}

// Count counts the times with a verdict.
func (s *Summary) Count(verdict string) (count int) {
	for _, f := range s.Findings {
		if f.Verdict == verdict {
			count++
		}
	}
	return count
}

// order is that of the verdicts in a summary, and what it says of so many times.
var order = []struct{ verdict, one, more string }{
	{Broken, "is broken", "are broken"}, {Repeats, "is waited for repeatedly", "are waited for repeatedly"},
	{Decides, "decides", "decide"}, {Holds, "holds", "hold"}, {Idle, "moves nothing", "move nothing"},
	{Undecided, "is undecided", "are undecided"},
}

// Text writes the summary for people.
func (s *Summary) Text(out io.Writer) {
	for _, f := range s.Findings {
		fmt.Fprintf(out, "%s %s  %s\n", strings.ToUpper(f.Verdict), f.Time.String(), f.lengths())
		if f.Verdict != Idle {
			fmt.Fprintf(out, "   %s\n", f.Sentence)
		}
		for _, try := range f.Tries {
			if text := try.text(f.Value); text != "" {
				fmt.Fprintf(out, "   with %s: %s\n", Seconds(try.Length), text)
			}
		}
		fmt.Fprintln(out)
	}
	fmt.Fprintf(out, "laws  %s  seed %d  %s, %s", s.Name, s.Seed, trace.Count(len(s.Findings), "time"), trace.Count(s.Runs, "run"))
	separator := ": "
	for _, o := range order {
		if n := s.Count(o.verdict); n > 0 {
			text := o.more
			if n == 1 {
				text = o.one
			}
			fmt.Fprintf(out, "%s%d %s", separator, n, text)
			separator = ", "
		}
	}
	if s.Runs > 0 {
		fmt.Fprintf(out, "  cpu %.1fs  wall %.1fs", s.Spent.Seconds(), s.Elapsed.Seconds())
	}
	fmt.Fprintln(out)
}

// lengths says how long the time is.
func (f *Finding) lengths() string {
	if f.Default {
		return Seconds(f.Value) + " by default"
	}
	return Seconds(f.Value)
}

// text says what a run with another length did.
func (t *Try) text(before time.Duration) string {
	seeds := ""
	if t.Seeds > 1 {
		seeds = fmt.Sprintf(", with each of %d seeds", t.Seeds)
	}
	switch {
	case t.Message != "":
		return t.Verdict + ": " + t.Message
	case t.Verdict == Decides && len(t.Ends) > 0:
		return "it ends otherwise, " + ends(t.Ends)
	case t.Verdict == Decides:
		return "it takes another course"
	case len(t.Ends) > 0:
		return "it ends otherwise" + seeds + ", " + ends(t.Ends)
	case t.Move == nil:
		return ""
	}
	was, is := t.moved(before)
	text := fmt.Sprintf("%s changes for the last time at %s, and not at %s",
		trace.ObjectName(t.Move.Object), trace.Seconds(is), trace.Seconds(was))
	if t.Verdict == Broken && t.Move.Times == 0 {
		return text + ", which is the wrong direction" + seeds
	}
	if t.Move.Times > 1 {
		text += fmt.Sprintf(": %d times the difference, and %s can wait one after another%s",
			t.Move.Times, trace.Count(t.Waiting, "object"), seeds)
	}
	return text
}

// moved is when the object changes for the last time with the time of the scenario, and with the other one.
func (t *Try) moved(scenario time.Duration) (before, after time.Duration) {
	if t.Length > scenario {
		return t.Move.Short, t.Move.Long
	}
	return t.Move.Long, t.Move.Short
}

// ends is the first of the objects that end otherwise, and how many more there are.
func ends(all []string) string {
	text := all[0]
	if more := len(all) - 1; more > 0 {
		text += " (and " + trace.Count(more, "object") + " more)"
	}
	return text
}

// timeJSON is what is known of a time, for programs.
type timeJSON struct {
	Object    string    `json:"object"`
	Namespace string    `json:"namespace,omitempty"`
	Path      string    `json:"path"`
	Seconds   float64   `json:"seconds"`
	Default   bool      `json:"default,omitempty"`
	Sentence  string    `json:"sentence"`
	Verdict   string    `json:"verdict"`
	Tries     []tryJSON `json:"tries"`
}

// tryJSON is a run with another length of a time. Before and After are when the object changes for the last time, with the time of the
// scenario and with the other one.
type tryJSON struct {
	Seconds float64  `json:"seconds"`
	Verdict string   `json:"verdict"`
	Message string   `json:"message,omitempty"`
	Object  string   `json:"object,omitempty"`
	Before  float64  `json:"beforeSeconds,omitempty"`
	After   float64  `json:"afterSeconds,omitempty"`
	Times   int      `json:"times,omitempty"`
	Waiting int      `json:"waiting,omitempty"`
	Seeds   int      `json:"seeds,omitempty"`
	Ends    []string `json:"ends,omitempty"`
}

// forPrograms is a finding for programs.
func (f *Finding) forPrograms() timeJSON {
	out := timeJSON{
		Object: f.Object, Namespace: f.Namespace, Path: f.Path, Seconds: f.Value.Seconds(), Default: f.Default, Sentence: f.Sentence,
		Verdict: f.Verdict,
	}
	for _, try := range f.Tries {
		t := tryJSON{
			Seconds: try.Length.Seconds(), Verdict: try.Verdict, Message: try.Message, Waiting: try.Waiting, Seeds: try.Seeds,
			Ends: try.Ends,
		}
		if try.Move != nil {
			before, after := try.moved(f.Value)
			t.Object, t.Times, t.Before, t.After = trace.ObjectName(try.Move.Object), try.Move.Times, before.Seconds(), after.Seconds()
		}
		out.Tries = append(out.Tries, t)
	}
	return out
}

// Failed reports whether a law is broken.
func (s *Summary) Failed() bool { return s.Count(Broken) > 0 }

// JSON writes the summary for programs.
func (s *Summary) JSON(out io.Writer) error {
	times, verdicts := []timeJSON{}, map[string]int{}
	for _, f := range s.Findings {
		times = append(times, f.forPrograms())
	}
	for _, o := range order {
		verdicts[o.verdict] = s.Count(o.verdict)
	}
	data, err := json.Marshal(map[string]any{
		"scenario": s.Name, "seed": s.Seed, "times": times, "runs": s.Runs, "verdicts": verdicts,
		"cpuSeconds": s.Spent.Seconds(), "wallSeconds": s.Elapsed.Round(time.Millisecond).Seconds(),
	})
	if err == nil {
		_, err = fmt.Fprintf(out, "%s\n", data)
	}
	return err
}
