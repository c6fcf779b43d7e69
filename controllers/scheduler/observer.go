package scheduler

import (
	"context"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/framework"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/observe/syncs"
)

// Queue is the name of kube-scheduler's queue in the records of its attempts.
const Queue = "scheduling"

// observer records the attempts of a scheduler.
type observer struct {
	loop *syncs.Loop
	now  func() time.Duration
	zero time.Time
	// backoff is called when a Pod begins to wait for the end of its back-off.
	backoff func()

	mu sync.Mutex
	// open are the attempts that have not ended, by the Pod's uid. One is in the scheduling cycle; the others wait for permits,
	// volumes and their binding.
	open map[types.UID]*trial
	// current is the attempt in the scheduling cycle.
	current *trial
}

func newObserver(s *sim.Simulation) *observer {
	return &observer{loop: s.Observer.Loop(Queue), now: s.Engine.Now, zero: s.Engine.Zero(), open: map[types.UID]*trial{}}
}

// watch wraps what a scheduler exports. Its goroutines do not run yet.
func (o *observer) watch(s *scheduler.Scheduler) {
	for name, profile := range s.Profiles {
		s.Profiles[name] = &observedFramework{profile, o}
	}
	o.watchQueue(s)
	schedule, fail := s.SchedulePod, s.FailureHandler
	s.SchedulePod = func(
		ctx context.Context, profile framework.Framework, state fwk.CycleState, pod *scheduled,
	) (scheduler.ScheduleResult, error) {
		result, err := schedule(ctx, profile, state, pod)
		o.decided(podOf(pod), result, profile)
		return result, err
	}
	s.FailureHandler = func(
		ctx context.Context, profile framework.Framework, pod *framework.QueuedPodInfo, status *fwk.Status, nominating *nominatingInfo,
		start time.Time,
	) {
		o.failed(pod.Pod, status, nominating)
		fail(ctx, profile, pod, status, nominating, start)
		o.end(pod.Pod.UID)
	}
}

// begin begins an attempt, on the goroutine of the scheduling cycle.
func (o *observer) begin(pod *framework.QueuedPodInfo) {
	sync := o.loop.Begin(pod.Pod.Namespace+"/"+pod.Pod.Name, o.now()-pod.Timestamp.Sub(o.zero))
	o.mu.Lock()
	defer o.mu.Unlock()
	o.current = newTrial(pod, sync)
	o.open[pod.Pod.UID] = o.current
}

// rest ends the scheduling cycle. An attempt that neither failed nor binds its Pod had nothing to do: upstream skips Pods that
// are being deleted, and those that have a node.
func (o *observer) rest() {
	o.mu.Lock()
	last := o.current
	o.current = nil
	o.mu.Unlock()
	if last == nil {
		return
	}
	if !last.isDecided() {
		last.record.Skipped = true
		o.end(last.uid)
	}
	o.loop.Rest(last.sync)
}

// of is the open attempt for a Pod, or an empty one that nothing records.
func (o *observer) of(pod *corev1.Pod) *trial {
	o.mu.Lock()
	defer o.mu.Unlock()
	if a := o.open[pod.UID]; a != nil {
		return a
	}
	return newTrial(&framework.QueuedPodInfo{PodInfo: &framework.PodInfo{Pod: pod}}, nil)
}

// end records that the attempt for a Pod has ended.
func (o *observer) end(uid types.UID) {
	o.mu.Lock()
	a := o.open[uid]
	delete(o.open, uid)
	o.mu.Unlock()
	if a != nil {
		o.loop.End(a.sync, a.finished())
	}
}

// decided records what the scheduling cycle found.
func (o *observer) decided(pod *corev1.Pod, result scheduler.ScheduleResult, profile framework.Framework) {
	a := o.of(pod)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.tried = true
	a.record.Node = result.SuggestedHost
	if nodes, err := profile.SnapshotSharedLister().NodeInfos().List(); err == nil {
		a.record.Nodes = len(nodes)
	}
	if result.SuggestedHost != "" {
		a.record.Evaluated, a.record.Feasible = result.EvaluatedNodes, result.FeasibleNodes
	}
}

// failed records why an attempt ends without a binding.
func (o *observer) failed(pod *corev1.Pod, status *fwk.Status, nominating *nominatingInfo) {
	a := o.of(pod)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.tried = true
	if nominating != nil && nominating.NominatedNodeName != "" {
		a.record.Nominated = nominating.NominatedNodeName
	}
	a.record.Message = status.AsError().Error()
}
