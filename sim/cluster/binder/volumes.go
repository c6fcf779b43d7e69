package binder

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	storagelisters "k8s.io/client-go/listers/storage/v1"
	"k8s.io/component-helpers/storage/ephemeral"
	"k8s.io/component-helpers/storage/volume"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/network"
)

// The reasons of upstream's plugin (pkg/scheduler/framework/plugins/volumebinding).
const (
	unboundImmediate = "pod has unbound immediate PersistentVolumeClaims"
	nodeConflict     = "node(s) didn't match PersistentVolume's node affinity"
	bindConflict     = "node(s) didn't find available persistent volumes to bind"
)

const (
	// bindPeriod and bindTimeout are how often, and for how long, the scheduler checks whether a pod's claims are
	// bound.
	bindPeriod  = time.Second
	bindTimeout = 10 * time.Minute
)

var (
	claimResource  = corev1.SchemeGroupVersion.WithResource("persistentvolumeclaims")
	volumeResource = corev1.SchemeGroupVersion.WithResource("persistentvolumes")
	classResource  = storagev1.SchemeGroupVersion.WithResource("storageclasses")
)

// podClaims groups a pod's claims by what the scheduler has to do about them.
type podClaims struct {
	// bound have a volume, which the node must be able to use. delayed wait for the pod's node.
	bound, delayed []*corev1.PersistentVolumeClaim
}

// reservation is what the scheduler does about the volumes of a pod before it binds the pod to a node.
type reservation struct {
	node string
	// volumes will be reserved for claims, and claims will be provisioned for the node.
	volumes []*corev1.PersistentVolume
	claims  []*corev1.PersistentVolumeClaim
}

// claimName is the name of the claim of a pod's volume, "" if it has none.
func claimName(pod *corev1.Pod, v *corev1.Volume) string {
	switch {
	case v.PersistentVolumeClaim != nil:
		return v.PersistentVolumeClaim.ClaimName
	case v.Ephemeral != nil:
		return ephemeral.VolumeClaimName(pod, v)
	}
	return ""
}

// usesClaim reports whether a pod has a claim; the name "" means any.
func usesClaim(pod *corev1.Pod, name string) bool {
	return slices.ContainsFunc(pod.Spec.Volumes, func(v corev1.Volume) bool {
		claim := claimName(pod, &v)
		return claim != "" && (name == "" || name == claim)
	})
}

func (s *Scheduler) claim(namespace, name string) *corev1.PersistentVolumeClaim {
	object, found := s.sim.State.Get(claimResource.GroupResource(), namespace, name)
	if !found {
		return nil
	}
	return object.(*corev1.PersistentVolumeClaim)
}

func isFullyBound(claim *corev1.PersistentVolumeClaim) bool {
	return claim.Spec.VolumeName != "" && metav1.HasAnnotation(claim.ObjectMeta, volume.AnnBindCompleted)
}

// claimsOf groups a pod's claims. The reason says why no node fits.
func (s *Scheduler) claimsOf(pod *corev1.Pod) (found podClaims, reason string) {
	for _, v := range pod.Spec.Volumes {
		name := claimName(pod, &v)
		if name == "" {
			continue
		}
		claim := s.claim(pod.Namespace, name)
		if problem := unusable(pod, claim, name, v.Ephemeral != nil); problem != "" {
			return found, problem
		}
		delayed, err := volume.IsDelayBindingMode(claim, classLister{state: s.sim.State})
		switch {
		case err != nil:
			return found, err.Error()
		case isFullyBound(claim):
			found.bound = append(found.bound, claim)
		case delayed && claim.Spec.VolumeName == "":
			found.delayed = append(found.delayed, claim)
		default:
			reason = unboundImmediate
		}
	}
	return found, reason
}

