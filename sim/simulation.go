package sim

import (
	"context"
	"slices"
	"sync"
	"time"
	_ "time/tzdata" // zone data for machines that have none: sim/process/machine

	"github.com/google/uuid"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/engine/activity"
	"github.com/kubestep/kubestep/sim/network"
	"github.com/kubestep/kubestep/sim/observe/syncs"
	"github.com/kubestep/kubestep/sim/process/instrumentation"
	"github.com/kubestep/kubestep/sim/process/machine"
	"github.com/kubestep/kubestep/sim/trace"
)

// Options describe a simulation.
type Options struct {
	// Seed decides what is drawn, until a future begins.
	Seed uint64
	// StartUp is how long the simulation runs before time zero; times before it are negative.
	StartUp time.Duration
	// Request and Response are how long a request and its response travel, drawn for each.
	Request, Response network.Range
	// Service is how long the server works on a write, drawn for each. It works on a few writes at the same time; others
	// wait. Reads come from the server's memory and take no time there.
	Service network.Range
	// Watch is the lag of watch events. Each stream has one, which changes slowly within the range.
	Watch network.Range
	// QPS and Burst limit each client, as client-go's rate limiter does; QPS 0 means no limit.
	QPS   float64
	Burst int
	// Fairness makes requests wait for their turn, if its Concurrency is not 0.
	Fairness network.Fairness
	// Revision is the resourceVersion that the store starts with; 0 means 1, as in etcd.
	Revision uint64
	// Zone is the local time zone of all code in the simulation; nil means UTC.
	Zone *time.Location
	// Server configures the API server.
	Server apiserver.Options
	// ShowSecrets leaves the values of Secrets in the records that the sinks receive.
	ShowSecrets bool
	// NoLines is that of the Recorder: the sinks get no lines, and there is no hash.
	NoLines bool
	// LateLines is that of the Recorder: the sinks get no lines.
	LateLines bool
	// OpenOrder makes nothing take time: requests, responses and watch events, and clients have no rate limit. So the events of one time
	// are in no order, and ChooseOrder decides it.
	OpenOrder bool
	// LeaveOut leaves out what the server does for watches whatever happens: bookmarks, and the ends after half an hour or
	// more. Nobody can observe them unless a watch fails, so it is for long runs without faults. A record says so.
	LeaveOut bool
	// Sinks receive the records of the run.
	Sinks []trace.Sink
	// Progress is updated for observers outside the bubble; may be nil.
	Progress *engine.Progress
}

// Simulation is a cluster in one process: virtual time, and the network in which clients find an API server.
type Simulation struct {
	*network.Network
	State *State

	options Options
	context context.Context
	cancel  context.CancelFunc
	running sync.WaitGroup
	ids     *idSource
	atEnd   []func()
	caches
	// extended means that the controllers of apiextensions-apiserver run.
	extended bool
}

// LeavesOut is Options.LeaveOut.
func (s *Simulation) LeavesOut() bool { return s.options.LeaveOut }

// New creates a simulation without nodes and controllers. It must be called inside a bubble.
func New(options Options) (*Simulation, error) {
	if options.Progress == nil {
		options.Progress = &engine.Progress{}
	}
	s := &Simulation{options: options, State: newState(), ids: newIDSource(options.Seed)}
	s.OnEnd(machine.Hold(options.Zone), instrumentation.Hold())
	s.OnEnd(func() { uuid.SetRand(nil) })
	s.context, s.cancel = context.WithCancel(context.Background())
	parts := s.parts()
	s.OnEnd(seedRandom(parts))
	var err error
	if s.Network, err = network.New(parts, s.networkOptions()); err != nil {
		s.restore()
		return nil, err
	}
	if options.Revision > 0 {
		s.Server.Advance(options.Revision)
	}
	s.Observer.Delays = s.lateTimer
	(&upkeep{network: s.Network}).start()
	activity.ShowInTracebacks()
	own := &jitter{parts: parts}
	jittered.Store(own)
	s.OnEnd(func() { jittered.CompareAndSwap(own, nil) })
	return s, nil
}

// parts makes what requests meet on their way.
func (s *Simulation) parts() network.Parts {
	clock, activities := engine.New(s.options.Seed, s.options.StartUp, s.options.Progress), &activity.Registry{}
	recorder := trace.NewRecorder(clock.Now, s.options.Sinks...)
	recorder.Zero = clock.Zero()
	recorder.ShowSecrets, recorder.NoLines, recorder.LateLines = s.options.ShowSecrets, s.options.NoLines, s.options.LateLines
	observer := syncs.NewObserver(recorder, activities, clock.Now)
	observer.Own, observer.KeepDelays = extensionQueues, s.options.OpenOrder
	observer.Activate()
	observer.HandleErrors()
	clock.OnQuiet(recorder.Flush)
	return network.Parts{Engine: clock, Recorder: recorder, Activities: activities, Observer: observer}
}

// Began is the virtual date at which the simulation began, StartUp before time zero.
func (s *Simulation) Began() time.Time { return s.Engine.Zero().Add(-s.options.StartUp) }

// networkOptions are the options of the network, and what it needs of the simulation.
func (s *Simulation) networkOptions() network.Options {
	o := s.options
	options := network.Options{
		QPS: o.QPS, Burst: o.Burst, Fairness: o.Fairness, LeaveOut: o.LeaveOut, Server: o.Server,
		Latency: network.Latency{Request: o.Request, Response: o.Response, Service: o.Service, Watch: o.Watch},
		Context: s.context, Go: s.Go, IDs: s.ids, Written: s.State.apply, Stored: s.State.Get,
	}
	if o.OpenOrder {
		return withoutTime(options)
	}
	return options
}

// Seed is the seed that decides what is drawn now; see BeginFuture. Any goroutine may call it.
func (s *Simulation) Seed() uint64 { return s.Engine.Seed() }

// FirstSeed is the seed that the simulation began with. It is for what a cluster keeps in files, such as its keys.
func (s *Simulation) FirstSeed() uint64 { return s.options.Seed }

// Context ends when the simulation ends.
func (s *Simulation) Context() context.Context { return s.context }

// Go runs f on a goroutine of the simulation, tagged with actor. End waits for it, so f must return when its context
// ends.
func (s *Simulation) Go(actor string, f func(ctx context.Context)) {
	s.running.Go(func() {
		s.Activities.Enter(&activity.Activity{Actor: actor})
		f(s.context)
	})
}

// Run runs the simulation until the virtual time end, or until Engine.Stop.
func (s *Simulation) Run(end time.Duration) {
	if s.options.Server.CustomResources && !s.extended {
		s.extended = true
		runExtensions(s.context, s.Network)
	}
	s.RunFairness()
	s.Engine.Run(end)
}

// OnEnd registers functions that restore global variables that the simulation has replaced. End calls these
// functions first, in reverse order, while all goroutines wait, since a goroutine that never ends keeps End from
// returning.
func (s *Simulation) OnEnd(restore ...func()) { s.atEnd = append(s.atEnd, restore...) }

// End stops all goroutines of the simulation: it cancels their contexts and fails the requests under way.
func (s *Simulation) End() {
	s.restore()
	s.cancel()
	s.Engine.Close()
	s.Disconnect()
	s.running.Wait()
}

// restore restores the global variables.
func (s *Simulation) restore() {
	for _, restore := range slices.Backward(s.atEnd) {
		restore()
	}
}
