package scheduler

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/observe/informer"
)

// Options are what a kube-scheduler needs.
type Options struct {
	Config *Configuration
	// Client is for everything but Events, which upstream sends with a client of their own.
	Client, EventClient kubernetes.Interface
	// Informers is a factory on which nothing was called yet.
	Informers informers.SharedInformerFactory
}

// Scheduler is a kube-scheduler in a simulation.
type Scheduler struct {
	options  Options
	upstream *scheduler.Scheduler
	events   events.EventBroadcaster
	observer *observer
}

// New builds a kube-scheduler; the activity of the calling goroutine is its actor's. Its goroutines end with ctx.
func New(ctx context.Context, s *sim.Simulation, options Options) (*Scheduler, error) {
	seedOffsets(s)
	out := &Scheduler{options: options, observer: newObserver(s)}
	options.Informers.InformerFor(&corev1.Pod{}, newPodInformer)
	out.events = events.NewBroadcaster(&eventSink{events.EventSinkImpl{Interface: options.EventClient.EventsV1()}})
	c := options.Config
	backoff := &backoffClock{waiting: func() bool { return len(out.upstream.SchedulingQueue.PodsInBackoffQ()) > 0 }}
	out.observer.backoff = backoff.moved
	ctx = klog.NewContext(ctx, out.observer.logger(klog.FromContext(ctx)))
	var err error
	out.upstream, err = scheduler.New(unmetered{ctx}, options.Client, options.Informers, nil,
		func(name string) eventRecorder { return out.events.NewRecorder(scheme.Scheme, name) },
		scheduler.WithComponentConfigVersion(c.APIVersion),
		scheduler.WithProfiles(c.Profiles...),
		scheduler.WithPercentageOfNodesToScore(c.PercentageOfNodesToScore),
		scheduler.WithPodMaxBackoffSeconds(c.PodMaxBackoffSeconds),
		scheduler.WithPodInitialBackoffSeconds(c.PodInitialBackoffSeconds),
		// The workers of one pass over the nodes share one processor, so the first of them does it all, in order. Those that
		// delete the Pods that lose their node send their requests at the same time.
		scheduler.WithParallelism(c.Parallelism),
		scheduler.WithClock(backoff),
	)
	if err != nil {
		return nil, err
	}
	keepPlaces(out.upstream)
	for _, profile := range out.upstream.Profiles {
		keepSpreadCounts(profile)
	}
	out.observer.watch(out.upstream)
	return out, nil
}

// Fill starts the informers, and waits until their handlers have seen all objects: then the cache and the queue are complete.
func (s *Scheduler) Fill(ctx context.Context) error {
	if err := s.events.StartRecordingToSinkWithContext(ctx); err != nil {
		return err
	}
	informer.Start(ctx, s.options.Informers)
	informer.WaitForCacheSync(ctx, s.options.Informers)
	// The handlers see the last objects at this instant, and upstream asks them every 100 ms, beginning now. Who is first must not
	// matter, so a nanosecond passes.
	engine.Sleep(ctx, 1)
	return s.upstream.WaitForHandlersSync(ctx)
}

// Run schedules Pods until ctx ends.
func (s *Scheduler) Run(ctx context.Context) {
	s.upstream.Run(klog.NewContext(ctx, s.observer.logger(klog.FromContext(ctx))))
}

// Close waits until the goroutines of the informers and of Events have ended. The context of New has ended before.
func (s *Scheduler) Close() {
	s.events.Shutdown()
	s.options.Informers.Shutdown()
}
