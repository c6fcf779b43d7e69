package orders

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/explore/sweep"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/trace"
)

// Summary is what there is to report of a search.
type Summary struct {
	*Found
	Results *sweep.Results
	// Untrusted runs were made with --untrusted.
	Untrusted bool
	// Limits are the flags that bounded the runs, by the reason of the halt of a run that exceeds one.
	Limits  map[trace.HaltReason]string
	Seed    int64
	Elapsed time.Duration
}

// Statement says whether the enumeration is complete, and what it has found.
func (s *Summary) Statement() string {
	counts := fmt.Sprintf("%s, %s", counted(len(s.States), "state"), counted(s.Choices, "choice"))
	failures := "no failure"
	if n := s.Results.Failing; n > 0 {
		failures = counted(n, "failing run") + " in " + counted(len(s.Results.Groups()), "group")
	}
	if s.Alike > 0 {
		failures += ", " + trace.Count(s.Alike, "run") + " confirmed to continue as an earlier one from an equal state"
	}
	switch {
	case s.Left > 0:
		return fmt.Sprintf("stopped at the budget: %d%% of the choices known so far within the bound of %d, %s, %s",
			100*s.Choices/(s.Choices+s.Left), s.Bound, counts, failures)
	case len(s.Unlike) > 0:
		return fmt.Sprintf("not complete: %s continued in another way than an earlier one from an equal state; %s, %s",
			counted(len(s.Unlike), "run"), counts, failures)
	case s.Beyond > 0:
		return fmt.Sprintf("complete within the bound of %d: %s, %s; the bound leaves out %s",
			s.Bound, counts, failures, counted(s.Beyond, "further choice"))
	}
	return fmt.Sprintf("complete: %s, %s", counts, failures)
}

// Text writes the summary for people.
func (s *Summary) Text(out io.Writer) {
	header := s.Results.Header
	for i, g := range s.Results.Groups() {
		fmt.Fprintf(out, "%d. %s, %s\n   %s\n   show it: %s\n", i+1, sweep.Headline(g), counted(len(g.Seeds), "run"), g.Message, s.Show(g))
		if why := s.Why(g); why != "" {
			fmt.Fprintf(out, "   why: %s\n", why)
		}
		if shrink := s.Shrink(g); shrink != "" {
			fmt.Fprintf(out, "   shrink it: %s\n", shrink)
		}
		for _, number := range g.Seeds[1:min(len(g.Seeds), 4)] {
			fmt.Fprintf(out, "   also: --choices %s\n", ListText(s.Lists[number]))
		}
		fmt.Fprintln(out)
	}
	for _, u := range s.Unlike[:min(len(s.Unlike), 3)] {
		fmt.Fprintf(out, "before choice %d, --choices %s is in the same state as --choices %s, and continues in another way\n",
			u.Choice, ListText(u.List), ListText(u.Earlier))
	}
	fmt.Fprintf(out, "orders  %s  seed %d  bound %d  runs %d  longest path %d  cpu %.1fs  wall %.1fs\n",
		header.Name, s.Seed, s.Bound, s.Runs, s.Longest, s.Spent.Seconds(), s.Elapsed.Seconds())
	fmt.Fprintln(out, s.Statement())
}

// Show is the command that shows the first run of a group.
func (s *Summary) Show(g *sweep.Group) string {
	untrusted := ""
	if s.Untrusted {
		untrusted = "--untrusted "
	}
	return "kubestep run " + untrusted + s.arguments(g) + g.Limit(s.Limits)
}

// arguments are those of a command about the first run of a group.
func (s *Summary) arguments(g *sweep.Group) string {
	return fmt.Sprintf("%s --seed %d --choices %s", s.Results.Header.File, s.Seed, ListText(s.Lists[g.Smallest]))
}

// Why is the command that says why objects are not as wanted at the end of the first run of a group.
func (s *Summary) Why(g *sweep.Group) string { return s.about(g, "kubestep why ", "") }

// Shrink is the command that makes the scenario of the first run of a group smaller.
func (s *Summary) Shrink(g *sweep.Group) string {
	return s.about(g, "kubestep shrink ", " --out small.yaml")
}

// about is a command about the first run of a group. It is empty for scenarios that only run and explore keep from the machine, and where
// there is no end to ask about.
func (s *Summary) about(g *sweep.Group, command, rest string) string {
	if s.Untrusted || g.Verdict == runner.Fault {
		return ""
	}
	return command + s.arguments(g) + rest
}

// ListText writes choices as the flag has them.
func ListText(choices []int) string {
	if len(choices) == 0 {
		return "0"
	}
	words := make([]string, len(choices))
	for i, choice := range choices {
		words[i] = strconv.Itoa(choice)
	}
	return strings.Join(words, ",")
}

// counted is 1,310 choices.
func counted(n int, noun string) string {
	digits := strconv.Itoa(n)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits + strings.TrimPrefix(trace.Count(n, noun), strconv.Itoa(n))
}

// group is a group of runs for programs.
type group struct {
	Verdict string  `json:"verdict"`
	Check   string  `json:"check"`
	Message string  `json:"message"`
	Choices [][]int `json:"choices"`
	Show    string  `json:"show"`
	Why     string  `json:"why,omitempty"`
	Shrink  string  `json:"shrink,omitempty"`
}

// JSON writes the summary for programs.
func (s *Summary) JSON(out io.Writer) error {
	groups := []group{}
	for _, g := range s.Results.Groups() {
		one := group{Verdict: g.Verdict, Check: g.Check, Message: g.Message, Show: s.Show(g), Why: s.Why(g), Shrink: s.Shrink(g)}
		for _, number := range g.Seeds {
			one.Choices = append(one.Choices, append([]int{}, s.Lists[number]...))
		}
		groups = append(groups, one)
	}
	data, err := json.Marshal(map[string]any{
		"scenario": s.Results.Header.Name, "scenarioHash": s.Results.Header.Hash, "kubernetesVersion": s.Results.Header.Kubernetes,
		"seed": s.Seed, "bound": s.Bound, "states": len(s.States), "choices": s.Found.Choices, "runs": s.Runs, "longest": s.Longest,
		"complete": s.Complete(), "beyond": s.Beyond, "left": s.Left, "alike": s.Alike, "unlike": len(s.Unlike),
		"failed": s.Results.Failing, "groups": groups,
		"cpuSeconds": s.Spent.Seconds(), "wallSeconds": s.Elapsed.Round(time.Millisecond).Seconds(),
	})
	if err == nil {
		_, err = fmt.Fprintf(out, "%s\n", data)
	}
	return err
}

// Failed reports whether a run failed, or continued in another way than an earlier one from an equal state.
func (s *Summary) Failed() bool { return s.Results.Failing > 0 || len(s.Unlike) > 0 }
