package runner

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	deploymentutil "k8s.io/kubernetes/pkg/controller/deployment/util"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/verdict/invariant"
	"github.com/kubestep/kubestep/scenarios/verdict/liveness"
	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/toolchain/exact"
	"github.com/kubestep/kubestep/sim/trace"
)

// The results of a run.
const (
	Pass  = "pass"
	Fail  = "fail"
	Fault = "error"
)

// Verdicts say more of a run that fails. Stuck means that it ended at rest with an object that is not in its desired state; hot, that a
// controller did the same without end (invariant.Hot); diverged, that it ended at rest after faults that are over, and with other objects
// than without them; late, that it settled much later than without its faults (compare.Course.Late). Package child compares runs for the
// last two: they are no part of an Outcome.
const (
	Stuck    = "stuck"
	Hot      = "hot"
	Diverged = "diverged"
	Late     = "late"
)

// invariantVerdicts are the verdicts of runs that fail an invariant. What is stuck at the end comes before what went wrong on the way.
var invariantVerdicts = []struct{ invariant, verdict string }{
	{invariant.NotStuck, Stuck},
	{invariant.NoHotLoop, Hot},
}

// VerdictOf is the verdict of a recorded run, as far as its trace holds it; empty if nobody has noted its result.
func VerdictOf(rec *recording.Recording) string {
	if rec.Result != Fail {
		return rec.Result
	}
	for _, of := range invariantVerdicts {
		if slices.ContainsFunc(rec.Marks().FailedChecks, func(seq int64) bool { return rec.Record(seq).Check.Name == of.invariant }) {
			return of.verdict
		}
	}
	return Fail
}

// VerdictWord is a verdict as screens and pages show it: pass, crashed, FAIL, STUCK. What is wrong is in capitals.
func VerdictWord(verdict string) string {
	switch verdict {
	case "", Pass:
		return verdict
	case Fault:
		return "crashed"
	}
	return strings.ToUpper(verdict)
}

// BegunFuture is one of spec.futures that has begun, at a virtual time.
type BegunFuture struct {
	AtSeconds float64 `json:"atSeconds"`
	Seed      int64   `json:"seed"`
}

// Outcome is the result of a run. Its JSON form is a stable interface for programs.
type Outcome struct {
	Scenario string `json:"scenario"`
	Result   string `json:"result"`
	Seed     int64  `json:"seed"`
	// Returned is when RunOptions.OnIdle ended the run; 0 for a run that came to its end.
	Returned time.Duration `json:"-"`
	// Futures are the other seeds that decided the rest of the run, in the order in which they began.
	Futures []BegunFuture `json:"futures,omitempty"`
	// Unbegun are the seeds of the futures that the run did not come to.
	Unbegun []int64 `json:"unbegunFutures,omitempty"`
	// VirtualSeconds is the virtual time that passed, and SettledSeconds the time of the last change.
	VirtualSeconds float64 `json:"virtualSeconds"`
	SettledSeconds float64 `json:"settledSeconds"`
	WallSeconds    float64 `json:"wallSeconds"`
	// Events counts the events of the engine: requests, deliveries of watch events, timers of the simulation.
	Events  int64 `json:"events"`
	Records int64 `json:"records"`
	// TraceHash is the SHA-256 of the trace's JSON lines.
	TraceHash string `json:"traceHash"`
	// Promise is what the hash guarantees, see docs/explanation/determinism.md, and OpenOrder names the controllers in
	// this run whose order Go decides, so that the hash may differ. The exact build has none.
	Promise           string        `json:"promise"`
	OpenOrder         []string      `json:"openOrder,omitempty"`
	KubernetesVersion string        `json:"kubernetesVersion"`
	Checks            []CheckResult `json:"checks"`
	// SkippedInvariants are those that the scenario disables.
	SkippedInvariants []string `json:"skippedInvariants,omitempty"`
	// Requeues are the keys that controllers were still retrying without success at the end of the run.
	Requeues []invariant.Requeue `json:"requeues,omitempty"`
	// Unmet are the objects that were not as they wanted to be at the end of the run, if the simulation was at rest.
	Unmet []Unmet `json:"unmet,omitempty"`
	// Hot is what controllers did without end, whether the scenario expects that or not.
	Hot   []*invariant.Hot `json:"hot,omitempty"`
	Final Final            `json:"final"`
	// Warnings list faults that never fired, with the reason, programs that never ran, and checks that tested nothing for a time.
	Warnings []string `json:"warnings,omitempty"`
	// Error is the reason if Result is error. If the scenario is wrong, Problem is the reason without its place, and Field the field.
	Error   string `json:"error,omitempty"`
	Field   string `json:"field,omitempty"`
	Problem string `json:"problem,omitempty"`

	// Rests means that the simulation was at rest at the end of the run: nothing was due, and no fault acted.
	Rests bool `json:"-"`
	// Recovers means that a controller waits to try again what a fault made fail.
	Recovers bool `json:"-"`
	// Awaits are the keys that controllers look at again at a time that is still to come.
	Awaits []invariant.Await `json:"-"`
	// Ailing is how many Pods have a fault at the end that only a step would end (node.Kubelets.Ailing). Those of upstream's kubelets do
	// not count.
	Ailing int `json:"-"`
	// State is what the run left in the store.
	State *sim.State `json:"-"`
}

