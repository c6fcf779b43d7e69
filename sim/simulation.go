package sim

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	_ "time/tzdata" // zone data for machines that have none: sim/machine

	"github.com/google/uuid"
	"golang.org/x/time/rate"

	"github.com/kubestep/kubestep/sim/activity"
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/apiserver/webhook"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/instrumentation"
	"github.com/kubestep/kubestep/sim/machine"
	"github.com/kubestep/kubestep/sim/syncs"
	"github.com/kubestep/kubestep/sim/trace"
)

// Range is a span of time that is drawn from the seed, both ends included.
type Range struct{ Min, Max time.Duration }

// Options describe a simulation.
type Options struct {
	Seed uint64
	// StartUp is how long the simulation runs before time zero; times before it are negative.
	StartUp time.Duration
	// Request and Response are how long a request and its response travel, drawn for each.
	Request, Response Range
	// Service is how long the server works on a write, drawn for each. It works on a few writes at the same time; others
	// wait. Reads come from the server's memory and take no time there.
	Service Range
	// Watch is the lag of watch events. Each stream has one, which changes slowly within the range.
	Watch Range
	// QPS and Burst limit each client, as client-go's rate limiter does; QPS 0 means no limit.
	QPS   float64
	Burst int
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
	// LeaveOut leaves out what the server does for watches whatever happens: bookmarks, and the ends after half an hour or
	// more. Nobody can observe them unless a watch fails, so it is for long runs without faults. A record says so.
	LeaveOut bool
	// Sinks receive the records of the run.
	Sinks []trace.Sink
	// Progress is updated for observers outside the bubble; may be nil.
	Progress *engine.Progress
}

// Simulation is a cluster in one process: API server, controllers, nodes and virtual time.
type Simulation struct {
	Engine     *engine.Engine
	Server     *apiserver.Server
	Recorder   *trace.Recorder
	Activities *activity.Registry
	Observer   *syncs.Observer
	State      *State

	options Options
	context context.Context
	cancel  context.CancelFunc
	running sync.WaitGroup
	ids     *idSource
	atEnd   []func()

	// limiting guards limiters: any goroutine may create a client.
	limiting sync.Mutex
	limiters map[string]*rate.Limiter

	// written maps each revision to the record that wrote it.
	written   map[uint64]origin
	observers []func(Change)
	watchers  []func(*Stream)
	receivers []func(*Delivery)
	caches    caches
	users     users
	expiring  bool
	// busy is until when each worker of the server executes writes that have arrived.
	busy   [ServerWorkers]time.Duration
	faults *faults
	// turn is whose writes the store takes now, nil if nobody may write.
	turn atomic.Pointer[turn]
	// waits means that the engine waits for somebody who must not wait for a webhook.
	waits atomic.Bool
	// webhooks are the servers of webhooks.
	webhooks webhook.Servers
	// extended means that the controllers of apiextensions-apiserver run.
	extended bool
	// leftOut means that a record says what is left out.
	leftOut bool
}

// LeavesOut is Options.LeaveOut.
func (s *Simulation) LeavesOut() bool { return s.options.LeaveOut }

// origin is the record behind a revision.
type origin struct {
	seq int64
	at  time.Duration
}

// Change is a write together with its record.
type Change struct {
	apiserver.Commit
	// Seq is the number of the request's record.
	Seq int64
	// Background is the field of the record.
	Background bool
}

// New creates a simulation without nodes and controllers. It must be called inside a bubble.
func New(options Options) (*Simulation, error) {
	if options.Progress == nil {
		options.Progress = &engine.Progress{}
	}
	s := &Simulation{
		options: options, Activities: &activity.Registry{}, State: newState(),
		limiters: map[string]*rate.Limiter{}, written: map[uint64]origin{}, ids: newIDSource(options.Seed),
	}
	s.OnEnd(machine.Hold(options.Zone), instrumentation.Hold())
	s.OnEnd(func() { uuid.SetRand(nil) })
	s.context, s.cancel = context.WithCancel(context.Background())
	s.Engine = engine.New(options.Seed, options.StartUp, options.Progress)
	for i := range s.busy {
		s.busy[i] = s.Engine.Now()
	}
	s.Recorder = trace.NewRecorder(s.Engine.Now, options.Sinks...)
	s.Recorder.Zero = s.Engine.Zero()
	s.Recorder.ShowSecrets, s.Recorder.NoLines = options.ShowSecrets, options.NoLines
	seedRandom(s)
	s.Observer = syncs.NewObserver(s.Recorder, s.Activities, s.Engine.Now)
	s.Observer.Own = extensionQueues
	s.Observer.Activate()
	s.Observer.HandleErrors()
	s.Engine.OnQuiet(s.Recorder.Flush)
	options.Server.OnWrite, options.Server.CallWebhook = s.awaitTurn, s.callWebhook
	server, err := apiserver.New(s.committed, options.Server)
	if err != nil {
		s.restore()
		return nil, err
	}
	s.Server = server
	if options.Revision > 0 {
		server.Advance(options.Revision)
	}
	s.upkeep()
	s.newFaults()
	activity.ShowInTracebacks()
	jittered.Store(s)
	s.OnEnd(func() { jittered.CompareAndSwap(s, nil) })
	return s, nil
}

// Seed is the seed of the simulation.
func (s *Simulation) Seed() uint64 { return s.options.Seed }

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

// OnChange registers a function that is called for every write, right after the record of the request. It runs on the
// engine's goroutine and must not block.
func (s *Simulation) OnChange(f func(Change)) { s.observers = append(s.observers, f) }

// Run runs the simulation until the virtual time end, or until Engine.Stop.
func (s *Simulation) Run(end time.Duration) {
	s.runExtensions()
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
	s.abandonHeld()
	s.closeStreams()
	s.running.Wait()
}

// restore restores the global variables.
func (s *Simulation) restore() {
	for _, restore := range slices.Backward(s.atEnd) {
		restore()
	}
}
