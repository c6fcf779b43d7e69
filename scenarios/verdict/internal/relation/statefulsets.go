package relation

import (
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
	"k8s.io/kubernetes/pkg/api/v1/pod"

	"github.com/kubestep/kubestep/scenarios/verdict/internal/ordinal"
)

var claims = corev1.Resource("persistentvolumeclaims")

const retention = "https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#persistentvolumeclaim-retention"

var ofStatefulSets = []Relation{
	{
		Name: "claims-of-statefulset-retained", Of: of(statefulSets, names.StatefulSetController),
		Sentence: "A StatefulSet owns the PersistentVolumeClaims of its Pods if whenDeleted of its retention policy is Delete, and only " +
			"then.",
		Reference: retention,
		broken:    ownsClaims,
	},
	{
		Name: "claims-of-scaled-statefulset-deleted", Of: of(statefulSets, names.StatefulSetController),
		Sentence: "If whenScaled of the retention policy is Delete, no PersistentVolumeClaim of a StatefulSet remains whose ordinal is " +
			"beyond spec.replicas and has no Pod.",
		Reference: retention,
		broken:    leaksClaims,
	},
	{
		Name: "statefulset-counts-pods", Of: of(statefulSets, names.StatefulSetController),
		Sentence:  "The status of a StatefulSet counts those of its Pods that are available, and those that have its update revision.",
		Reference: "https://kubernetes.io/docs/reference/kubernetes-api/apps/stateful-set-v1/#StatefulSetStatus",
		broken:    miscountsPods,
	},
}

// ordinalClaim is a claim of a StatefulSet, with its ordinal.
type ordinalClaim struct {
	*corev1.PersistentVolumeClaim
	ordinal int
	pod     *corev1.Pod
}

// claimsOf are the claims of a StatefulSet's templates, by the name of upstream's getPersistentVolumeClaimName: TEMPLATE-SET-ORDINAL.
func (v *View) claimsOf(set *appsv1.StatefulSet) []ordinalClaim {
	var all []ordinalClaim
	for _, object := range v.in(claims, set.Namespace) {
		claim := object.(*corev1.PersistentVolumeClaim)
		for i := range set.Spec.VolumeClaimTemplates {
			number, found := ordinal.Of(claim.Name, set.Spec.VolumeClaimTemplates[i].Name+"-"+set.Name)
			if !found || claim.DeletionTimestamp != nil {
				continue
			}
			c := ordinalClaim{PersistentVolumeClaim: claim, ordinal: number}
			if p, exists := v.Get(pods, set.Namespace, fmt.Sprintf("%s-%d", set.Name, number)); exists {
				c.pod = p.(*corev1.Pod)
			}
			all = append(all, c)
		}
	}
	return all
}

func ownsClaims(v *View, object runtime.Object) *Breach {
	set := object.(*appsv1.StatefulSet)
	policy := set.Spec.PersistentVolumeClaimRetentionPolicy
	if set.DeletionTimestamp != nil || policy == nil {
		return nil
	}
	should := policy.WhenDeleted == appsv1.DeletePersistentVolumeClaimRetentionPolicyType
	for _, claim := range v.claimsOf(set) {
		if claim.pod == nil || claim.pod.DeletionTimestamp != nil || !ordinal.IsWanted(set, claim.ordinal) {
			continue
		}
		owns := slices.ContainsFunc(claim.OwnerReferences, func(r metav1.OwnerReference) bool { return r.UID == set.UID })
		switch {
		case should && !owns:
			return broken("whenDeleted is Delete, but it does not own PersistentVolumeClaim %s", claim.Name)
		case owns && !should:
			return broken("whenDeleted is Retain, but it owns PersistentVolumeClaim %s", claim.Name)
		}
	}
	return nil
}

func leaksClaims(v *View, object runtime.Object) *Breach {
	set := object.(*appsv1.StatefulSet)
	policy := set.Spec.PersistentVolumeClaimRetentionPolicy
	if set.DeletionTimestamp != nil || policy == nil || policy.WhenScaled != appsv1.DeletePersistentVolumeClaimRetentionPolicyType {
		return nil
	}
	for _, claim := range v.claimsOf(set) {
		if claim.pod == nil && !ordinal.IsWanted(set, claim.ordinal) {
			return broken("whenScaled is Delete, but PersistentVolumeClaim %s remains without a Pod", claim.Name)
		}
	}
	return nil
}

// miscountsPods compares numbers of a status with those of upstream's computeReplicaStatus in
// k8s.io/kubernetes/pkg/controller/statefulset/stateful_set_control.go.
func miscountsPods(v *View, object runtime.Object) *Breach {
	set := object.(*appsv1.StatefulSet)
	if set.DeletionTimestamp != nil || set.Status.ObservedGeneration < set.Generation {
		return nil
	}
	var available, updated int32
	for _, child := range v.controlledBy(pods, set.Namespace, string(set.UID)) {
		p := child.(*corev1.Pod)
		if p.Status.Phase == corev1.PodRunning && pod.IsPodAvailable(p, set.Spec.MinReadySeconds, metav1.NewTime(v.Date())) {
			available++
		}
		if p.Status.Phase != "" && p.DeletionTimestamp == nil && p.Labels[appsv1.StatefulSetRevisionLabel] == set.Status.UpdateRevision {
			updated++
		}
	}
	switch {
	case set.Status.AvailableReplicas != available:
		return broken("status.availableReplicas is %d, but it should be %d", set.Status.AvailableReplicas, available)
	case set.Status.UpdatedReplicas != updated:
		return broken("status.updatedReplicas is %d, but it should be %d", set.Status.UpdatedReplicas, updated)
	}
	return nil
}
