package bisect

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/kubestep/kubestep/scenarios/explore/builds"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/trace"
)

// Verdict is the result of the scenario with one version.
type Verdict struct {
	Version string `json:"version"`
	// Result is pass or fail; error if this version cannot run the scenario.
	Result string `json:"result"`
	Reason string `json:"reason,omitempty"`
}

// Since is a version in which the result is not that of the version before.
type Since struct {
	Version string `json:"version"`
	Result  string `json:"result"`
	// Before is the last version with another result.
	Before string `json:"before"`
}

// Report is the result with all versions. Its JSON form is for programs.
type Report struct {
	Scenario string    `json:"scenario"`
	Check    string    `json:"check,omitempty"`
	Versions []Verdict `json:"versions"`
	Since    []Since   `json:"since,omitempty"`
	// NotBuilt are the minor versions of the range without a build.
	NotBuilt []string `json:"notBuilt,omitempty"`
}

// conclude finds the versions in which the result changes. Versions that cannot run the scenario tell nothing.
func (r *Report) conclude() {
	var last *Verdict
	for i := range r.Versions {
		v := &r.Versions[i]
		if v.Result == runner.Fault {
			continue
		}
		if last != nil && last.Result != v.Result {
			r.Since = append(r.Since, Since{v.Version, v.Result, last.Version})
		}
		last = v
	}
}

// count is how many versions have a result.
func (r *Report) count(result string) (n int) {
	for _, v := range r.Versions {
		if v.Result == result {
			n++
		}
	}
	return n
}

// verdict judges the run with one version: by a check, or by all.
func verdict(build *builds.Build, outcome *runner.Outcome, check string) Verdict {
	v := Verdict{Version: build.Version.String(), Result: outcome.Result, Reason: outcome.Error}
	if check != "" {
		v.Result, v.Reason = runner.Fail, "not decided"
	}
	for _, c := range outcome.Checks {
		switch {
		case check == "" && c.Result == runner.Fail && v.Reason == "":
			v.Reason = c.Name + ": " + c.Message
		case check != "" && c.Name == check:
			v.Result, v.Reason = c.Result, ""
			if c.Result == runner.Fail {
				v.Reason = c.Message
			}
		}
	}
	return v
}

// reasonLength is how much of a reason the text has; -o json has all.
const reasonLength = 120

// Print writes the report as text.
func (r *Report) Print(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "KUBERNETES\tRESULT\tREASON")
	for _, v := range r.Versions {
		reason, _, _ := strings.Cut(v.Reason, "\n")
		if runes := []rune(reason); len(runes) > reasonLength {
			reason = string(runes[:reasonLength]) + "..."
		}
		fmt.Fprintln(w, strings.TrimRight(v.Version+"\t"+v.Result+"\t"+reason, "\t"))
	}
	_ = w.Flush()
	fmt.Fprintln(out)
	what := r.Scenario
	if r.Check != "" {
		what += ", check " + r.Check
	}
	for _, since := range r.Since {
		word := "passes"
		if since.Result == runner.Fail {
			word = "fails"
		}
		fmt.Fprintf(out, "%s: %s since %s; %s is the last version before\n", what, word, since.Version, since.Before)
	}
	passed, failed := r.count(runner.Pass), r.count(runner.Fail)
	switch {
	case len(r.Since) > 0:
	case passed > 0:
		fmt.Fprintf(out, "%s: passes with %s\n", what, trace.Count(passed, "version"))
	case failed > 0:
		fmt.Fprintf(out, "%s: fails with %s\n", what, trace.Count(failed, "version"))
	}
	if faults := r.count(runner.Fault); faults > 0 {
		fmt.Fprintf(out, "%s cannot run it: -o json has the whole reason\n", trace.Count(faults, "version"))
	}
	if len(r.NotBuilt) > 0 {
		fmt.Fprintf(out, "Not built: %s (%s)\n", strings.Join(r.NotBuilt, ", "), howToBuild(r.NotBuilt))
	}
}

// howToBuild is about the first one that can be built.
func howToBuild(notBuilt []string) string {
	for _, version := range notBuilt {
		if builds.IsBuildable(version) {
			return builds.HowToBuild(version)
		}
	}
	return builds.HowToBuild(notBuilt[0])
}
