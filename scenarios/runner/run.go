package runner

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/kubernetes/pkg/controller/apis/config"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/language/expr"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner/internal/likeness"
	"github.com/kubestep/kubestep/scenarios/runner/order"
	"github.com/kubestep/kubestep/scenarios/verdict/invariant"
	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/apiserver/keys"
	"github.com/kubestep/kubestep/sim/cluster/metrics"
	"github.com/kubestep/kubestep/sim/cluster/node"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/network"
	"github.com/kubestep/kubestep/sim/trace"
)

// RunOptions configure a run.
type RunOptions struct {
	// Seed overrides the scenario's seed unless it is nil.
	Seed *int64
	// LastFuture chooses the seed of the last of spec.futures, unless it is nil. It is called on the engine's goroutine when that future
	// begins, and may say that the run ends there: nobody asks for more of it.
	LastFuture func() (seed int64, wanted bool)
	// Become, unless it is nil, is called on the engine's goroutine whenever the simulation is quiescent, with the virtual time. If it
	// returns a later time, it is called only then, before everything else that is due at that time: there, the run becomes that of the
	// plan which it returns. The scenario of the plan has the same past, and its first step that differs is a concurrent one at that time.
	Become func(now time.Duration) (plan *Plan, again time.Duration)
	// Disturb, unless it is nil, decides about the faults of Plan.Apart while the run happens. It is called on the engine's goroutine
	// before the first step, and then at each later time that it returns, before everything else that is due then. It returns the faults
	// that the run has from now on instead, or when to call it again. If it returns neither, the run ends: nobody asks for more of it.
	Disturb func(now time.Duration) (faults []format.FaultRule, again time.Duration)
	// Sinks receive the records as they are written.
	Sinks []trace.Sink
	// Answered, unless it is nil, is called for every request of a client that the server has executed, after the sinks have its record:
	// with the number of the record, and the virtual time at which the client will have the answer.
	Answered func(seq int64, at time.Duration)
	// CheckWork bounds the work of all conditions, in items (package expr); 0 means the default.
	CheckWork uint64
	// ShowSecrets leaves the values of Secrets in the records. The trace hash is the same.
	ShowSecrets bool
	// NoLines leaves out the lines of JSON that the sinks receive, and the trace hash.
	NoLines bool
	// LateLines leaves out the lines that the sinks receive, and the trace hash of a run that OnIdle ends before anything has failed.
	LateLines bool
	// Controllers are run beside kube-controller-manager, each by its name, whether the scenario names
	// them or not.
	Controllers map[string]controllers.Custom
	// WithoutFaults chooses faults of the scenario to leave out, unless it is nil. The checks, which may be about them, are then
	// left out, too, and steps that wait or are refused in vain do not end the run.
	WithoutFaults verb.FaultChoice
	// Revision is the resourceVersion that the store starts with; 0 means 1.
	Revision uint64
	// EndEarly ends the run before its horizon as soon as nothing can change its verdict; see early.go.
	EndEarly bool
	// Order, unless it is nil, makes nothing take time and decides which of several events of one time comes next.
	Order *order.Order
	// Session adds steps while the run happens; may be nil.
	Session Session
	// Judges is called with the invariants of the run before it begins, unless it is nil: a sink may ask them, for what they say of the
	// objects at a record (invariant.Run.Judge).
	Judges func(*invariant.Run)
	// OnStep is called on the engine's goroutine when a step begins, before it does anything, unless it is nil: with the index of the step,
	// and whether the simulation is at rest.
	OnStep func(step int, rests bool, state *sim.State)
	// OnIdle is called on the engine's goroutine when the run is idle after its faults, unless it is nil, and says whether the run ends
	// there (Outcome.Returned). It is never called for a run that may not end early.
	OnIdle func(Idle) (ends bool)
	// OnEnd is called with the outcome of a run that came to its end, unless it is nil, before the simulation is taken down: a process that
	// was copied for this run alone may end there. It is not called if the scenario could not be played.
	OnEnd func(*Outcome)
	// Progress is counted up for observers outside the simulation; may be nil.
	Progress *engine.Progress
}

