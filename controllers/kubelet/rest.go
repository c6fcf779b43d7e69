//go:build linux

package kubelet

import (
	"context"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	kubeletupstream "k8s.io/kubernetes/pkg/kubelet"
	"k8s.io/kubernetes/pkg/kubelet/config"
	"k8s.io/kubernetes/pkg/kubelet/pod"
	"k8s.io/kubernetes/pkg/kubelet/volumemanager"
	"k8s.io/kubernetes/pkg/kubelet/volumemanager/cache"
	"k8s.io/kubernetes/pkg/kubelet/volumemanager/populator"
	"k8s.io/kubernetes/pkg/kubelet/volumemanager/reconciler"
	volumetypes "k8s.io/kubernetes/pkg/volume/util/types"

	"github.com/kubestep/kubestep/sim/cluster/cri"
	"github.com/kubestep/kubestep/sim/process/unexported"
)

// A kubelet looks ten times a second, in two loops, whether the volumes of its Pods are mounted, every two seconds whether something of a
// Pod is to be cleaned up, and every ten seconds whether it runs short of memory, disk or processes. While nothing changes, a pass of these
// loops finds what the pass before has found, and writes nothing. So they wait for a change instead: of a Pod, of a container, or of the
// volumes that a Pod worker asks for. A loop then continues at the time of its next pass, as if it had not waited.
//
// What differs from a kubelet that does not rest: which of the two loops of volumes is first, of passes at the same time. That is
// drawn from the seed again for each pass.

const (
	// quietPasses is how many passes of a loop of volumes in a row find nothing to do before it rests.
	quietPasses = 10
	// calm is how long after the last change of a Pod or a container the loops of a kubelet with Pods continue: longer than a Pod worker
	// takes to find that its containers have ended, which happens every second.
	calm = 10 * time.Second
	// settled is how long after the last change a kubelet leaves out to clean up: longer than garbage collection takes, which is a change
	// if it removes something, and comes every minute.
	settled = 3 * time.Minute
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
	// changed is when a Pod or a container changed last; the zero value means that this node never had one.
	changed time.Time
	// changes counts the changes.
	changes int
	// woken is closed at a change, and when a Pod worker asks for the volumes of its Pod; nil while nobody waits for that.
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
	runtime.OnChange(r.change)
	*pods = watchedPods{*pods, r}
	*sources = restingSources{*sources, r}
	*unexported.Field[populator.DesiredStateOfWorldPopulator](volumes, "desiredStateOfWorldPopulator") = askedPopulator{r.populator, r}
	known := unexported.Field[populator.PodManager](r.populator, "podManager")
	*known = restingPods{*known, r.loop(ctx, r.populator)}
	mounts := *unexported.Field[reconciler.Reconciler](volumes, "reconciler")
	added, hold := unexported.Field[func() bool](mounts, "populatorHasAddedPods"), r.loop(ctx, mounts)
	hasAdded := *added
	*added = func() bool {
		hold()
		return hasAdded()
	}
	addRestOfEviction(ctx, k, r)
}

// isEmpty reports whether the kubelet has neither a Pod nor a volume, and knows that.
func (r *rest) isEmpty() bool {
	return r.knowsAll() && len(r.pods.GetPods()) == 0 &&
		len(r.desired.GetVolumesToMount()) == 0 && len(r.actual.GetAttachedVolumes()) == 0
}

// knowsAll reports whether the kubelet has seen all its Pods and volumes since it started.
func (r *rest) knowsAll() bool {
	return r.populator.HasAddedPods() && r.volumes.ReconcilerStatesHasBeenSynced()
}

// isCalm reports whether the loops of volumes have nothing to do.
func (r *rest) isCalm() bool {
	return r.isEmpty() || r.since() >= calm && r.isMounted()
}

// isMounted reports whether the volumes of all Pods are mounted, and no others are. A volume that is attached may have to be detached when
// its driver changes, which is no change of a Pod.
func (r *rest) isMounted() bool {
	if !r.knowsAll() || len(r.desired.GetPodsWithErrors()) > 0 {
		return false
	}
	for _, v := range r.desired.GetVolumesToMount() {
		mounted, _, err := r.actual.PodExistsInVolume(
			klog.Background(), v.PodName, v.VolumeName, v.DesiredPersistentVolumeSize, v.SELinuxLabel)
		if err != nil || !mounted || v.PluginIsAttachable {
			return false
		}
	}
	for _, v := range r.actual.GetAllMountedVolumes() {
		if !r.desired.PodExistsInVolume(v.PodName, v.VolumeName, v.SELinuxMountContext) {
			return false
		}
	}
	return len(r.actual.GetUnmountedVolumes()) == 0
}

// isClean reports whether there is nothing to clean up.
func (r *rest) isClean() bool {
	return r.since() >= settled && (r.isEmpty() && r.runtime.IsEmpty() || r.isMounted())
}

// since is the time since the last change.
func (r *rest) since() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.changed.IsZero() {
		return settled
	}
	return time.Since(r.changed)
}

// change notes that a Pod or a container changes, and ends the rest.
func (r *rest) change() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.changed = time.Now()
	r.changes++
	r.wake()
}

// wake ends the rest. The caller holds the lock.
func (r *rest) wake() {
	if r.woken != nil {
		close(r.woken)
		r.woken = nil
	}
}

// next is closed when the rest ends. changes is how many there were.
func (r *rest) next() (woken <-chan struct{}, changes int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.woken == nil {
		r.woken = make(chan struct{})
	}
	return r.woken, r.changes
}

// loop returns what a loop of volumes calls when a pass begins. It returns at the time of a pass.
func (r *rest) loop(ctx context.Context, of any) func() {
	period := *unexported.Field[time.Duration](of, "loopSleepDuration")
	quiet := 0
	return func() {
		r.runtime.Check()
		if !r.isCalm() {
			quiet = 0
			return
		}
		if quiet++; quiet < quietPasses {
			return
		}
		began := time.Now()
		woken, _ := r.next()
		select {
		case <-woken:
			time.Sleep(period - time.Since(began)%period)
		case <-ctx.Done():
		}
		quiet = 0
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

// askedPopulator is the populator of the volumes that are wanted as Pod workers see it: they ask for those of a Pod.
type askedPopulator struct {
	populator.DesiredStateOfWorldPopulator
	rest *rest
}

// ReprocessPod implements populator.DesiredStateOfWorldPopulator.
func (p askedPopulator) ReprocessPod(name volumetypes.UniquePodName) {
	p.DesiredStateOfWorldPopulator.ReprocessPod(name)
	p.rest.mu.Lock()
	defer p.rest.mu.Unlock()
	p.rest.wake()
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
