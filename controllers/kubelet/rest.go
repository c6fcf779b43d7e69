//go:build linux && !kubernetes_before_1_37

package kubelet

import (
	"context"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	kubeletupstream "k8s.io/kubernetes/pkg/kubelet"
	"k8s.io/kubernetes/pkg/kubelet/config"
	"k8s.io/kubernetes/pkg/kubelet/pod"
	"k8s.io/kubernetes/pkg/kubelet/volumemanager"
	"k8s.io/kubernetes/pkg/kubelet/volumemanager/cache"
	"k8s.io/kubernetes/pkg/kubelet/volumemanager/populator"
	"k8s.io/kubernetes/pkg/kubelet/volumemanager/reconciler"

	"github.com/kubestep/kubestep/sim/cluster/cri"
	"github.com/kubestep/kubestep/sim/process/unexported"
)

// A kubelet looks ten times a second, in two loops, whether the volumes of its Pods are mounted, and every two seconds whether something
// of a Pod is to be cleaned up. While it has no Pod and no volume, all that these loops read is empty, and they write nothing, so they
// wait for the first Pod instead. A loop of volumes then continues at the time of its next pass, as if it had not waited.
//
// What differs from a kubelet that does not rest: which of the two loops of volumes is first, of passes at the same time. That is
// drawn from the seed again for each pass.

const (
	// emptyPasses is how many passes of a loop of volumes in a row find nothing before it rests.
	emptyPasses = 10
	// settled is how long after the last change of a Pod a kubelet leaves out to clean up: longer than garbage collection takes.
	settled = 10 * time.Minute
)

// rest decides when a kubelet rests.
type rest struct {
	runtime   cri.Connection
	pods      pod.Manager
	desired   cache.DesiredStateOfWorld
	actual    cache.ActualStateOfWorld
	volumes   volumemanager.VolumeManager
	populator populator.DesiredStateOfWorldPopulator

	mu sync.Mutex
	// changed is when a Pod changed last; the zero value means that this node never had one.
	changed time.Time
	// woken is closed when a Pod changes; nil while nobody waits for that.
	woken chan struct{}
}

// addRest makes a kubelet rest. It must be called before the kubelet runs.
func addRest(ctx context.Context, k *kubeletupstream.Kubelet, runtime cri.Connection) {
	pods := unexported.Field[pod.Manager](k, "podManager")
	sources := unexported.Field[config.SourcesReady](k, "sourcesReady")
	volumes := *unexported.Field[volumemanager.VolumeManager](k, "volumeManager")
	r := &rest{
		runtime: runtime, pods: *pods, volumes: volumes,
		desired:   *unexported.Field[cache.DesiredStateOfWorld](volumes, "desiredStateOfWorld"),
		actual:    *unexported.Field[cache.ActualStateOfWorld](volumes, "actualStateOfWorld"),
		populator: *unexported.Field[populator.DesiredStateOfWorldPopulator](volumes, "desiredStateOfWorldPopulator"),
	}
	if runtime.WasUsed() {
		r.changed = time.Now() // by the kubelet before
	}
	*pods = watchedPods{*pods, r}
	*sources = restingSources{*sources, r}
	known := unexported.Field[populator.PodManager](r.populator, "podManager")
	*known = restingPods{*known, r.loop(ctx, r.populator)}
	mounts := *unexported.Field[reconciler.Reconciler](volumes, "reconciler")
	added, hold := unexported.Field[func() bool](mounts, "populatorHasAddedPods"), r.loop(ctx, mounts)
	hasAdded := *added
	*added = func() bool {
		hold()
		return hasAdded()
	}
}

// isEmpty reports whether the kubelet has neither a Pod nor a volume, and knows that.
func (r *rest) isEmpty() bool {
	return r.populator.HasAddedPods() && r.volumes.ReconcilerStatesHasBeenSynced() && len(r.pods.GetPods()) == 0 &&
		len(r.desired.GetVolumesToMount()) == 0 && len(r.actual.GetAttachedVolumes()) == 0
}

// isClean reports whether there is nothing to clean up.
func (r *rest) isClean() bool {
	r.mu.Lock()
	changed := r.changed
	r.mu.Unlock()
	return (changed.IsZero() || time.Since(changed) >= settled) && r.isEmpty() && r.runtime.IsEmpty()
}

// change notes that a Pod changes, and ends the rest.
func (r *rest) change() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.changed = time.Now()
	if r.woken != nil {
		close(r.woken)
		r.woken = nil
	}
}

// next is closed at the next change.
func (r *rest) next() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.woken == nil {
		r.woken = make(chan struct{})
	}
	return r.woken
}

// loop returns what a loop of volumes calls when a pass begins. It returns at the time of a pass.
func (r *rest) loop(ctx context.Context, of any) func() {
	period := *unexported.Field[time.Duration](of, "loopSleepDuration")
	empty := 0
	return func() {
		r.runtime.Check()
		if !r.isEmpty() {
			empty = 0
			return
		}
		if empty++; empty < emptyPasses {
			return
		}
		began := time.Now()
		select {
		case <-r.next():
			time.Sleep(period - time.Since(began)%period)
		case <-ctx.Done():
		}
		empty = 0
	}
}

// watchedPods are the Pods that a kubelet has.
type watchedPods struct {
	pod.Manager
	rest *rest
}

// SetPods implements pod.Manager.
func (w watchedPods) SetPods(pods []*corev1.Pod) {
	w.Manager.SetPods(pods)
	w.rest.change()
}

// AddPod implements pod.Manager.
func (w watchedPods) AddPod(p *corev1.Pod) {
	w.Manager.AddPod(p)
	w.rest.change()
}

// UpdatePod implements pod.Manager.
func (w watchedPods) UpdatePod(p *corev1.Pod) {
	w.Manager.UpdatePod(p)
	w.rest.change()
}

// RemovePod implements pod.Manager.
func (w watchedPods) RemovePod(p *corev1.Pod) {
	w.Manager.RemovePod(p)
	w.rest.change()
}

// restingPods are the Pods as the loop that collects their volumes sees them: a pass of it begins with them.
type restingPods struct {
	populator.PodManager
	begins func()
}

// GetPods implements populator.PodManager.
func (p restingPods) GetPods() []*corev1.Pod {
	p.begins()
	return p.PodManager.GetPods()
}

// restingSources are where the Pods of a kubelet come from. It cleans up only when it knows all of them, and asks each time.
type restingSources struct {
	config.SourcesReady
	rest *rest
}

// AllReady implements config.SourcesReady.
func (s restingSources) AllReady() bool {
	s.rest.runtime.Check()
	return s.SourcesReady.AllReady() && !s.rest.isClean()
}
