package child

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubestep/kubestep/scenarios/reading/compare"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/verdict/invariant"
	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/trace"
)

// The names of failures that no check found.
const (
	SameEnd     = "same-end"
	NoHistory   = "no-history"
	LateFailure = "settles-in-time"
)

// Comparison is how a run differs from the run of the same seed without its faults.
type Comparison struct {
	// Settled is the time of the last change, and Without that of the other run.
	Settled time.Duration `json:"settled"`
	Without time.Duration `json:"without"`
	// Ends are the objects that ended in another state, and History what was created or deleted more or less often, each
	// in words. Kinds are the resources of Ends.
	Ends    []string `json:"ends,omitempty"`
	History []string `json:"history,omitempty"`
	Kinds   []string `json:"kinds,omitempty"`
	// EndNames and HistoryNames say what each of Ends and History is about, without how much it differs.
	EndNames     []string `json:"endNames,omitempty"`
	HistoryNames []string `json:"historyNames,omitempty"`
	// Excess counts the creations and deletions that only one of the runs made.
	Excess int `json:"excess,omitempty"`
	// Stuck means that the other run ended stuck, too, so that the faults are not the reason.
	Stuck bool `json:"stuck,omitempty"`
	// Hot means that the controller that is hot is as hot in the other run, so that the faults have no part in it. HotWithout says what it
	// does there.
	Hot        bool   `json:"hot,omitempty"`
	HotWithout string `json:"hotWithout,omitempty"`
}

// judge decides the verdict of a run that came to its end: what is wrong at the end comes before what went wrong on the
// way.
func (r *Reporter) judge(outcome *runner.Outcome) {
	r.allHot = outcome.Hot
	r.judgeStuck(outcome)
	if r.report.Result == runner.Stuck {
		return
	}
	for _, check := range outcome.Checks {
		if check.Hot != nil && check.Result == runner.Fail {
			r.report.Result, r.report.Hot, r.hot = runner.Hot, check.Hot.String(), check.Hot
			r.report.End = runner.Hot + " " + r.hotWords(check.Hot)
			if i := slices.IndexFunc(r.report.Failures, func(f Failure) bool { return f.Name == check.Name }); i >= 0 {
				r.report.HotAt = r.report.Failures[i].At
			}
			return
		}
	}
}

// hotWords say what is hot, in the same words for all seeds.
func (r *Reporter) hotWords(hot *invariant.Hot) string { return Words(r.finder.Words(hot.Reason())) }

// hotIn is what is as hot in another run as what is hot in this one; nil if nothing is, or if nothing is hot here.
func (r *Reporter) hotIn(other *Reporter) *invariant.Hot {
	if r.report.Result != runner.Hot {
		return nil
	}
	for _, hot := range other.allHot {
		if other.hotWords(hot) == r.hotWords(r.hot) && hot.IsAsHotAs(r.hot) {
			return hot
		}
	}
	return nil
}

func (r *Reporter) judgeStuck(outcome *runner.Outcome) {
	if slices.Contains(outcome.SkippedInvariants, invariant.NotStuck) {
		return
	}
	for _, check := range outcome.Checks {
		if check.Stuck == nil {
			continue
		}
		if check.Result == runner.Fail {
			r.stuck(check.Stuck)
		}
		return
	}
	// A run that ends with a failing step checks no invariants.
	for _, unmet := range outcome.Unmet {
		if unmet.Stuck && outcome.Result == runner.Fail {
			r.stuck(cmp.Or(unmet.Standstill, &invariant.Stuck{Object: unmet.Object, Missing: unmet.Missing}))
			return
		}
	}
}

// stuck notes that an object is stuck, or that a key was dropped. The numbers of the failures and the last of them differ from
// seed to seed; the reason does not.
func (r *Reporter) stuck(stuck *invariant.Stuck) {
	r.report.Result, r.report.Stuck = runner.Stuck, stuck.String()
	r.report.End = runner.Stuck + " " + Words(r.finder.Words(stuck.Reason()))
}

// Words is a message without the words that have digits in them: numbers, times, names with a hash. Failures with the same words
// have the same reason.
func Words(message string) string {
	var words []string
	for word := range strings.FieldsSeq(message) {
		if !strings.ContainsFunc(word, unicode.IsDigit) {
			words = append(words, word)
		}
	}
	return strings.Join(words, " ")
}

// Against compares the run with that of the same seed without its faults. Both must have come to their end.
func (r *Reporter) Against(without *Reporter) *Report {
	c := &Comparison{Settled: r.course.Settled, Without: without.course.Settled, Stuck: without.report.Stuck != ""}
	ends := compare.Settled(without.end.Compare(r.end))
	if r.course.Rejected() {
		ends = compare.Except(ends, compare.ExceptionsTo(r.course)) // the Pod stays, and whoever counts those that failed counts it
	}
	for _, pair := range r.withoutVarying(ends) {
		c.Ends, c.EndNames = append(c.Ends, endText(pair, withoutFaults)), append(c.EndNames, pair.Subject())
		if !slices.Contains(c.Kinds, pair.Resource) {
			c.Kinds = append(c.Kinds, pair.Resource)
		}
	}
	for _, pair := range without.history.Compare(r.history) {
		c.History, c.HistoryNames = append(c.History, historyText(pair)), append(c.HistoryNames, historyName(pair))
		c.Excess += max(pair.A-pair.B, pair.B-pair.A)
	}
	if hot := r.hotIn(without); hot != nil {
		c.Hot, c.HotWithout = true, hot.String()
	}
	r.report.Comparison = c
	if !r.course.IsFaulty() {
		return &r.report
	}
	message, late := r.course.Late(without.course)
	switch {
	case len(r.diverged) > 0:
		r.diverge(SameEnd, withoutFaults)
	case r.report.Result == runner.Pass && late && r.isQuiet(without):
		r.late(message)
	case r.report.Result == runner.Fail:
		r.report.End = runner.Fail + " " + strings.Join(c.Kinds, " ")
	}
	return &r.report
}

