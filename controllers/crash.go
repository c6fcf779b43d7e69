package controllers

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/network/fault"
	"github.com/kubestep/kubestep/sim/trace"
)

// Crash ends a process like a crash: it sends nothing any more, and releases nothing. It starts again after restart,
// unless that is 0. Crash waits until the process has ended, so neither it nor the other methods here may be called on
// the engine's goroutine.
func (c *Processes) Crash(name string, restart time.Duration, cause func() int64) error {
	return c.call("crash", name, func(p *process) { c.crash(p, restart, cause()) })
}

// Restart ends a process, if it has not ended yet, and starts it again at once.
func (c *Processes) Restart(name string, cause func() int64) error {
	return c.call("restart", name, func(p *process) {
		p.crash(trace.ProcessRestarted)
		c.revive(name, cause())
	})
}

// Pause stops a process like SIGSTOP: its requests are held, and so are the watch events for it and the
// calls of its webhooks. Its timers continue
// without effect.
func (c *Processes) Pause(name string, cause func() int64) error {
	return c.call("pause", name, func(p *process) {
		for _, place := range []fault.Place{fault.Requests, fault.Watches, fault.Webhooks} {
			c.sim.Arm(&fault.Rule{Name: pauseName(name), Place: place, Owns: p.owns, Effect: fault.Effect{Hold: true}}, cause())
		}
	})
}

// Resume continues a paused process.
func (c *Processes) Resume(name string, cause func() int64) error {
	return c.call("resume", name, func(*process) { c.sim.Release(pauseName(name), cause()) })
}

// pauseName is the rule that pauses a process.
func pauseName(process string) string { return "pause of " + process }

func (c *Processes) call(what, name string, do func(*process)) error {
	if _, ok := c.processes[name]; !ok {
		return fmt.Errorf("there is no process %q, only %v", name, slices.Sorted(maps.Keys(c.processes)))
	}
	c.sim.Engine.Call(what+"|"+name, func() { do(c.processes[name]) })
	return nil
}

// crash ends a process, and starts it again later if restart is not 0.
func (c *Processes) crash(p *process, restart time.Duration, cause int64) {
	p.crash(trace.ProcessCrashed)
	if restart > 0 {
		c.sim.Engine.As(engine.Component).After(restart, "restart|"+p.name, func() { c.revive(p.name, cause) })
	}
}

// crashed handles a fault that ends the process of an actor.
func (c *Processes) crashed(actor string, rule *fault.Rule, cause int64) {
	for _, name := range slices.Sorted(maps.Keys(c.processes)) {
		if p := c.processes[name]; p.owns(actor) {
			c.crash(p, rule.Effect.Restart, cause)
			return
		}
	}
}

// revive starts a process that has ended. Its previous state is lost: queues, caches, expectations and back-off.
func (c *Processes) revive(name string, cause int64) {
	before := c.processes[name]
	if !before.dead.Load() {
		return
	}
	c.sim.Observer.Unmute(name)
	c.sim.Recorder.Emit(&trace.Record{
		Kind: trace.KindFault, Cause: cause, Actor: name, Fault: &trace.Fault{Rule: name, Effect: trace.EffectRestart},
	})
	p := newProcess(c.sim, before.component, name, before.suffix)
	p.life = before.life + 1
	c.processes[name] = p
	if err := c.launch[name](p); err != nil {
		// The same options were fine the first time.
		panic("controllers: " + name + " does not start again: " + err.Error())
	}
}

// Process returns the process of an actor, and whether it runs; the name is empty for actors that are not controllers.
// Only the engine's goroutine may call it.
func (c *Processes) Process(actor string) (name string, works bool) {
	if known, ok := c.parts[actor]; ok {
		name = known
	} else {
		for process, p := range c.processes {
			if p.owns(actor) {
				name = process
			}
		}
		c.parts[actor] = name
	}
	if name == "" || c.processes[name].dead.Load() {
		return name, false
	}
	for _, rule := range c.sim.Faults() {
		if rule.Name == pauseName(name) && rule.IsOngoing() {
			return name, false
		}
	}
	return name, true
}
