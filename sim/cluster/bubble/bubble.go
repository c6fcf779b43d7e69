// Package bubble runs a control plane in a bubble of testing/synctest, for the goroutine that called Start and those that it
// starts: each of their requests is an event of the simulation. Package simtest is its form for the tests of others, with types
// that stay; conformance, which runs Kubernetes' own tests on it, needs the simulation itself.
package bubble

import (
	"fmt"
	"net/http"
	"slices"
	"sync/atomic"
	"testing/synctest"
	"time"

	"k8s.io/client-go/rest"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/cluster/binder"
	"github.com/kubestep/kubestep/sim/cluster/controlplane"
	"github.com/kubestep/kubestep/sim/cluster/node"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/network"
	"github.com/kubestep/kubestep/sim/network/fault"
	"github.com/kubestep/kubestep/sim/trace"
)

// Options describe a control plane. The zero value is an API server alone, with seed 0.
type Options struct {
	// Seed decides latencies, generated names and uids, and which of two things that could happen at once is first.
	Seed uint64
	// Date is the date at which the test begins; the zero value means January 1, 2026, UTC.
	Date time.Time
	// Request and Watch are the latencies of requests and of watch events; the zero values mean up to 2ms and 4ms.
	Request, Watch network.Range
	// Server configures the API server. A nil Admission means DefaultAdmission; with Nodes, TaintNodesByCondition is not
	// among them.
	Server apiserver.Options
	// Objects are in the store from the start, as they are, with their uids and status. A Request has Resource,
	// Namespace, Name and Object (apiserver.Server.Restore).
	Objects []apiserver.Request
	// Nodes is the number of nodes, node-1 to node-N. They are ready, and their Pods become ready after a second.
	Nodes int
	// Faults are in effect from the start, with times that count from there. Start refuses one with a verb or a
	// resource that does not exist. The test's log says which of them were never applied, and why.
	Faults []*fault.Rule
	// Components run beside the API server.
	Components []Component
	// Limit is the virtual time after which the test fails, so that one that waits for something that never happens
	// ends; 0 means DefaultLimit.
	Limit time.Duration
	// Sinks receive the records of the trace.
	Sinks []trace.Sink
	// Progress is updated for observers outside the bubble; may be nil.
	Progress *engine.Progress
}

// TB is what Start needs of a testing.TB.
type TB interface {
	Helper()
	Cleanup(func())
	Fatal(args ...any)
	Errorf(format string, args ...any)
	Logf(format string, args ...any)
}

// Component is a part of the control plane beside the API server.
type Component interface {
	// Start is called before the test begins. The goroutines of the component end with the simulation's context.
	Start(*sim.Simulation) error
	// Err is why the component has stopped the simulation, or nil.
	Err() error
}

// DefaultLimit is how long a test may take, in virtual time.
const DefaultLimit = 24 * time.Hour

// DefaultAdmission are the admission plugins of a control plane without controllers: those that kube-apiserver runs by
// default, but for ServiceAccount, which refuses Pods until a controller has made the account of their namespace. Envtest
// leaves it out, too.
//
// Some of them wait for a controller all the same, as on envtest: a PersistentVolumeClaim has a finalizer until
// persistentvolumeclaim-protection-controller removes it, and a ResourceQuota limits nothing until
// resourcequota-controller has counted.
func DefaultAdmission() []string { return without(apiserver.ServiceAccount) }

// without are kube-apiserver's plugins but for some.
func without(names ...string) []string {
	return slices.DeleteFunc(apiserver.DefaultAdmissionPlugins(), func(name string) bool { return slices.Contains(names, name) })
}

// defaults of Options.
var (
	defaultDate    = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	defaultRequest = network.Range{Min: 500 * time.Microsecond, Max: 2 * time.Millisecond}
	defaultWatch   = network.Range{Min: 500 * time.Microsecond, Max: 4 * time.Millisecond}
)

const (
	heartbeat   = 10 * time.Second
	podsPerNode = 110
	// Actor is the name in the trace of the clients that are created from Cluster.Config.
	Actor = "test"
)

// Cluster is a running control plane.
type Cluster struct {
	// Config is for clients of the test, as from envtest's Start.
	Config *rest.Config
	// Simulation is the control plane.
	Simulation *sim.Simulation

	ended   chan struct{}
	stopped atomic.Bool
}

// running counts the control planes of the process: upstream's state per process allows one at a time.
var running atomic.Int32