// unusable describes the problem of a claim.
func unusable(pod *corev1.Pod, claim *corev1.PersistentVolumeClaim, name string, isEphemeral bool) string {
	switch {
	case claim == nil && isEphemeral:
		return fmt.Sprintf("waiting for ephemeral volume controller to create the persistentvolumeclaim %q", name)
	case claim == nil:
		return fmt.Sprintf("persistentvolumeclaim %q not found", name)
	case claim.Status.Phase == corev1.ClaimLost:
		return fmt.Sprintf("persistentvolumeclaim %q bound to non-existent persistentvolume %q", name, claim.Spec.VolumeName)
	case claim.DeletionTimestamp != nil:
		return fmt.Sprintf("persistentvolumeclaim %q is being deleted", name)
	case isEphemeral:
		if err := ephemeral.VolumeIsForPod(pod, claim); err != nil {
			return err.Error()
		}
	}
	return ""
}

// volumesOn returns what to do about a pod's volumes before it can run on a node, or why it cannot.
func (s *Scheduler) volumesOn(claims podClaims, node *corev1.Node) (r reservation, reason string) {
	r.node = node.Name
	for _, claim := range claims.bound {
		object, found := s.sim.State.Get(volumeResource.GroupResource(), "", claim.Spec.VolumeName)
		if !found || volume.CheckNodeAffinity(object.(*corev1.PersistentVolume), node.Labels) != nil {
			return r, nodeConflict
		}
	}
	// The smallest claim takes the smallest volume first.
	delayed := slices.Clone(claims.delayed)
	sort.SliceStable(delayed, func(i, j int) bool {
		return delayed[i].Spec.Resources.Requests.Storage().Cmp(*delayed[j].Spec.Resources.Requests.Storage()) < 0
	})
	chosen := map[string]*corev1.PersistentVolume{}
	for _, claim := range delayed {
		selected, picked := claim.Annotations[volume.AnnSelectedNode]
		if picked && selected != node.Name {
			return r, bindConflict
		}
		pv, err := volume.FindMatchingVolume(claim, s.volumesOfClass(claim), node, chosen, true, true)
		switch {
		case err == nil && pv != nil && !picked:
			chosen[pv.Name] = pv
			if pv, _, err = volume.GetBindVolumeToClaim(pv, claim); err != nil {
				return r, err.Error()
			}
			r.volumes = append(r.volumes, pv)
		case s.canProvision(claim, node):
			claim = claim.DeepCopy()
			metav1.SetMetaDataAnnotation(&claim.ObjectMeta, volume.AnnSelectedNode, node.Name)
			r.claims = append(r.claims, claim)
		default:
			return r, bindConflict
		}
	}
	return r, ""
}

func (s *Scheduler) volumesOfClass(claim *corev1.PersistentVolumeClaim) (found []*corev1.PersistentVolume) {
	for _, object := range s.sim.State.List(volumeResource.GroupResource(), "") {
		if pv := object.(*corev1.PersistentVolume); volume.GetPersistentVolumeClass(pv) == volume.GetPersistentVolumeClaimClass(claim) {
			found = append(found, pv)
		}
	}
	return found
}

func (s *Scheduler) canProvision(claim *corev1.PersistentVolumeClaim, node *corev1.Node) bool {
	class, err := classLister{state: s.sim.State}.Get(volume.GetPersistentVolumeClaimClass(claim))
	return err == nil && class.Provisioner != "" && class.Provisioner != volume.NotSupportedProvisioner &&
		(len(class.AllowedTopologies) == 0 || slices.ContainsFunc(class.AllowedTopologies, func(term corev1.TopologySelectorTerm) bool {
			return !slices.ContainsFunc(term.MatchLabelExpressions, func(wants corev1.TopologySelectorLabelRequirement) bool {
				return !slices.Contains(wants.Values, node.Labels[wants.Key])
			})
		}))
}

// reserve records which volumes are for the pod, and binds the pod when all its claims are bound.
func (s *Scheduler) reserve(pod *corev1.Pod, r reservation, cause int64) {
	if len(r.volumes)+len(r.claims) == 0 {
		s.bind(pod, r.node, cause)
		return
	}
	var requests []apiserver.Request
	for _, pv := range r.volumes {
		requests = append(requests, apiserver.Request{Resource: volumeResource, Name: pv.Name, Object: pv})
	}
	for _, claim := range r.claims {
		requests = append(requests, apiserver.Request{Resource: claimResource, Namespace: claim.Namespace, Name: claim.Name, Object: claim})
	}
	for _, req := range requests {
		req.Actor, req.Verb = Actor, "update"
		// A failure shows up when the claims are not bound in time.
		_, _ = s.sim.Execute(req, cause, false)
	}
	key := pod.Namespace + "/" + pod.Name
	s.bound[key] = r.node
	s.count[r.node]++
	s.await(pod, r.node, s.sim.Engine.Now()+bindTimeout, cause)
}

