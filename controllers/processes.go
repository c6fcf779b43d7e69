package controllers

import (
	"context"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"sync"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/trace"
)

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
	// kubelets is nil if no upstream kubelet runs.
	kubelets *kubelets

	mu       sync.Mutex
	managers []*manager
	failure  *Error
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
