package controllers

import (
	"context"
	"fmt"
	"runtime"
	"time"

	componentconfig "k8s.io/component-base/config"
	"k8s.io/klog/v2"

	"github.com/kubestep/kubestep/controllers/scheduler"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/observe/informer"
	"github.com/kubestep/kubestep/sim/trace"
)

// SchedulerName is the name of the only kube-scheduler of a simulation. Several have a number at the end.
const SchedulerName = trace.SchedulerActor

// SchedulerOptions configure the kube-schedulers of a simulation.
type SchedulerOptions struct {
	// Config is the component configuration, from scheduler.NewConfig.
	Config *scheduler.Configuration
	// Replicas is their number; 0 means one.
	Replicas int
	// Elect makes them elect a leader, which is the only one to schedule Pods. The others fill their caches.
	Elect bool
}

// addSchedulers adds the processes of the kube-schedulers, and returns their names.
func (c *Processes) addSchedulers(options Options) []string {
	o := options.Scheduler
	if o == nil {
		return nil
	}
	names := ReplicaNames(SchedulerName, o.Replicas)
	for n, name := range names {
		c.processes[name] = newProcess(c.sim, SchedulerName, name, ReplicaSuffix(o.Replicas, n))
		c.launch[name] = func(p *process) error {
			c.startScheduler(p, o, c.sim.Observer.Logger(options.Verbosity), time.Duration(n)*replicaStart)
			return nil
		}
	}
	return names
}

// startScheduler starts a kube-scheduler; after is when it takes part in an election.
func (c *Processes) startScheduler(p *process, options *SchedulerOptions, logger klog.Logger, after time.Duration) {
	actor := p.actor(SchedulerName)
	connection := options.Config.ClientConnection
	for _, name := range []string{actor, eventsOf(actor)} {
		c.sim.LimitTo(name, float64(connection.QPS), int(connection.Burst))
	}
	c.sim.Go(actor, func(context.Context) {
		ctx := klog.NewContext(p.ctx, logger)
		if err := c.runScheduler(ctx, p, options, after); err != nil && p.ctx.Err() == nil {
			c.fail(&Error{Controller: p.name, Problem: "gave up: " + err.Error()})
		}
	})
}

// runScheduler is the part of upstream's Run (cmd/kube-scheduler/app/server.go) that needs no server for metrics and health.
func (c *Processes) runScheduler(ctx context.Context, p *process, options *SchedulerOptions, after time.Duration) error {
	actor := p.actor(SchedulerName)
	engine.Sleep(p.ctx, 1+time.Duration(engine.Hash(c.sim.Seed(), "start|"+p.name)%uint64(startStagger)))
	p.reached(stageSchedulerRun, "version="+KubernetesVersion)
	clients := p.clients(componentconfig.ClientConnectionConfiguration{})
	client, err := clients.Client(SchedulerName)
	if err != nil {
		return err
	}
	events, err := clients.limitedAs(eventsOf(actor)).Client(SchedulerName)
	if err != nil {
		return err
	}
	running, err := scheduler.New(ctx, c.sim, scheduler.Options{
		Config: options.Config, Client: client, EventClient: events,
		Informers: informer.NewFactory(informer.Options{
			Client: client, Seed: c.sim.Seed(), Shares: true, Observe: c.sim.Observer.Read, Looks: c.sim.Observer.Looks,
			Enter: p.entersInformer(actor),
		}),
	})
	if err != nil {
		return err
	}
	p.reached(stageSchedulerBuilt, fmt.Sprintf("profiles=%d", len(options.Config.Profiles)))
	defer running.Close()
	fill := func(ctx context.Context) error {
		if err := running.Fill(ctx); err != nil {
			return err
		}
		p.reached(stageSchedulerSynced)
		return nil
	}
	if !options.Elect {
		if err := fill(ctx); err != nil {
			return err
		}
		running.Run(ctx)
		return nil
	}
	e := &election{
		process: p, component: SchedulerName, config: options.Config.LeaderElection, after: after, ready: fill,
		lead: func(ctx context.Context) error { running.Run(ctx); return nil },
		fail: func(err error) { c.fail(&Error{Controller: p.name, Problem: "gave up: " + err.Error()}) },
	}
	if options.Config.DelayCacheUntilActive {
		e.ready, e.lead = nil, func(ctx context.Context) error {
			if err := fill(ctx); err != nil {
				return err
			}
			running.Run(ctx)
			return nil
		}
	}
	return e.run(ctx)
}

// eventsOf names the limit of the client with which kube-scheduler sends Events.
func eventsOf(actor string) string { return actor + "/events" }

// catchExits makes the exits of upstream's code crashes of its process: kube-scheduler exits when its cache disagrees with its
// informers (klog.FlushAndExit in pkg/scheduler/backend/cache). The goroutine that exits ends here, and unlocks what it holds.
func (c *Processes) catchExits() {
	upstream := klog.OsExit
	klog.OsExit = func(code int) {
		actor := c.who()
		for _, p := range c.processes {
			if p.owns(actor) {
				why := fmt.Sprintf("%s with code %d", trace.ProcessExited, code)
				c.sim.Observer.Log(p.name, trace.Log{Level: -1, Message: why}, nil)
				p.exit(why)
				runtime.Goexit()
			}
		}
		upstream(code)
	}
	c.sim.OnEnd(func() { klog.OsExit = upstream })
}