// await checks every second whether a pod's claims are bound.
func (s *Scheduler) await(pod *corev1.Pod, node string, until time.Duration, cause int64) {
	key := pod.Namespace + "/" + pod.Name
	s.sim.Engine.As(engine.Component).After(bindPeriod, "scheduler|volumes|"+key, func() {
		object, found := s.sim.State.Get(pods.GroupResource(), pod.Namespace, pod.Name)
		if !found || object.(*corev1.Pod).UID != pod.UID {
			return
		}
		current := object.(*corev1.Pod)
		claims, reason := s.claimsOf(current)
		lost := reason != "" && reason != unboundImmediate
		dropped := lost || slices.ContainsFunc(claims.delayed, func(claim *corev1.PersistentVolumeClaim) bool {
			return claim.Annotations[volume.AnnSelectedNode] != node && !s.isReserved(claim)
		})
		switch {
		case current.DeletionTimestamp != nil:
			s.release(key)
		case reason == "" && len(claims.delayed) == 0:
			s.bind(current, node, cause)
		case dropped:
			s.release(key)
			s.schedule(key, pod.Namespace, pod.Name, cause)
		case s.sim.Engine.Now() > until:
			s.release(key)
			s.waiting[key] = true
			s.refuse(current, `running PreBind plugin "VolumeBinding": binding volumes: context deadline exceeded`, cause)
		default:
			s.await(current, node, until, cause)
		}
	})
}

// isReserved reports whether a volume is reserved for a claim.
func (s *Scheduler) isReserved(claim *corev1.PersistentVolumeClaim) bool {
	return slices.ContainsFunc(s.volumesOfClass(claim), func(pv *corev1.PersistentVolume) bool {
		return volume.IsVolumeBoundToClaim(pv, claim)
	})
}

// release frees a pod's place on its node.
func (s *Scheduler) release(key string) {
	s.count[s.bound[key]]--
	delete(s.bound, key)
}

// volumesChanged schedules the pods again that wait for a claim, a volume or a class.
func (s *Scheduler) volumesChanged(change network.Change) {
	switch object := change.Object.(type) {
	case *corev1.PersistentVolumeClaim:
		s.retry(change.Seq, func(pod *corev1.Pod) bool {
			return pod.Namespace == object.Namespace && usesClaim(pod, object.Name)
		})
	case *corev1.PersistentVolume, *storagev1.StorageClass:
		s.retry(change.Seq, func(pod *corev1.Pod) bool { return usesClaim(pod, "") })
	}
}

// counted formats reasons as upstream does: "2 node(s) did this, 1 node(s) did that".
func counted(reasons map[string]int) string {
	var parts []string
	for reason, nodes := range reasons {
		parts = append(parts, fmt.Sprintf("%d %s", nodes, reason))
	}
	sort.Strings(parts)
	return strings.Join(parts, ", ")
}

// classLister finds StorageClasses in the store. It implements storagelisters.StorageClassLister.
type classLister struct {
	storagelisters.StorageClassListerExpansion
	state *sim.State
}

// List implements storagelisters.StorageClassLister.
func (l classLister) List(selector labels.Selector) (found []*storagev1.StorageClass, err error) {
	for _, object := range l.state.List(classResource.GroupResource(), "") {
		if class := object.(*storagev1.StorageClass); selector.Matches(labels.Set(class.Labels)) {
			found = append(found, class)
		}
	}
	return found, nil
}

// Get implements storagelisters.StorageClassLister.
func (l classLister) Get(name string) (*storagev1.StorageClass, error) {
	object, found := l.state.Get(classResource.GroupResource(), "", name)
	if !found {
		return nil, apierrors.NewNotFound(classResource.GroupResource(), name)
	}
	return object.(*storagev1.StorageClass), nil
}
