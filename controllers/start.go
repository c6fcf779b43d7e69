package controllers

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"time"

	"k8s.io/klog/v2"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/engine"
)

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
	// Kubelets are upstream's kubelets; nil means that none runs.
	Kubelets *KubeletOptions
	// Custom are the controllers outside of kube-controller-manager, by name.
	Custom map[string]Custom
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
	kubelets, err := c.addKubelets(options)
	if err != nil {
		return nil, err
	}
	custom := slices.Sorted(maps.Keys(options.Custom))
	for _, name := range custom {
		c.processes[name] = newProcess(s, name, name, "")
		c.launch[name] = func(p *process) error {
			c.startCustom(p, options.Custom[name], s.Observer.Logger(options.Verbosity))
			return nil
		}
	}
	for _, name := range slices.Concat(names, schedulers, kubelets, custom) {
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
