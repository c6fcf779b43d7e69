package controllers

import (
	"context"
	"errors"
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

// ManagerName is the name of the only kube-controller-manager of a simulation. Several have a number at the end.
const ManagerName = "kube-controller-manager"

// Options describe the processes with controllers of a simulation.
type Options struct {
	// ManagerOptions are those of each kube-controller-manager.
	ManagerOptions
	// Replicas is the number of kube-controller-managers; 0 means one.
	Replicas int
	// Elect makes the replicas elect a leader, which is the only one to run controllers.
	Elect bool
	// Scheduler is the kube-scheduler; nil means that none runs.
	Scheduler *SchedulerOptions
	// Custom are the controllers outside of kube-controller-manager, by name.
	Custom map[string]Custom
}

// Processes are all processes of a simulation that run controllers: kube-controller-manager, once or several times, and
// the controllers of users.
type Processes struct {
	sim       *sim.Simulation
	processes map[string]*process
	// launch starts each process, also after it ended.
	launch map[string]func(*process) error
	// parts maps actors to processes (Process).
	parts map[string]string
	// custom are the controllers outside of kube-controller-manager.
	custom map[string]Custom

	mu       sync.Mutex
	managers []*manager
	failure  *Error
}

// Start starts the controllers on goroutines of the simulation. An error stops the simulation, and Err returns it.
func Start(s *sim.Simulation, options Options) (*Processes, error) {
	c := &Processes{
		sim: s, processes: map[string]*process{}, launch: map[string]func(*process) error{}, parts: map[string]string{},
		custom: options.Custom,
	}
	listen(s, options.Verbosity)
	c.catchPanics()
	c.catchExits()
	s.OnCrash(c.crashed)
	names := ManagerNames(options.Replicas)
	for n, name := range names {
		c.processes[name] = newProcess(s, ManagerName, name, ReplicaSuffix(options.Replicas, n))
		c.launch[name] = func(p *process) error { return c.startManager(p, options, time.Duration(n)*replicaStart) }
	}
	schedulers := c.addSchedulers(options)
	custom := slices.Sorted(maps.Keys(options.Custom))
	for _, name := range custom {
		c.processes[name] = newProcess(s, name, name, "")
		c.launch[name] = func(p *process) error {
			c.startCustom(p, options.Custom[name], s.Observer.Logger(options.Verbosity))
			return nil
		}
	}
	for _, name := range slices.Concat(names, schedulers, custom) {
		if err := c.launch[name](c.processes[name]); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// startManager starts a kube-controller-manager; after is when it takes part in an election, or starts its controllers.
func (c *Processes) startManager(p *process, options Options, after time.Duration) error {
	m, err := newManager(p, options.ManagerOptions)
	if err != nil {
		return err
	}
	c.mu.Lock()
	c.managers = append(c.managers, m)
	c.mu.Unlock()
	switch {
	case options.Elect:
		e := &election{
			process: p, component: ManagerName, config: options.Config.Generic.LeaderElection, after: after, lead: m.run, fail: m.fail,
		}
		m.start(e.run)
	case after > 0:
		// Two managers whose loops tick at the same instants would race forever.
		after += time.Duration(engine.Hash(c.sim.Seed(), "start|"+p.name) % uint64(replicaStart))
		m.start(func(ctx context.Context) error {
			engine.Sleep(p.ctx, after)
			return m.run(ctx)
		})
	default:
		m.start(m.run)
	}
	return nil
}

// ManagerNames are the names of a number of replicas of kube-controller-manager.
func ManagerNames(replicas int) []string { return ReplicaNames(ManagerName, replicas) }

// ReplicaNames are the names of the processes of a number of replicas of a component.
func ReplicaNames(component string, replicas int) []string {
	if replicas <= 1 {
		return []string{component}
	}
	var names []string
	for n := range replicas {
		names = append(names, fmt.Sprintf("%s-%d", component, n+1))
	}
	return names
}

// ReplicaSuffix is the suffix of the parts of the n-th replica, from 0; empty if there is only one.
func ReplicaSuffix(replicas, n int) string {
	if replicas <= 1 {
		return ""
	}
	return fmt.Sprintf("@%d", n+1)
}

// Names lists the controllers of kube-controller-manager that run or ran, sorted.
func (c *Processes) Names() []string {
	all := map[string]bool{}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, m := range c.managers {
		for _, name := range m.Names() {
			all[name] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// Err is why the simulation stopped early, or nil: a *Error, or that a controller could not be built.
func (c *Processes) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failure != nil {
		return c.failure
	}
	for _, m := range c.managers {
		if err := m.Err(); err != nil {
			return err
		}
	}
	return nil
}

// Error means that a controller itself failed: it panicked or returned.
type Error struct {
	Controller string
	Problem    string
	// At is the function, the file and the line of an author's code in which it happened, if known.
	At string
	// Stack is that of the panic, or what a program of its own printed; empty if there was none.
	Stack []byte
	// Try is what may help if the controller itself is to be changed; empty if kubestep may be at fault.
	Try string
}

// Error implements error.
func (e *Error) Error() string {
	text := "controller " + e.Controller + " " + e.Problem
	if e.At != "" {
		text += ", in " + e.At
	}
	return text
}

// catchPanics makes an Error of every panic that upstream's HandleCrash catches. Nearly all goroutines of controllers
// and of client-go begin with it. Upstream lets the process crash afterwards; here, the simulation stops, and the
// report names the controller.
func (c *Processes) catchPanics() {
	utilruntime.ReallyCrash = false
	utilruntime.PanicHandlers = []func(context.Context, any){func(_ context.Context, value any) {
		failure := &Error{Controller: c.who(), Problem: fmt.Sprintf("panicked: %v", value), Stack: debug.Stack()}
		if c.custom[failure.Controller] != nil {
			failure = Panicked(failure.Controller, fmt.Sprint(value), failure.Stack)
		}
		c.fail(failure)
	}}
}

// who is the controller of the calling goroutine.
func (c *Processes) who() string {
	if a := c.sim.Activities.Current(); a != nil {
		return a.Actor
	}
	return "of an unknown goroutine"
}

// fail stops the simulation; only the first failure is reported.
func (c *Processes) fail(failure *Error) {
	c.mu.Lock()
	first := c.failure == nil
	if first {
		c.failure = failure
	}
	c.mu.Unlock()
	if !first {
		return
	}
	c.sim.Observer.Log(failure.Controller, trace.Log{Level: -1, Message: "controller " + failure.Problem}, nil)
	c.sim.Engine.Schedule(&engine.Event{Key: "controllers|fault", Run: c.sim.Engine.Stop})
}

// startCustom runs a user's controller as a process.
func (c *Processes) startCustom(p *process, run Custom, logger klog.Logger) {
	c.sim.Go(p.name, func(context.Context) {
		defer func() {
			if value := recover(); value != nil {
				c.fail(Panicked(p.name, fmt.Sprint(value), debug.Stack()))
			}
		}()
		engine.Sleep(p.ctx, time.Duration(engine.Hash(c.sim.Seed(), "start|"+p.name)%uint64(startStagger)))
		err := run(klog.NewContext(p.ctx, logger), newClients(p))
		var failure *Error
		if errors.As(err, &failure) {
			c.fail(failure)
		} else if err != nil && p.ctx.Err() == nil {
			c.fail(GaveUp(p.name, err))
		}
	})
}