// Start starts a control plane. It must be called in a bubble (synctest.Test). The control plane ends when the test and
// its cleanup do; Stop ends it earlier.
func Start(t TB, options Options) *Cluster {
	t.Helper()
	if !running.CompareAndSwap(0, 1) {
		t.Fatal("another control plane is running: a process runs one at a time")
	}
	if !inBubble() {
		running.Store(0)
		t.Fatal("not in a bubble: call Start inside of synctest.Test")
	}
	options = options.complete()
	engine.SetDate(options.Date)
	c, err := start(options)
	if err != nil {
		running.Store(0)
		t.Fatal(err)
	}
	go c.run(t, options)
	t.Cleanup(c.Stop)
	return c
}

// inBubble reports whether the calling goroutine is in a bubble.
func inBubble() (in bool) {
	defer func() { in = recover() == nil }()
	synctest.Wait()
	return
}

func (o Options) complete() Options {
	if o.Date.IsZero() {
		o.Date = defaultDate
	}
	if o.Request == (network.Range{}) {
		o.Request = defaultRequest
	}
	if o.Watch == (network.Range{}) {
		o.Watch = defaultWatch
	}
	if o.Limit == 0 {
		o.Limit = DefaultLimit
	}
	switch {
	case o.Server.Admission != nil:
	case o.Nodes > 0:
		// A node keeps the taint of this plugin until node-lifecycle-controller removes it.
		o.Server.Admission = without(apiserver.ServiceAccount, apiserver.TaintNodesByCondition)
	default:
		o.Server.Admission = DefaultAdmission()
	}
	return o
}

// start makes the simulation and what it begins with.
func start(options Options) (*Cluster, error) {
	world, err := sim.New(sim.Options{
		Seed: options.Seed, Request: options.Request, Watch: options.Watch, Server: options.Server,
		Sinks: options.Sinks, Progress: options.Progress,
	})
	if err != nil {
		return nil, err
	}
	c := &Cluster{Simulation: world, ended: make(chan struct{})}
	c.Config = c.ConfigOf(Actor)
	if err := c.populate(options); err != nil {
		world.End()
		return nil, err
	}
	return c, nil
}

func (c *Cluster) populate(options Options) error {
	for _, object := range options.Objects {
		if err := c.Simulation.Restore(object); err != nil {
			return err
		}
	}
	if err := controlplane.Start(c.Simulation); err != nil {
		return err
	}
	for _, rule := range options.Faults {
		if err := c.check(rule, options); err != nil {
			return err
		}
		c.Simulation.Arm(rule, 0)
	}
	if options.Nodes > 0 {
		kubelets := node.Start(c.Simulation, nil)
		binder.Start(c.Simulation)
		var specs []node.Spec
		for n := range options.Nodes {
			specs = append(specs, node.Spec{Name: fmt.Sprintf("node-%d", n+1), Pods: podsPerNode})
		}
		if err := kubelets.AddNodes(specs, heartbeat); err != nil {
			return err
		}
	}
	for _, component := range options.Components {
		if err := component.Start(c.Simulation); err != nil {
			return err
		}
	}
	return nil
}

// run is the engine's goroutine. A simulation that ends before the test fails the test and its later requests.
func (c *Cluster) run(t TB, options Options) {
	defer close(c.ended)
	c.Simulation.Run(options.Limit)
	reportUnused(t, options.Faults)
	if c.stopped.Load() {
		return
	}
	if c.Simulation.Engine.Now() >= options.Limit {
		t.Errorf("the test has not ended after %s of virtual time", options.Limit)
	}
	for _, component := range options.Components {
		if err := component.Err(); err != nil {
			t.Errorf("%v", err)
		}
	}
	c.Simulation.Engine.Close()
}

// ConfigOf is for a client that the trace shows under a name of its own.
func (c *Cluster) ConfigOf(actor string) *rest.Config {
	transport := c.Simulation.RoundTripper(actor)
	return &rest.Config{
		Host: network.Host, Transport: transport, UserAgent: "kubestep/" + actor,
		// rest.AnonymousClientConfig keeps this field only.
		WrapTransport: func(http.RoundTripper) http.RoundTripper { return transport },
		// Those of envtest.
		QPS: 1000, Burst: 2000,
	}
}

// Stop ends the control plane: requests under way and later ones fail.
func (c *Cluster) Stop() {
	if !c.stopped.CompareAndSwap(false, true) {
		return
	}
	c.Simulation.Engine.After(0, "simtest|stop", c.Simulation.Engine.Stop)
	<-c.ended
	c.Simulation.End()
	running.Store(0)
}
