package knowledge

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	podutil "k8s.io/kubernetes/pkg/api/v1/pod"
	daemonutil "k8s.io/kubernetes/pkg/controller/daemon/util"

	"github.com/kubestep/kubestep/sim/apiserver/memdb"
)

// Pods are the versions of the Pods of a run that informers may still have in their caches.
type Pods struct {
	byUID map[types.UID]*Pod
	// owned are those that a controller had in one of their versions, and named those that had a name, in the order of their creations.
	owned map[types.UID][]*Pod
	named map[types.NamespacedName][]*Pod
	// gone are those that do not exist any more, in the order of their deletions, and forgotten is when the last of those was deleted
	// that are not remembered.
	gone      []*Pod
	forgotten uint64
}

// remembered is how many Pods that are gone are remembered.
const remembered = 2000

// Pod is one Pod.
type Pod struct {
	types.NamespacedName
	UID      types.UID
	versions History[Version]
	gone     uint64
	// owners are the controllers of all versions.
	owners []types.UID
}

// usual is how many versions most Pods have: created, bound, started, Ready, deleted, gone.
const usual = 8

// Version is what a version of a Pod says. The zero value means that the Pod does not exist.
type Version struct {
	Exists bool
	// Owner is the controller of the Pod.
	Owner types.UID
	// Node is the node that it runs on or, before it is bound, the one that its DaemonSet has made it for.
	Node    string
	IsBound bool
	Phase   corev1.PodPhase
	// Ready is when it became Ready; zero if it is not.
	Ready time.Time
	// IsDeleted means that somebody has deleted it, and that it terminates.
	IsDeleted bool
	// Finished is when it ended, as far as its status says; zero if that does not say it.
	Finished time.Time
	// IsTracked means that it has the finalizer of Jobs: its Job has not counted it yet.
	IsTracked bool
	// Index is that of an Indexed Job, and Failures counts those of the index before it.
	Index    string
	Failures int
}

// NewPods returns Pods before the first write.
func NewPods() *Pods {
	return &Pods{byUID: map[types.UID]*Pod{}, owned: map[types.UID][]*Pod{}, named: map[types.NamespacedName][]*Pod{}}
}

// Change takes a write of a Pod.
func (p *Pods) Change(op memdb.Op, rv uint64, object *corev1.Pod) {
	pod := p.byUID[object.UID]
	if pod == nil {
		pod = &Pod{NamespacedName: types.NamespacedName{Namespace: object.Namespace, Name: object.Name}, UID: object.UID}
		pod.versions = make(History[Version], 0, usual)
		pod.versions.Add(0, Version{})
		p.byUID[pod.UID] = pod
		p.named[pod.NamespacedName] = append(p.named[pod.NamespacedName], pod)
	}
	var version Version
	if op != memdb.OpDelete {
		version = versionOf(object)
	}
	if version == pod.Newest() {
		return
	}
	if version.Owner != "" && !slices.Contains(pod.owners, version.Owner) {
		pod.owners = append(pod.owners, version.Owner)
		p.owned[version.Owner] = append(p.owned[version.Owner], pod)
	}
	pod.versions.Add(rv, version)
	if !version.Exists {
		pod.gone = rv
		p.gone = append(p.gone, pod)
		p.forget()
	}
}

// forget forgets the Pod that has been gone for longest, if too many are gone.
func (p *Pods) forget() {
	if len(p.gone) <= remembered {
		return
	}
	pod := p.gone[0]
	p.gone = p.gone[1:]
	p.forgotten = pod.gone
	delete(p.byUID, pod.UID)
	without(p.named, pod.NamespacedName, pod)
	for _, owner := range pod.owners {
		without(p.owned, owner, pod)
	}
}

func without[K comparable](all map[K][]*Pod, key K, pod *Pod) {
	all[key] = slices.DeleteFunc(all[key], func(other *Pod) bool { return other == pod })
	if len(all[key]) == 0 {
		delete(all, key)
	}
}

// Know reports whether all Pods are known that existed in a span.
func (p *Pods) Know(s Span) bool { return p.forgotten <= s.From }

