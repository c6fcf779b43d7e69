package liveness

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/component-helpers/storage/ephemeral"
	"k8s.io/kubernetes/pkg/volume/util"

	"github.com/kubestep/kubestep/sim/trace"
)

var claimRemovals = Goal{
	Resource: corev1.Resource("persistentvolumeclaims"), Controller: "persistentvolumeclaim-protection-controller",
	Sentence: "A PersistentVolumeClaim that is terminating loses the finalizer kubernetes.io/pvc-protection when no Pod uses it.",
	Upstream: "podUsesPVCForDeletion in k8s.io/kubernetes/pkg/controller/volume/pvcprotection/pvc_protection_controller.go",
	lack: func(v *view, object runtime.Object) *Lack {
		claim := object.(*corev1.PersistentVolumeClaim)
		if claim.DeletionTimestamp == nil || !slices.Contains(claim.Finalizers, util.PVCProtectionFinalizer) {
			return nil
		}
		lack := &Lack{Missing: "it is terminating"}
		for _, p := range v.podsIn(claim.Namespace) {
			if p.Spec.NodeName != "" && uses(p, claim.Name) {
				lack.await(corev1.Resource("pods"), p, "the removal of Pod "+p.Name+", which uses it")
			}
		}
		return lack
	},
}

// uses reports whether a Pod has a volume of a claim.
func uses(p *corev1.Pod, claim string) bool {
	return slices.ContainsFunc(p.Spec.Volumes, func(v corev1.Volume) bool {
		return v.PersistentVolumeClaim != nil && v.PersistentVolumeClaim.ClaimName == claim ||
			v.Ephemeral != nil && ephemeral.VolumeClaimName(p, &v) == claim
	})
}

var volumeRemovals = Goal{
	Resource: corev1.Resource("persistentvolumes"), Controller: "persistentvolume-protection-controller",
	Sentence: "A PersistentVolume that is being deleted loses the finalizer kubernetes.io/pv-protection when it is not bound.",
	Upstream: "isBeingUsed in k8s.io/kubernetes/pkg/controller/volume/pvprotection/pv_protection_controller.go",
	lack: func(_ *view, object runtime.Object) *Lack {
		volume := object.(*corev1.PersistentVolume)
		if volume.DeletionTimestamp == nil || !slices.Contains(volume.Finalizers, util.PVProtectionFinalizer) {
			return nil
		}
		lack := &Lack{Missing: "it is being deleted"}
		if claim := volume.Spec.ClaimRef; volume.Status.Phase == corev1.VolumeBound && claim != nil {
			on := trace.Object{Resource: "persistentvolumeclaims", Namespace: claim.Namespace, Name: claim.Name}
			lack.For, lack.On = "the removal of PersistentVolumeClaim "+claim.Name+", which is bound to it", &on
		}
		return lack
	},
}
