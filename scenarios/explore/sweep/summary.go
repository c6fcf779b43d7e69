package sweep

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/trace"
)

// Summary is what there is to report of a sweep.
type Summary struct {
	*Results
	// Missing are the seeds of merged results that did not run.
	Missing []Missing
	// Ran is how many seeds ran now, and Left how many did not.
	Ran, Left int
	Elapsed   time.Duration
	// Spent is the processor time of all processes; only a sweep over places needs it.
	Spent time.Duration
	// BudgetSpent means that the sweep over places ended at its budget.
	BudgetSpent bool
	// Classes say how far a sweep over places is; zero for others, and for merged results.
	Classes Classes
	// Pairs is the summary of the sweep over pairs that follows the one over places; nil if there is none.
	Pairs *Summary
	// places are the results at each place, if this is the summary of pairs: what goes wrong there, too, is not listed again.
	places *Results
	// Untrusted runs were made with --untrusted.
	Untrusted bool
	// Limits are the flags that bounded the runs, by the reason of the halt of a run that exceeds one.
	Limits map[trace.HaltReason]string
}

// verdicts counts the runs by how they ended.
func (s *Summary) verdicts() map[string]int {
	verdicts := map[string]int{}
	for seed := range s.seeds {
		verdicts[s.Verdict(seed)]++
	}
	return verdicts
}

// NoneBegan reports whether all runs ended before their futures began. If one had begun, its trace would name its seed.
func (s *Summary) NoneBegan() bool {
	if s.Header.Past.IsZero() || len(s.seeds) < 2 {
		return false
	}
	var first *Hash
	for _, run := range s.seeds {
		if first != nil && run.hash != *first {
			return false
		}
		first = &run.hash
	}
	return true
}

// MissingSeeds counts the seeds that did not run.
func (s *Summary) MissingSeeds() (n int64) {
	for _, missing := range s.Missing {
		n += missing.Seeds
	}
	return n
}

// JSON writes the summary for programs.
func (s *Summary) JSON(out io.Writer) error {
	if !s.Header.Every.IsZero() {
		return s.everyJSON(out)
	}
	groups, outliers := s.Groups(), s.Outliers()
	if groups == nil {
		groups = []*Group{}
	}
	if outliers == nil {
		outliers = []*Outlier{}
	}
	missing := s.Missing
	if missing == nil {
		missing = []Missing{}
	}
	data, err := json.Marshal(map[string]any{
		"scenario": s.Header.Name, "scenarioHash": s.Header.Hash, "kubernetesVersion": s.Header.Kubernetes,
		"seeds": s.Len(), "passed": s.Len() - s.Failing, "failed": s.Failing, "left": s.Left,
		"ran": s.Ran, "wallSeconds": s.Elapsed.Seconds(), "groups": groups, "differing": s.Differing,
		"spaces": s.Header.Spaces, "verdicts": s.verdicts(), "outliers": outliers, "confirmed": s.Confirmed, "unrepeated": s.Unrepeated(),
		"missing": missing, "noneBegan": s.NoneBegan(),
	})
	if err == nil {
		_, err = fmt.Fprintf(out, "%s\n", data)
	}
	return err
}

// Failed reports whether a seed did not pass, or had another trace in a new process.
func (s *Summary) Failed() bool {
	return s.Failing > 0 || len(s.Unrepeated()) > 0 || s.Pairs != nil && s.Pairs.Failed()
}

