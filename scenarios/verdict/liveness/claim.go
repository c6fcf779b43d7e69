package liveness

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/component-helpers/storage/volume"
)

var claims = Goal{
	Resource: corev1.Resource("persistentvolumeclaims"), Controller: "persistentvolume-binder-controller",
	Sentence: "A PersistentVolumeClaim that binds immediately is bound if a matching PersistentVolume exists.",
	Upstream: "FindMatchingVolume in k8s.io/component-helpers/storage/volume; syncUnboundClaim in " +
		"k8s.io/kubernetes/pkg/controller/volume/persistentvolume/pv_controller.go",
	lack: func(v *view, object runtime.Object) *Lack {
		claim := object.(*corev1.PersistentVolumeClaim)
		if claim.DeletionTimestamp != nil || claim.Status.Phase != corev1.ClaimPending {
			return nil
		}
		lack := &Lack{Missing: "it is Pending"}
		switch class := v.class(claim); {
		case class != nil && class.VolumeBindingMode != nil && *class.VolumeBindingMode == storagev1.VolumeBindingWaitForFirstConsumer:
			lack.For = "a Pod that uses it to be scheduled"
			return lack
		case claim.Annotations[volume.AnnStorageProvisioner] != "":
			lack.For = "the provisioner " + claim.Annotations[volume.AnnStorageProvisioner]
			return lack
		}
		found, err := volume.FindMatchingVolume(claim, v.volumesFor(claim), nil, nil, false, true)
		switch {
		case err != nil:
			lack.For = "this error to be resolved: " + err.Error()
		case found == nil && claim.Spec.VolumeName != "":
			lack.For = fmt.Sprintf("PersistentVolume %s, which it names, to exist, to be free and to match", claim.Spec.VolumeName)
		case found == nil && v.classMissing(claim) != "":
			lack.For = "a matching PersistentVolume, or " + v.classMissing(claim)
		case found == nil:
			lack.For = "a matching PersistentVolume"
		default:
			lack.Missing += ", although PersistentVolume " + found.Name + " matches"
		}
		return lack
	},
}

// volumesFor are the volumes from which FindMatchingVolume may choose: those with the access modes of a claim, which only its caller
// compares, and only the one that the claim names, if it does.
func (v *view) volumesFor(claim *corev1.PersistentVolumeClaim) []*corev1.PersistentVolume {
	var some []*corev1.PersistentVolume
	for _, object := range v.List(corev1.Resource("persistentvolumes"), "") {
		candidate := object.(*corev1.PersistentVolume)
		named := claim.Spec.VolumeName == "" || claim.Spec.VolumeName == candidate.Name
		if named && volume.CheckAccessModes(claim, candidate) {
			some = append(some, candidate)
		}
	}
	return some
}

// class returns the StorageClass of a claim, or nil.
func (v *view) class(claim *corev1.PersistentVolumeClaim) *storagev1.StorageClass {
	name := volume.GetPersistentVolumeClaimClass(claim)
	if object, found := v.Get(storagev1.Resource("storageclasses"), "", name); found {
		return object.(*storagev1.StorageClass)
	}
	return nil
}

// classMissing says that the StorageClass of a claim does not exist; empty if it does, if the claim names none, and if a dump does
// not have that kind.
func (v *view) classMissing(claim *corev1.PersistentVolumeClaim) string {
	name := volume.GetPersistentVolumeClaimClass(claim)
	if name == "" || v.class(claim) != nil || !v.has(storagev1.Resource("storageclasses")) {
		return ""
	}
	return "StorageClass " + name + ", which does not exist"
}
