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
	hosts     []*Host
	processes map[string]*process

	mu    sync.Mutex
	fault *Fault
}

// StartControlPlane starts the controllers on goroutines of the simulation. What goes wrong stops the world
// and is told by Err.
func StartControlPlane(s *sim.Simulation, options ControlPlaneOptions) (*ControlPlane, error) {
	c := &ControlPlane{sim: s, processes: map[string]*process{}}
	c.catchPanics()
	for n, name := range ManagerNames(options.Replicas) {
		p := newProcess(s, name, ReplicaSuffix(options.Replicas, n))
		host, err := newHost(p, options.Options)
		if err != nil {
			return nil, err
		}
		c.hosts, c.processes[name] = append(c.hosts, host), p
		if options.Elect {
			e := &election{host: host, after: time.Duration(n) * replicaStart, request: options.Request}
			host.start(e.run)
		} else {
			host.start(host.run)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(options.Custom)) {
		p := newProcess(s, name, "")
		c.processes[name] = p
		c.startCustom(p, options.Custom[name], s.Observer.Logger(options.Verbosity))
	}
	return c, nil
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

// Crash ends a process as a crash would: it sends nothing any more, and releases nothing. It waits until
// that has happened, so it must not be called on the engine's goroutine.
func (c *ControlPlane) Crash(name string) error {
	p, ok := c.processes[name]
	if !ok {
		return fmt.Errorf("there is no %q that could crash, only %v", name, slices.Sorted(maps.Keys(c.processes)))
	}
	done := make(chan struct{})
	if !c.sim.Engine.Schedule(&engine.Event{
		Key: "crash|" + name, Abandon: func() { close(done) },
		Run: func() {
			p.crash("the process crashed")
			close(done)
		},
	}) {
		return nil
	}
	<-done
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
		p.pause(time.Duration(engine.Hash(c.sim.Seed(), "start|"+p.name) % uint64(startStagger)))
		err := run(klog.NewContext(p.ctx, logger), newClients(p))
		if err != nil && p.ctx.Err() == nil {
			c.fail(&Fault{Controller: p.name, Problem: "gave up: " + err.Error()})
		}
	})
}