// Text writes the summary for people: the groups, the outliers, and a line that counts the seeds.
func (s *Summary) Text(out io.Writer) {
	groups := s.Groups()
	for n, group := range groups {
		printGroup(out, s, n+1, group)
	}
	if s.Header.Every.IsZero() {
		printOutliers(out, s)
	}
	for _, seed := range s.Differing {
		fmt.Fprintf(out, s.Header.Unit()+" %d ran in two shards with different traces\n", seed)
	}
	unrepeated := s.Unrepeated()
	printUnrepeated(out, s, unrepeated)
	printMissing(out, s)
	if s.NoneBegan() {
		fmt.Fprintf(out, "no future begins: all runs have the same trace, and end before --at %s\n", s.Header.Past.Until)
	}
	if !s.Header.Every.IsZero() {
		s.everyText(out, len(groups))
		if s.Pairs != nil {
			fmt.Fprintln(out)
			s.Pairs.Text(out)
		}
		return
	}
	result := "pass"
	switch {
	case s.Failed():
		result = "fail"
	case len(s.Missing) > 0:
		result = "incomplete"
	}
	fmt.Fprintf(out, "%s  %s  seeds %s  passed %d  failed %d", result, s.Header.Name, s.ran(), s.Len()-s.Failing, s.Failing)
	fmt.Fprint(out, countsOf(s.verdicts()))
	if len(s.Missing) > 0 {
		fmt.Fprintf(out, "  missing %d", s.MissingSeeds())
	}
	if len(groups) > 0 {
		fmt.Fprintf(out, "  groups %d", len(groups))
	}
	if s.Confirmed > 0 {
		fmt.Fprintf(out, "  confirmed %d", s.Confirmed)
	}
	if len(unrepeated) > 0 {
		fmt.Fprintf(out, "  not repeated %d", len(unrepeated))
	}
	if before := s.Len() - s.Ran; s.Elapsed > 0 && before > 0 {
		fmt.Fprintf(out, "  before %d", before)
	}
	if s.Ran > 0 {
		fmt.Fprintf(out, "  wall %.1fs  %.1f per second", s.Elapsed.Seconds(), float64(s.Ran)/s.Elapsed.Seconds())
	}
	fmt.Fprintln(out)
}

// countsOf counts the verdicts other than failed checks, if there are any. Few sweeps have hot runs.
func countsOf(verdicts map[string]int) string {
	stuck, hot, diverged, late := verdicts[runner.Stuck], verdicts[runner.Hot], verdicts[runner.Diverged], verdicts[runner.Late]
	switch {
	case hot > 0:
		return fmt.Sprintf(" (stuck %d, hot %d, diverged %d, late %d)", stuck, hot, diverged, late)
	case stuck+diverged+late > 0:
		return fmt.Sprintf(" (stuck %d, diverged %d, late %d)", stuck, diverged, late)
	}
	return ""
}

// printUnrepeated tells of the seeds that passed, and had another trace in a fresh process.
func printUnrepeated(out io.Writer, s *Summary, seeds []int64) {
	if len(seeds) == 0 {
		return
	}
	first := s.doubts[seeds[0]]
	fmt.Fprintf(out, "NOT REPEATED: %s passed, but with another trace in a new process: %s\n",
		trace.Count(len(seeds), s.Header.Unit()), s.Header.numbers(seeds))
	fmt.Fprintf(out, "   %s in a new process: %s\n", s.Header.number(seeds[0]), first.what)
	if len(first.openOrder) > 0 {
		fmt.Fprintf(out, "   Go decides the order of %s: see %sexplanation/determinism.md\n",
			strings.Join(first.openOrder, ", "), format.Documentation)
	}
	fmt.Fprintln(out)
}

// ran words the seeds that ran. If some did not, only their number is short.
func (s *Summary) ran() string {
	if len(s.Missing) == 0 {
		return Ranges(s.AllSeeds())
	}
	return fmt.Sprintf("%d of %d", s.Len(), s.Header.Plan.Count)
}

// shardsShown is how many shards with missing seeds are listed.
const shardsShown = 20

// printMissing lists the seeds that did not run.
func printMissing(out io.Writer, s *Summary) {
	if len(s.Missing) == 0 {
		return
	}
	fmt.Fprintf(out, "INCOMPLETE: %d of %s did not run\n", s.MissingSeeds(), trace.Count(s.Header.Plan.Count, s.Header.Unit()))
	for _, missing := range s.Missing[:min(len(s.Missing), shardsShown)] {
		ranges := strings.Join(missing.Ranges, ", ")
		if missing.More > 0 {
			ranges += " and " + trace.Count(missing.More, "range") + " more"
		}
		if missing.Shards == 1 {
			fmt.Fprintf(out, "   %s\n", ranges)
			continue
		}
		fmt.Fprintf(out, "   shard %d/%d: %d of its %s: %s\n",
			missing.Shard, missing.Shards, missing.Seeds, trace.Count(missing.Of, s.Header.Unit()), ranges)
	}
	if n := len(s.Missing) - shardsShown; n > 0 {
		fmt.Fprintf(out, "   and %s more\n", trace.Count(n, "shard"))
	}
	fmt.Fprintln(out)
}

// SeedList lists seeds, if they are many only the first of them.
func SeedList(seeds []int64) string {
	return Ranges(seeds[:min(len(seeds), seedsShown)]) + more(len(seeds)-seedsShown)
}

// seedsShown is how many seeds of a group are listed.
const seedsShown = 50

func more(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(" and %d more", n)
}
