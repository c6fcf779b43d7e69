package controllers

import (
	"context"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/trace"
)

// ManagerName is the name of the one kube-controller-manager of a world. Several have a number at the end.
const ManagerName = "kube-controller-manager"

// ControlPlaneOptions say which controllers a world has.
type ControlPlaneOptions struct {
	// Options are those of each kube-controller-manager.
	Options
	// Replicas is how many of it there are; 0 means one.
	Replicas int
	// Elect makes the replicas elect a leader, which is the only one to run controllers.
	Elect bool
	// Request is how long the requests of the election travel.
	Request sim.Range
	// Custom are controllers beside kube-controller-manager, each by its name.
	Custom map[string]Custom
}

// ControlPlane is all controllers of a world: kube-controller-manager, once or several times, and the
// controllers of users.
type ControlPlane struct {
	sim       *sim.Simulation
	processes map[string]*process
	// launch starts each process, also again after it ended.
	launch map[string]func(*process) error
	// parts remembers which process an actor belongs to (Process).
	parts map[string]string

	mu    sync.Mutex
	hosts []*Host
	fault *Fault
}

// StartControlPlane starts the controllers on goroutines of the simulation. What goes wrong stops the world
// and is told by Err.
func StartControlPlane(s *sim.Simulation, options ControlPlaneOptions) (*ControlPlane, error) {
	c := &ControlPlane{sim: s, processes: map[string]*process{}, launch: map[string]func(*process) error{}, parts: map[string]string{}}
	listen(s, options.Verbosity)
	seedSerials(s)
	c.catchPanics()
	s.OnCrash(c.crashed)
	names := ManagerNames(options.Replicas)
	for n, name := range names {
		c.processes[name] = newProcess(s, name, ReplicaSuffix(options.Replicas, n))
		c.launch[name] = func(p *process) error { return c.startManager(p, options, time.Duration(n)*replicaStart) }
	}
	custom := slices.Sorted(maps.Keys(options.Custom))
	for _, name := range custom {
		c.processes[name] = newProcess(s, name, "")
		c.launch[name] = func(p *process) error {
			c.startCustom(p, options.Custom[name], s.Observer.Logger(options.Verbosity))
			return nil
		}
	}
	for _, name := range slices.Concat(names, custom) {
		if err := c.launch[name](c.processes[name]); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// startManager starts a kube-controller-manager; after is when it takes part in an election, or begins to work.
func (c *ControlPlane) startManager(p *process, options ControlPlaneOptions, after time.Duration) error {
	host, err := newHost(p, options.Options)
	if err != nil {
		return err
	}
	c.mu.Lock()
	c.hosts = append(c.hosts, host)
	c.mu.Unlock()
	switch {
	case options.Elect:
		e := &election{host: host, after: after, request: options.Request}
		host.start(e.run)
	case after > 0:
		// Two managers whose loops tick at the same instants would race for ever.
		after += time.Duration(engine.Hash(c.sim.Seed(), "start|"+p.name) % uint64(replicaStart))
		host.start(func(ctx context.Context) error {
			engine.Sleep(p.ctx, after)
			return host.run(ctx)
		})
	default:
		host.start(host.run)
	}
	return nil
}

// ManagerNames are the names of so many replicas of kube-controller-manager.
func ManagerNames(replicas int) []string {
	if replicas <= 1 {
		return []string{ManagerName}
	}
	var names []string
	for n := range replicas {
		names = append(names, fmt.Sprintf("%s-%d", ManagerName, n+1))
	}
	return names
}

// ReplicaSuffix is behind the names of the parts of the n-th replica, from 0; empty if there is only one.
func ReplicaSuffix(replicas, n int) string {
	if replicas <= 1 {
		return ""
	}
	return fmt.Sprintf("@%d", n+1)
}

// Names lists the controllers of kube-controller-manager that run or ran, sorted.
func (c *ControlPlane) Names() []string {
	all := map[string]bool{}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, host := range c.hosts {
		for _, name := range host.Names() {
			all[name] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// Err is why the world had to stop, or nil: a *Fault, or that a controller could not be built.
func (c *ControlPlane) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.fault != nil {
		return c.fault
	}
	for _, host := range c.hosts {
		if err := host.Err(); err != nil {
			return err
		}
	}
	return nil
}

// Fault says that a controller itself failed: it panicked, or gave up.
type Fault struct {
	Controller string
	Problem    string
	// Stack is that of the panic; empty if there was none.
	Stack []byte
}

// Error implements error.
func (f *Fault) Error() string { return "controller " + f.Controller + " " + f.Problem }

// catchPanics makes a fault of every panic that upstream's HandleCrash catches. Nearly all goroutines of
// controllers begin with it, and client-go's do, too. Upstream lets the process die afterwards; here, the
// world stops, and the report says which controller it was.
func (c *ControlPlane) catchPanics() {
	utilruntime.ReallyCrash = false
	utilruntime.PanicHandlers = []func(context.Context, any){func(_ context.Context, value any) {
		c.fail(&Fault{Controller: c.who(), Problem: fmt.Sprintf("panicked: %v", value), Stack: debug.Stack()})
	}}
}

// who names the controller whose goroutine this is.
func (c *ControlPlane) who() string {
	if a := c.sim.Activities.Current(); a != nil {
		return a.Actor
	}
	return "of an unknown goroutine"
}

// fail stops the world; the first fault is the one that is told.
func (c *ControlPlane) fail(fault *Fault) {
	c.mu.Lock()
	first := c.fault == nil
	if first {
		c.fault = fault
	}
	c.mu.Unlock()
	if !first {
		return
	}
	c.sim.Observer.Log(fault.Controller, trace.Log{Level: -1, Message: "controller " + fault.Problem}, nil)
	c.sim.Engine.Schedule(&engine.Event{Key: "controllers|fault", Run: c.sim.Engine.Stop})
}

// startCustom runs a user's controller as a process of its own.
func (c *ControlPlane) startCustom(p *process, run Custom, logger klog.Logger) {
	c.sim.Go(p.name, func(context.Context) {
		defer func() {
			if value := recover(); value != nil {
				c.fail(&Fault{Controller: p.name, Problem: fmt.Sprintf("panicked: %v", value), Stack: debug.Stack()})
			}
		}()
		engine.Sleep(p.ctx, time.Duration(engine.Hash(c.sim.Seed(), "start|"+p.name)%uint64(startStagger)))
		err := run(klog.NewContext(p.ctx, logger), newClients(p))
		if err != nil && p.ctx.Err() == nil {
			c.fail(&Fault{Controller: p.name, Problem: "gave up: " + err.Error()})
		}
	})
}