// run is one run of a scenario.
type run struct {
	// overBudget is set when the conditions have taken too much work; see eval. work is that of the run, and workNow
	// that after write workAt.
	overBudget    error
	work, workNow uint64
	workAt        int
	workLimit     uint64

	scenario *format.Scenario
	// disturbed is that of the plan.
	disturbed bool
	// applied means that a fault of spec.faults has made a node fail, or disconnected it.
	applied  atomic.Bool
	seed     int64
	sim      *sim.Simulation
	custom   map[string]controllers.Custom
	control  *controllers.Processes
	config   *config.KubeControllerManagerConfiguration
	kubelets *node.Kubelets
	metrics  *metrics.Server
	// conditions are the expressions of the scenario, by their field paths.
	conditions map[string]*expr.Condition
	// points are the faults that the seed drew, by their field paths.
	points map[string]format.FaultRule

	records []*trace.Record
	// early are the syncs before time zero, which nobody asks for, but which may have been in any order. forgets means that neither these
	// nor the records are kept, and written is the record of the last write of each object.
	early   []*trace.Record
	forgets bool
	written map[trace.Object]int64
	writes  writeLog
	waiters []*waiter
	futures []*future
	begun   []BegunFuture
	// asked are the futures of the scenario that the run has come to.
	asked []bool
	// branch is RunOptions.Become, and waits means that it is called at a later time only.
	waits  bool
	branch func(now time.Duration) (*Plan, time.Duration)
	// apart is how many of the last standing faults are those of Plan.Apart.
	apart int
	// onStep is RunOptions.OnStep.
	onStep func(step int, rests bool, state *sim.State)
	// onIdle is RunOptions.OnIdle, and hasReturned means that it has ended the run.
	onIdle      func(Idle) bool
	hasReturned bool
	// lateLines is RunOptions.LateLines.
	lateLines bool
	likeness  likeness.Finder
	checks    []*check
	// checkedWrites is how many writes there were when the checks were last looked at.
	checkedWrites int
	invariants    *invariant.Run
	// idle are the controllers that do not run.
	idle  map[string]bool
	steps steps
	// without is RunOptions.WithoutFaults.
	without verb.FaultChoice
	ending  ending
	order   *order.Progress
	failure error
}

// Run prepares a scenario and runs it.
func Run(scenario *format.Scenario, options RunOptions) (*Outcome, error) {
	plan, err := Prepare(scenario, slices.Sorted(maps.Keys(options.Controllers))...)
	if err != nil {
		return nil, err
	}
	return plan.Run(options)
}

// Run plays the scenario from its start to its end. What the scenario itself gets wrong (a manifest that the
// API server refuses, a target that does not exist) is returned as a *source.Error; what it expected and did not
// see is in the Outcome. A process runs one scenario at a time.
func (p *Plan) Run(options RunOptions) (*Outcome, error) {
	seed := p.scenario.Spec.Seed
	if options.Seed != nil {
		seed = *options.Seed
	}
	scenario := verb.Draw(p.scenario, seed)
	if options.Session != nil {
		scenario = forSession(scenario)
	}
	r := &run{scenario: scenario, seed: seed, conditions: p.fresh(), without: options.WithoutFaults, branch: options.Become,
		disturbed: p.disturbed}
	r.onStep, r.onIdle, r.apart, r.lateLines = options.OnStep, options.OnIdle, p.apart, options.LateLines
	r.workLimit = options.CheckWork
	r.custom, r.points = customControllers(scenario, options.Controllers), verb.Points(scenario, r.seed)
	r.forgets, r.written = r.mayForget(options), map[trace.Object]int64{}
	restore, err := setFeatureGates(scenario)
	if err != nil {
		return nil, err
	}
	defer restore()
	if r.without == nil {
		r.readyChecks()
	}
	if options.Progress == nil {
		options.Progress = &engine.Progress{}
	}
	wall := time.Now()
	r.order = options.Order.Begin()
	var outcome *Outcome
	if err := r.inBubble(func() (err error) {
		outcome, err = r.play(options)
		return err
	}); err != nil {
		return nil, err
	}
	if err := r.order.Wrong(); err != nil {
		return nil, err
	}
	outcome.WallSeconds = time.Since(wall).Seconds()
	outcome.Events = options.Progress.Events.Load()
	return outcome, r.userError()
}