// Unmet is an object that is stuck, is held, or waits.
type Unmet struct {
	// Object is its name: deployments/web -n team. Controller has to act.
	Object     string `json:"object"`
	Controller string `json:"controller"`
	// Stuck means that nothing keeps the controller from acting; otherwise the object waits for what Lack says.
	Stuck bool `json:"stuck"`
	// Held means that the controller does not run, such as in a process that crashed.
	Held bool `json:"held,omitempty"`
	liveness.Lack
	// Standstill says more of an object that is stuck: what its controller did last. It is nil for others.
	Standstill *invariant.Stuck `json:"-"`
}

func (r *run) unmet(f *liveness.Finding) Unmet {
	u := Unmet{trace.ObjectName(f.Object), f.Controller, f.Verdict == liveness.Stuck, f.Idle, f.Lack, nil}
	if u.Stuck {
		u.Standstill = r.invariants.Stuck(f)
	}
	return u
}

// CheckResult is the result of a check, or of an invariant that applied to the run.
type CheckResult struct {
	Name    string `json:"name"`
	Result  string `json:"result"`
	Message string `json:"message"`
	// Invariant means that this is a check of every run.
	Invariant bool `json:"invariant,omitempty"`
	// By is what decided that it failed.
	By verb.Decider `json:"-"`
	// Undecided means that it failed only because the run ended before it was decided.
	Undecided bool `json:"-"`
	// Stuck is the first object for which the invariant not-stuck did not hold, whether the scenario expects that or not.
	Stuck *invariant.Stuck `json:"-"`
	// Requeue is the key that the message of an invariant is about; nil if it is about something else.
	Requeue *invariant.Requeue `json:"-"`
	// Hot is what the message of an invariant is about; nil if it is about something else.
	Hot *invariant.Hot `json:"-"`
}

// Final is the state at the end of a run.
type Final struct {
	Deployments []FinalDeployment `json:"deployments,omitempty"`
	// Pods counts the pods by phase; terminating ones count as Terminating.
	Pods map[string]int `json:"pods"`
}

// FinalDeployment is a Deployment at the end.
type FinalDeployment struct {
	Namespace   string            `json:"namespace"`
	Name        string            `json:"name"`
	Replicas    int32             `json:"replicas"`
	Updated     int32             `json:"updatedReplicas"`
	Ready       int32             `json:"readyReplicas"`
	Available   int32             `json:"availableReplicas"`
	ReplicaSets []FinalReplicaSet `json:"replicaSets"`
}

// FinalReplicaSet is a ReplicaSet at the end; they are listed oldest first.
type FinalReplicaSet struct {
	Name     string `json:"name"`
	Revision string `json:"revision"`
	Spec     int32  `json:"spec"`
	Ready    int32  `json:"ready"`
}

// finish settles the checks and describes the run.
func (r *run) finish() *Outcome {
	r.finishSteps()
	if r.failure == nil {
		r.finishChecks()
		r.finishInvariants()
	}
	o := &Outcome{
		Scenario: r.scenario.Metadata.Name, Result: Pass, Seed: r.seed, Futures: r.begun, Unbegun: r.unbegun(),
		VirtualSeconds: seconds(min(r.Now(), r.scenario.Spec.Horizon.Duration)),
		SettledSeconds: seconds(r.settled()), Promise: exact.Build(),
		KubernetesVersion: controllers.KubernetesVersion, Checks: r.results(), Final: r.final(),
	}
	o.Warnings, o.Rests, o.Recovers = r.warnings(), r.invariants.Rests(), r.invariants.Recovers()
	o.Awaits, o.Ailing, o.State = r.invariants.Awaits(r.settled()), r.kubelets.Ailing(), r.sim.State
	o.SkippedInvariants, o.Requeues = r.scenario.Spec.Invariants.Skip, r.invariants.Requeues()
	if !exact.Enabled() {
		o.OpenOrder = controllers.OpenOrder(slices.Concat(r.early, r.records))
	}
	for _, f := range r.invariants.Unmet() {
		o.Unmet = append(o.Unmet, r.unmet(f))
	}
	o.Hot = r.invariants.Hot()
	var unmet *verb.UnmetError
	switch {
	case errors.As(r.failure, &unmet):
		o.Result = Fail
	case r.failure != nil:
		o.Result, o.Error = Fault, r.failure.Error()
		if wrong := (*source.Error)(nil); errors.As(r.failure, &wrong) {
			o.Field, o.Problem = wrong.Path, wrong.Message
		}
	}
	for _, c := range o.Checks {
		if c.Result == Fail && o.Result == Pass {
			o.Result = Fail
		}
	}
	o.Records, o.TraceHash = r.sim.Recorder.Len(), r.sim.Recorder.Hash()
	return o
}