// late is the verdict of a run that settled much later than another one.
func (r *Reporter) late(message string) {
	r.report.Result, r.report.End = runner.Late, runner.Late+" "+trace.ObjectName(r.course.Last)+" "+r.course.By
	r.report.Differing = []trace.Object{r.course.Last}
	r.report.Failures = append(r.report.Failures, Failure{Name: LateFailure, At: r.course.Settled, Message: message})
}

// withoutVarying leaves out the fields that vary from seed to seed, and the objects of which nothing else differs.
func (r *Reporter) withoutVarying(pairs []compare.FinalPair) (left []compare.FinalPair) {
	for _, pair := range pairs {
		pair.Fields = slices.DeleteFunc(slices.Clone(pair.Fields), func(f compare.FieldPair) bool {
			return slices.Contains(r.varies, varying(pair, f))
		})
		if pair.A != pair.B || len(pair.Fields) > 0 {
			left = append(left, pair)
		}
	}
	return left
}

// Varying lists the fields of objects in which this run ended otherwise than one of another seed, for Job.Varies: what a
// controller draws, such as a password.
func (r *Reporter) Varying(other *Reporter) (fields []string) {
	for _, pair := range compare.Settled(r.end.Compare(other.end)) {
		for _, field := range pair.Fields {
			fields = append(fields, varying(pair, field))
		}
	}
	return fields
}

// varying names a field of an object.
func varying(pair compare.FinalPair, field compare.FieldPair) string {
	return trace.ObjectName(pair.Object) + " " + field.Path
}

// isQuiet reports whether it can be said when the runs settled: the other one is at rest, and passes. One that is hot works without end,
// and a step that waits in vain ends a run before its last step.
func (r *Reporter) isQuiet(without *Reporter) bool {
	return without.report.Rests && without.report.Result == runner.Pass
}

// The words for the run that another one is compared with.
const (
	withoutFaults = "without the faults"
	fromEmpty     = "from an empty cluster"
	inOrder       = "in the default order"
)

// endText says how objects of one pattern ended otherwise: A is the other run.
func endText(pair compare.FinalPair, other string) string {
	name := pair.Subject()
	if pair.A != pair.B {
		return fmt.Sprintf("%s: %s, %s %d", name, trace.Count(pair.B, "object"), other, pair.A)
	}
	// What was wanted tells more than what was reached.
	slices.SortStableFunc(pair.Fields, func(a, b compare.FieldPair) int {
		return cmp.Compare(fieldRank(a.Path), fieldRank(b.Path))
	})
	var fields []string
	for _, field := range pair.Fields[:min(len(pair.Fields), fieldsMax)] {
		fields = append(fields, fmt.Sprintf("%s %s, %s %s", field.Path, short(field.B), other, short(field.A)))
	}
	return name + ": " + strings.Join(fields, "; ")
}

// fieldsMax is how many fields of an object a report names.
const fieldsMax = 2

// fieldRank orders fields: what was wanted, what was reached, and the rest.
func fieldRank(path string) int {
	for i, prefix := range []string{"spec.", "status.", ""} {
		if strings.HasPrefix(path, prefix) && !strings.HasPrefix(path, "status.conditions") {
			return i
		}
	}
	if strings.HasSuffix(path, "].type") || strings.HasSuffix(path, "].name") {
		// The path has it already.
		return math.MaxInt
	}
	return len(path)
}

// short cuts a long value.
func short(value string) string {
	const longest = 40
	if runes := []rune(value); len(runes) > longest {
		return string(runes[:longest]) + "..."
	}
	return value
}

func historyText(pair compare.HistoryPair) string {
	return fmt.Sprintf("%s: %d, without the faults %d", historyName(pair), pair.B, pair.A)
}

// historyName says what was counted: create pods of replicaset/web.
func historyName(pair compare.HistoryPair) string {
	name := string(pair.Op) + " " + pair.Resource
	if pair.Owner != "" {
		name += " of " + pair.Owner
	}
	return name
}

// objectsOf lists what is in a store.
func objectsOf(state *sim.State) iter.Seq2[trace.Object, map[string]any] {
	return func(yield func(trace.Object, map[string]any) bool) {
		for _, resource := range state.Resources() {
			for _, object := range state.List(resource, "") {
				accessor, err := meta.Accessor(object)
				if err != nil {
					panic("child: a stored object without metadata: " + err.Error())
				}
				content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
				if err != nil {
					panic("child: a stored object that cannot be converted: " + err.Error())
				}
				name := trace.Object{Resource: resource.String(), Namespace: accessor.GetNamespace(), Name: accessor.GetName()}
				if !yield(name, content) {
					return
				}
			}
		}
	}
}