// inBubble runs play in a bubble of its own.
func (r *run) inBubble(play func() error) (err error) {
	start := startAt(r.scenario, r.seed).Add(-startUp(r.scenario))
	ended := engine.Bubble(start, func() { err = play() })
	var fault *controllers.Error
	switch {
	case r.control != nil && errors.As(r.control.Err(), &fault):
		// The goroutines that a broken controller leaves behind are a consequence, and not reported.
		return fault
	case err != nil:
		return err
	}
	return ended
}

// userError is why the scenario could not be played, if that was the scenario's fault.
func (r *run) userError() error {
	var positioned *source.Error
	if errors.As(r.failure, &positioned) {
		return positioned
	}
	return nil
}

// play runs inside the bubble.
func (r *run) play(options RunOptions) (*Outcome, error) {
	spec := r.scenario.Spec
	r.invariants, r.idle = invariant.NewRun(r, spec.Invariants.Skip), idleControllers(r.scenario)
	if options.Judges != nil {
		options.Judges(r.invariants)
	}
	r.ending.possible, r.ending.asks = options.EndEarly && r.mayEndEarly(), r.asksMore()
	options.Sinks = append([]trace.Sink{r.keep, r.invariants.Record}, options.Sinks...)
	if err := r.open(options); err != nil {
		return nil, err
	}
	world := r.sim
	defer world.End()
	world.OnChange(r.writes.note(world))
	world.OnChange(r.invariants.Change)
	if options.Answered != nil {
		world.OnAnswer(options.Answered)
	}
	world.OnWatch(r.invariants.Opened)
	world.OnDelivery(r.invariants.Delivered)
	if err := r.populate(); err != nil {
		return nil, err
	}
	if d := serving(r.scenario); d > 0 {
		world.Run(world.Engine.Now() + d)
	}
	if err := r.startControllers(); err != nil {
		return nil, err
	}
	r.armFaults(options.Disturb)
	r.chooseOrder()
	r.prepareFutures(options.LastFuture)
	world.Engine.OnQuiet(r.observe)
	if options.Session != nil {
		options.Session.Begin(Live{r})
	}
	r.startSteps(options.Session)
	world.Run(spec.Horizon.Duration)
	if err := r.control.Err(); err != nil {
		return nil, controllerError(r.scenario, err)
	}
	return r.end(options.OnEnd), nil
}

// end is the outcome of the run, which onEnd gets first.
func (r *run) end(onEnd func(*Outcome)) *Outcome {
	var outcome *Outcome
	if r.hasReturned {
		outcome = r.returned()
	} else {
		outcome = r.finish()
	}
	if onEnd != nil && r.userError() == nil && r.order.Wrong() == nil {
		onEnd(outcome)
	}
	return outcome
}

// open makes the simulation, which is still empty.
func (r *run) open(options RunOptions) error {
	spec := r.scenario.Spec
	plugins, err := admission(r.scenario)
	if err != nil {
		return err
	}
	zone, err := zoneOf(r.scenario)
	if err != nil {
		return err
	}
	tokens, err := keys.ServiceAccounts(uint64(r.seed))
	if err != nil {
		return err
	}
	latency := spec.Cluster.Latency
	r.sim, err = sim.New(sim.Options{
		Seed: uint64(r.seed), Zone: zone, StartUp: startUp(r.scenario), Progress: options.Progress, Revision: options.Revision,
		Request: rangeOf(*latency.Request), Response: rangeOf(*latency.Response),
		Service: rangeOf(*latency.Service), Watch: rangeOf(*latency.Watch),
		QPS: *spec.Kubernetes.ClientQPS, Burst: *spec.Kubernetes.ClientBurst,
		Server: apiserver.Options{
			Admission: plugins, ServiceSubnet: spec.Cluster.ServiceSubnet, Authorization: spec.Cluster.Authorization.Mode,
			CustomResources: r.scenario.HasCustomResources(), ManagedFields: spec.Cluster.ManagedFields,
			SystemObjects: spec.Cluster.SystemObjects, Tokens: tokens,
		},
		Fairness:    fairness(spec.Cluster.PriorityAndFairness),
		Sinks:       options.Sinks,
		ShowSecrets: options.ShowSecrets, NoLines: options.NoLines, LateLines: options.LateLines, LeaveOut: r.isUndisturbed(),
		OpenOrder: options.Order != nil,
	})
	if err != nil {
		return err
	}
	// Each command of kubectl is a process of its own, with a client that may send 300 requests at once.
	r.sim.LimitTo(verb.User, 0, 0)
	return nil
}

