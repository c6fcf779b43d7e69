package perturb

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// Judge adds to the report of a run with a fault what no check has found: that it ends otherwise than without. ignored are
// beginnings of what may differ, such as secrets/ or jobs.batch/backup.
func Judge(report *child.Report, ignored []string) *child.Report {
	if report.Result != runner.Pass || report.Comparison == nil {
		return report
	}
	var ends []string
	for i, name := range report.Comparison.EndNames {
		if !slices.ContainsFunc(ignored, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
			ends = append(ends, report.Comparison.Ends[i])
		}
	}
	if len(ends) == 0 {
		return report
	}
	judged := *report
	message := ends[0]
	if len(ends) > 1 {
		message += fmt.Sprintf(" (and %d more)", len(ends)-1)
	}
	judged.Result, judged.End = runner.Fail, runner.Fail+" "+strings.Join(report.Comparison.Kinds, " ")
	judged.Failures = append(slices.Clone(report.Failures), child.Failure{Name: child.SameEnd, At: report.Settled, Message: message})
	return &judged
}

// Finding is one thing that is wrong, and all plans that show it.
type Finding struct {
	// Name is the check, invariant or verdict that failed, and Message what it says of the first plan.
	Name, Message string
	Plans         []Plan
	// Report is that of the first plan.
	Report *child.Report
}

// Findings groups what failed: plans of all patterns belong together if the same is wrong in the same words.
type Findings struct {
	// Runs counts the runs, and Failed those that failed.
	Runs, Failed int
	All          []*Finding

	known map[string]*Finding
}

// Add takes the judged report of the run of a plan. Add the plans in their order: a finding begins with its first plan.
func (f *Findings) Add(plan Plan, report *child.Report) {
	f.Runs++
	if report.Result == runner.Pass {
		return
	}
	f.Failed++
	finding := &Finding{Name: report.Result, Report: report}
	if report.Stuck != "" {
		finding.Message = report.Stuck
	} else if len(report.Failures) > 0 {
		finding.Name, finding.Message = report.Failures[0].Name, report.Failures[0].Message
	}
	key := report.Result + "|" + report.End + "|" + finding.Name + "|" + child.Words(finding.Message)
	if known := f.known[key]; known != nil {
		known.Plans = append(known.Plans, plan)
		return
	}
	if f.known == nil {
		f.known = map[string]*Finding{}
	}
	finding.Plans = []Plan{plan}
	f.known[key], f.All = finding, append(f.All, finding)
}
