package relation

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/component-helpers/storage/ephemeral"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
	"k8s.io/kubernetes/pkg/api/v1/pod"
)

var volumes = corev1.Resource("persistentvolumes")

const binding = "https://kubernetes.io/docs/concepts/storage/persistent-volumes/#binding"

var ofVolumes = []Relation{
	{
		Name: "bound-claim-has-volume", Of: of(claims, names.PersistentVolumeBinderController),
		Sentence:  "The PersistentVolume of a claim that is Bound exists, and names the claim.",
		Reference: binding,
		broken:    boundToNothing,
	},
	{
		Name: "bound-volume-has-claim", Of: of(volumes, names.PersistentVolumeBinderController),
		Sentence:  "The claim of a PersistentVolume that is Bound exists, and names the volume.",
		Reference: binding,
		broken:    boundToNobody,
	},
	{
		Name: "attached-volume-used", Of: of(storagev1.Resource("volumeattachments"), names.PersistentVolumeAttachDetachController),
		Sentence:  "A volume is attached to a node on which a Pod uses it, or which still reports it as in use.",
		Reference: "https://kubernetes.io/docs/reference/kubernetes-api/storage/volume-attachment-v1/",
		broken:    attachedInVain,
	},
}

func boundToNothing(v *View, object runtime.Object) *Breach {
	claim := object.(*corev1.PersistentVolumeClaim)
	if claim.Status.Phase != corev1.ClaimBound || claim.DeletionTimestamp != nil {
		return nil
	}
	found, exists := v.Get(volumes, "", claim.Spec.VolumeName)
	if !exists {
		return broken("it is Bound, but its PersistentVolume %s does not exist", claim.Spec.VolumeName)
	}
	if ref := found.(*corev1.PersistentVolume).Spec.ClaimRef; ref == nil || ref.UID != claim.UID {
		return broken("it is Bound, but its PersistentVolume %s does not name it", claim.Spec.VolumeName)
	}
	return nil
}

func boundToNobody(v *View, object runtime.Object) *Breach {
	volume := object.(*corev1.PersistentVolume)
	ref := volume.Spec.ClaimRef
	if volume.Status.Phase != corev1.VolumeBound || volume.DeletionTimestamp != nil || ref == nil {
		return nil
	}
	found, exists := v.Get(claims, ref.Namespace, ref.Name)
	switch {
	case !exists || found.(*corev1.PersistentVolumeClaim).UID != ref.UID:
		return broken("it is Bound, but its claim %s/%s does not exist", ref.Namespace, ref.Name)
	case found.(*corev1.PersistentVolumeClaim).Spec.VolumeName != volume.Name:
		return broken("it is Bound, but its claim %s/%s does not name it", ref.Namespace, ref.Name)
	}
	return nil
}

func attachedInVain(v *View, object runtime.Object) *Breach {
	attachment := object.(*storagev1.VolumeAttachment)
	name := attachment.Spec.Source.PersistentVolumeName
	if attachment.DeletionTimestamp != nil || name == nil {
		return nil
	}
	found, exists := v.Get(volumes, "", *name)
	if !exists {
		return nil
	}
	volume := found.(*corev1.PersistentVolume)
	if v.isInUse(attachment.Spec.NodeName, volume) || v.isUsed(attachment.Spec.NodeName, volume) {
		return nil
	}
	return broken("PersistentVolume %s is attached to node %s, but no Pod there uses it", *name, attachment.Spec.NodeName)
}

// isInUse reports whether a node reports a volume as in use: the kubelet has not unmounted it.
func (v *View) isInUse(node string, volume *corev1.PersistentVolume) bool {
	found, exists := v.Get(nodes, "", node)
	if !exists || volume.Spec.CSI == nil {
		return exists && volume.Spec.CSI == nil // the names of other kinds of volumes are known to their plugins only
	}
	return slices.ContainsFunc(found.(*corev1.Node).Status.VolumesInUse, func(name corev1.UniqueVolumeName) bool {
		return strings.HasSuffix(string(name), volume.Spec.CSI.Driver+"^"+volume.Spec.CSI.VolumeHandle)
	})
}

// isUsed reports whether a Pod on a node uses a volume, and has not finished.
func (v *View) isUsed(node string, volume *corev1.PersistentVolume) bool {
	ref := volume.Spec.ClaimRef
	return ref != nil && slices.ContainsFunc(v.in(pods, ref.Namespace), func(object runtime.Object) bool {
		p := object.(*corev1.Pod)
		return p.Spec.NodeName == node && !pod.IsPodTerminal(p) && slices.ContainsFunc(p.Spec.Volumes, func(of corev1.Volume) bool {
			return of.PersistentVolumeClaim != nil && of.PersistentVolumeClaim.ClaimName == ref.Name ||
				of.Ephemeral != nil && ephemeral.VolumeClaimName(p, &of) == ref.Name
		})
	})
}