func (r *run) startControllers() error {
	kubernetes := r.scenario.Spec.Kubernetes
	var err error
	if r.config, err = componentConfig(r.scenario); err != nil {
		return err
	}
	scheduling, err := schedulerOptions(r.scenario)
	if err != nil {
		return err
	}
	kubelets, err := r.kubeletOptions()
	if err != nil {
		return err
	}
	r.control, err = controllers.Start(r.sim, controllers.Options{
		ManagerOptions: controllers.ManagerOptions{
			Controllers: kubernetes.Controllers, Config: r.config, Verbosity: verbosity(kubernetes.LogLevel),
		},
		Replicas: kubernetes.Replicas, Elect: elects(r.scenario),
		Scheduler: scheduling, Kubelets: kubelets, Custom: r.custom,
	})
	var noFolder *controllers.FolderError
	if errors.As(err, &noFolder) {
		return r.scenario.Errorf("spec.kubernetes.kubelet",
			"a TMPDIR that can be written, or kubelet: "+format.SimpleKubelet, "%v", err)
	}
	if err != nil {
		return r.scenario.Errorf("spec.kubernetes.controllers", "", "%v", err)
	}
	return nil
}

func verbosity(level *int) int {
	if level == nil {
		return 0
	}
	return *level
}

// fairness is how requests wait for their turn.
func fairness(f *format.PriorityAndFairness) network.Fairness {
	if f == nil {
		return network.Fairness{}
	}
	return network.Fairness{Concurrency: f.Concurrency, Read: rangeOf(*f.Read)}
}

func rangeOf(d notation.Delay) network.Range { return network.Range{Min: d.Min, Max: d.Max} }

func delayOf(d notation.Delay) node.Delay { return node.Delay{Min: d.Min, Max: d.Max, Never: d.Never} }

// podRules turns the scenario's pod life into the kubelets' rules.
func podRules(s *format.Scenario) ([]node.Rule, error) {
	var rules []node.Rule
	for i, life := range s.Spec.Cluster.Pods {
		rule := node.Rule{
			Match: node.Match{
				Image: life.Match.Image, Name: life.Match.Name, Node: life.Match.Node,
				Namespace: life.Match.Namespace, OwnerKind: life.Match.OwnerKind,
				RestartPolicy: corev1.RestartPolicy(life.Match.RestartPolicy),
			},
			Ready: delayOf(life.Ready), Terminate: delayOf(life.Terminate), ExitCode: int32(life.ExitCode),
		}
		if life.Match.Labels != "" {
			selector, err := labels.Parse(life.Match.Labels)
			if err != nil {
				return nil, s.Errorf(fmt.Sprintf("spec.cluster.pods[%d].match.labels", i), "app=web", "%v", err)
			}
			rule.Match.Labels = selector
		}
		if life.Complete != nil {
			complete := delayOf(*life.Complete)
			rule.Complete = &complete
		}
		if life.Fail != nil {
			fail := delayOf(*life.Fail)
			rule.Fail = &fail
		}
		rules = append(rules, rule)
	}
	return rules, nil
}

// nodeSpecs are the nodes of all pools that have the stand-in of the kubelet.
func nodeSpecs(s *format.Scenario) []node.Spec {
	var specs []node.Spec
	for _, n := range s.Spec.Cluster.EachNode() {
		if !s.RunsKubelet(n) {
			specs = append(specs, node.Spec{Name: n.Name, Labels: n.Labels, CPU: n.CPU, Memory: n.Memory, Pods: n.Pods})
		}
	}
	return specs
}
