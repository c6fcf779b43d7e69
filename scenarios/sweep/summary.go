package sweep

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/child"
	"github.com/kubestep/kubestep/scenarios/format"
	"github.com/kubestep/kubestep/sim/trace"
)

// Summary is what there is to report of a sweep.
type Summary struct {
	*Results
	// Ran is how many seeds ran now, and Left how many did not.
	Ran, Left int
	Elapsed   time.Duration
	// Untrusted runs were made with --untrusted.
	Untrusted bool
}

// verdicts counts the runs by how they ended.
func (s *Summary) verdicts() map[string]int {
	verdicts := map[string]int{}
	for _, result := range s.BySeed {
		verdicts[result.Result]++
	}
	return verdicts
}

// JSON writes the summary for programs.
func (s *Summary) JSON(out io.Writer) error {
	groups, outliers := s.Groups(), s.Outliers()
	if groups == nil {
		groups = []*Group{}
	}
	if outliers == nil {
		outliers = []*Outlier{}
	}
	data, err := json.Marshal(map[string]any{
		"scenario": s.Header.Name, "scenarioHash": s.Header.Hash, "kubernetesVersion": s.Header.Kubernetes,
		"seeds": len(s.BySeed), "passed": len(s.BySeed) - s.Failing, "failed": s.Failing, "left": s.Left,
		"ran": s.Ran, "wallSeconds": s.Elapsed.Seconds(), "groups": groups, "differing": s.Differing,
		"spaces": s.Header.Spaces, "verdicts": s.verdicts(), "outliers": outliers, "confirmed": s.Confirmed, "unrepeated": s.Unrepeated(),
	})
	if err == nil {
		_, err = fmt.Fprintf(out, "%s\n", data)
	}
	return err
}

// Failed reports whether a seed did not pass, or had another trace in a new process.
func (s *Summary) Failed() bool { return s.Failing > 0 || len(s.Unrepeated()) > 0 }

// Text writes the summary for people: the groups, the outliers, and a line that counts the seeds.
func (s *Summary) Text(out io.Writer) {
	groups := s.Groups()
	for n, group := range groups {
		printGroup(out, s, n+1, group)
	}
	printOutliers(out, s)
	for _, seed := range s.Differing {
		fmt.Fprintf(out, "seed %d ran in two shards with different traces\n", seed)
	}
	unrepeated := s.Unrepeated()
	printUnrepeated(out, s, unrepeated)
	result := "pass"
	if s.Failed() {
		result = "fail"
	}
	fmt.Fprintf(out, "%s  %s  seeds %s  passed %d  failed %d", result, s.Header.Name, Ranges(s.AllSeeds()),
		len(s.BySeed)-s.Failing, s.Failing)
	if verdicts := s.verdicts(); verdicts[child.Stuck]+verdicts[child.Late] > 0 {
		fmt.Fprintf(out, " (stuck %d, late %d)", verdicts[child.Stuck], verdicts[child.Late])
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
	if before := len(s.BySeed) - s.Ran; s.Elapsed > 0 && before > 0 {
		fmt.Fprintf(out, "  before %d", before)
	}
	if s.Ran > 0 {
		fmt.Fprintf(out, "  wall %.1fs  %.1f per second", s.Elapsed.Seconds(), float64(s.Ran)/s.Elapsed.Seconds())
	}
	fmt.Fprintln(out)
}

// printUnrepeated tells of the seeds that passed, and had another trace in a fresh process.
func printUnrepeated(out io.Writer, s *Summary, seeds []int64) {
	if len(seeds) == 0 {
		return
	}
	first := s.BySeed[seeds[0]]
	fmt.Fprintf(out, "NOT REPEATED: %s passed, but with another trace in a new process: %s\n",
		trace.Count(len(seeds), "seed"), seedList(seeds))
	fmt.Fprintf(out, "   seed %d in a new process: %s\n", first.Seed, first.Unconfirmed)
	if len(first.OpenOrder) > 0 {
		fmt.Fprintf(out, "   Go decides the order of %s: see %sexplanation/determinism.md\n",
			strings.Join(first.OpenOrder, ", "), format.Documentation)
	}
	fmt.Fprintln(out)
}

// seedList lists seeds, if they are many only the first of them.
func seedList(seeds []int64) string {
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