// returned is the outcome of a run that RunOptions.OnIdle has ended: what has failed so far.
func (r *run) returned() *Outcome {
	o := &Outcome{
		Scenario: r.scenario.Metadata.Name, Result: Pass, Seed: r.seed, VirtualSeconds: seconds(r.Now()),
		SettledSeconds: seconds(r.settled()), Promise: exact.Build(), KubernetesVersion: controllers.KubernetesVersion,
		Checks: []CheckResult{}, State: r.sim.State, Records: r.sim.Recorder.Len(), Returned: r.Now(),
	}
	for _, c := range r.results() {
		// An invariant that the scenario expects to be broken may still be.
		if c.Result == Fail && !c.Undecided && (!c.Invariant || r.hasBroken(c.Name)) {
			o.Checks, o.Result = append(o.Checks, c), Fail
		}
	}
	if !r.lateLines || o.Result == Fail {
		o.TraceHash = r.sim.Recorder.Hash()
	}
	return o
}

// finishSteps fails a run whose steps did not all happen before the horizon.
func (r *run) finishSteps() {
	if r.failure != nil || r.steps.isDone() || r.without != nil || r.order.HasEnded() {
		return
	}
	waits := slices.IndexFunc(r.waiters, func(w *waiter) bool { return w.step != aside })
	if waits >= 0 {
		w := r.waiters[waits]
		r.failure, r.steps.failed = &verb.UnmetError{By: verb.ByHorizon, Message: fmt.Sprintf("%s: still false at the horizon of %s: %s",
			r.scenario.Spec.Steps[w.step].Describe(), r.scenario.Spec.Horizon.Duration, w.missing)}, w.step
		return
	}
	i := r.steps.open()
	r.steps.failed = i
	if r.steps.hasBegun(i) {
		r.failure = &verb.UnmetError{By: verb.ByHorizon, Message: fmt.Sprintf("%s: not done at the horizon of %s",
			r.scenario.Spec.Steps[i].Describe(), r.scenario.Spec.Horizon.Duration)}
		return
	}
	r.failure = r.impossible("", r.scenario.Errorf(format.StepPath(i), "a longer spec.horizon",
		"the run reached its horizon of %[2]s before the step %[1]s",
		r.scenario.Spec.Steps[i].Verb.Keyword(), r.scenario.Spec.Horizon.Duration))
}

func (r *run) results() []CheckResult {
	out := []CheckResult{}
	out = append(out, r.invariantResults()...)
	var unmet *verb.UnmetError
	if errors.As(r.failure, &unmet) {
		out = append(out, CheckResult{Name: format.StepPath(r.steps.failed), Result: Fail, Message: unmet.Message, By: unmet.By})
	}
	for _, c := range r.checks {
		result := CheckResult{Name: c.name, Result: Fail, Message: c.message, By: c.by}
		switch {
		case c.passed:
			result.Result = Pass
		case !c.decided:
			result.Message, result.Undecided = "not decided: the run ended early", true
		}
		out = append(out, result)
	}
	return out
}

func (r *run) final() Final {
	final := Final{Pods: map[string]int{}}
	for _, obj := range r.sim.State.List(corev1.Resource("pods"), "") {
		pod := obj.(*corev1.Pod)
		if pod.DeletionTimestamp != nil {
			final.Pods["Terminating"]++
		} else {
			final.Pods[string(pod.Status.Phase)]++
		}
	}
	for _, obj := range r.sim.State.List(appsv1.Resource("deployments"), "") {
		d := obj.(*appsv1.Deployment)
		out := FinalDeployment{
			Namespace: d.Namespace, Name: d.Name, Replicas: *d.Spec.Replicas, Updated: d.Status.UpdatedReplicas,
			Ready: d.Status.ReadyReplicas, Available: d.Status.AvailableReplicas, ReplicaSets: []FinalReplicaSet{},
		}
		for _, rs := range ownedReplicaSets(r, d) {
			out.ReplicaSets = append(out.ReplicaSets, FinalReplicaSet{
				Name: rs.Name, Revision: rs.Annotations[deploymentutil.RevisionAnnotation],
				Spec: *rs.Spec.Replicas, Ready: rs.Status.ReadyReplicas,
			})
		}
		final.Deployments = append(final.Deployments, out)
	}
	return final
}

// ownedReplicaSets lists the ReplicaSets that a Deployment controls, oldest first.
func ownedReplicaSets(r *run, d *appsv1.Deployment) []*appsv1.ReplicaSet {
	var sets []*appsv1.ReplicaSet
	for _, obj := range r.sim.State.List(appsv1.Resource("replicasets"), d.Namespace) {
		if rs := obj.(*appsv1.ReplicaSet); metav1.IsControlledBy(rs, d) {
			sets = append(sets, rs)
		}
	}
	sort.SliceStable(sets, func(i, j int) bool {
		return sets[i].CreationTimestamp.Before(&sets[j].CreationTimestamp)
	})
	return sets
}

func seconds(d time.Duration) float64 { return d.Seconds() }