// Forgotten is the revision with which the last of the Pods was deleted that are not known any more.
func (p *Pods) Forgotten() uint64 { return p.forgotten }

// Of are the Pods that a controller had in one of their versions, in the order of their creations.
func (p *Pods) Of(owner types.UID) []*Pod { return p.owned[owner] }

// Named are the Pods that had a name, in the order of their creations.
func (p *Pods) Named(name types.NamespacedName) []*Pod { return p.named[name] }

// Get returns a Pod, or nil.
func (p *Pods) Get(uid types.UID) *Pod { return p.byUID[uid] }

// Newest is the last version.
func (p *Pod) Newest() Version { return p.versions.Newest() }

// Was reports whether all versions of a span meet a condition. A version that does not exist is one, too.
func (p *Pod) Was(s Span, condition func(*Version) bool) bool { return p.versions.All(s, condition) }

// First is the first version that meets a condition, with its revision; 0 if none does.
func (p *Pod) First(condition func(*Version) bool) (rv uint64, v Version) {
	for i := range p.versions {
		if condition(&p.versions[i].value) {
			return p.versions[i].rv, p.versions[i].value
		}
	}
	return 0, v
}

// IsFinished reports whether the Pod has succeeded or failed.
func (v *Version) IsFinished() bool {
	return v.Phase == corev1.PodSucceeded || v.Phase == corev1.PodFailed
}

// IsActive reports whether the Pod exists, has not finished, and does not terminate.
func (v *Version) IsActive() bool { return v.Exists && !v.IsDeleted && !v.IsFinished() }

// IsReady reports whether the Pod runs and is Ready.
func (v *Version) IsReady() bool {
	return v.Exists && v.Phase == corev1.PodRunning && !v.Ready.IsZero()
}

// IsAvailable reports whether the Pod has been Ready for minReadySeconds.
func (v *Version) IsAvailable(minReadySeconds int32, at time.Time) bool {
	return v.Exists && !v.Ready.IsZero() && !v.Ready.Add(time.Duration(minReadySeconds)*time.Second).After(at)
}

func versionOf(pod *corev1.Pod) Version {
	v := Version{
		Exists: true, Node: pod.Spec.NodeName, IsBound: pod.Spec.NodeName != "", Phase: pod.Status.Phase,
		IsDeleted: pod.DeletionTimestamp != nil, Finished: finished(pod),
		IsTracked: slices.Contains(pod.Finalizers, batchv1.JobTrackingFinalizer),
		Index:     pod.Annotations[batchv1.JobCompletionIndexAnnotation],
	}
	if failures := pod.Annotations[batchv1.JobIndexFailureCountAnnotation]; failures != "" {
		v.Failures, _ = strconv.Atoi(failures)
	}
	if owner := metav1.GetControllerOfNoCopy(pod); owner != nil {
		v.Owner = owner.UID
		if owner.Kind == "DaemonSet" {
			v.Node, _ = daemonutil.GetTargetNodeName(pod)
			v.Node = cmp.Or(v.Node, pod.Spec.NodeName)
		}
	}
	if ready := podutil.GetPodReadyCondition(pod.Status); ready != nil && ready.Status == corev1.ConditionTrue {
		v.Ready = ready.LastTransitionTime.Time
	}
	return v
}

// finished is when a finished Pod ended: when the last of its containers did or, if they do not say that, when it ceased to be Ready.
func finished(pod *corev1.Pod) (at time.Time) {
	if pod.Status.Phase != corev1.PodSucceeded && pod.Status.Phase != corev1.PodFailed {
		return at
	}
	for i := range pod.Status.ContainerStatuses {
		ended := pod.Status.ContainerStatuses[i].State.Terminated
		if ended == nil || ended.FinishedAt.IsZero() {
			at = time.Time{}
			break
		}
		if ended.FinishedAt.After(at) {
			at = ended.FinishedAt.Time
		}
	}
	if ready := podutil.GetPodReadyCondition(pod.Status); at.IsZero() && ready != nil && ready.Status == corev1.ConditionFalse {
		at = ready.LastTransitionTime.Time
	}
	return at
}
