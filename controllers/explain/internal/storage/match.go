package storage

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/component-helpers/storage/volume"
	"k8s.io/kubernetes/pkg/volume/util"

	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/sim/trace"
)

// match looks for a volume for a claim that names none (syncUnboundClaim).
func (b *binding) match() {
	class := b.class()
	delay := class != nil && class.VolumeBindingMode != nil && *class.VolumeBindingMode == storagev1.VolumeBindingWaitForFirstConsumer
	step := b.out.Step("the StorageClass", binderFile, "syncUnboundClaim")
	step.Line("storageClassName", "", fmt.Sprintf("%q", volume.GetPersistentVolumeClaimClass(b.claim)))
	if class != nil && class.VolumeBindingMode != nil {
		step.Line("volumeBindingMode", "", *class.VolumeBindingMode)
	}
	if pv := b.best(delay); pv != nil {
		b.bind(pv)
		return
	}
	switch fallback := b.fallback(); {
	case fallback != nil:
		b.out.Step("the default StorageClass", binderFile, "assignDefaultStorageClass").Line("newest default", "", fallback.Name)
		b.out.Act("update", claims, 1, b.claim.Name)
		b.out.Verdict = "it sets storageClassName to the default StorageClass " + fallback.Name
	case delay && !volume.IsDelayBindingProvisioning(b.claim):
		b.out.Verdict = "nothing: it waits for a Pod that uses the claim to be scheduled (WaitForFirstConsumer)"
	case volume.GetPersistentVolumeClaimClass(b.claim) != "":
		b.provision(class)
	default:
		b.out.Verdict = "nothing: " + b.none() + ", and the claim has no storageClassName for which one could be provisioned"
	}
}

// best is the volume that the claim gets: one that names it, or else the smallest one that fits, of those with the fewest access modes
// (findBestMatchForClaim).
func (b *binding) best(delay bool) *corev1.PersistentVolume {
	step := b.out.Step("the volumes", "pkg/controller/volume/persistentvolume/index.go", "findBestMatchForClaim")
	byModes := map[int][]*corev1.PersistentVolume{}
	for _, pv := range b.volumes {
		capacity := pv.Spec.Capacity[corev1.ResourceStorage]
		reason := unfit(b.claim, pv, delay)
		step.Line(pv.Name, capacity.String(), cmp.Or(reason, "fits"))
		if volume.CheckAccessModes(b.claim, pv) {
			byModes[len(pv.Spec.AccessModes)] = append(byModes[len(pv.Spec.AccessModes)], pv)
		}
	}
	if len(b.volumes) == 0 {
		step.Line("none", "there are no volumes", nil)
	}
	var modes []int
	for n := range byModes {
		modes = append(modes, n)
	}
	slices.Sort(modes)
	for _, n := range modes {
		// With the feature gate VolumeAttributesClass, which is on by default.
		if pv, err := volume.FindMatchingVolume(b.claim, byModes[n], nil, nil, delay, true); err == nil && pv != nil {
			return b.oneOf(step, pv, byModes[n], delay)
		}
	}
	return nil
}

// oneOf is the volume that the controller took of those that are as good as the best one: they have no order in its index.
func (b *binding) oneOf(
	step *arithmetic.Step, best *corev1.PersistentVolume, all []*corev1.PersistentVolume, delay bool,
) *corev1.PersistentVolume {
	capacity := best.Spec.Capacity[corev1.ResourceStorage]
	var names []string
	taken := best
	for _, pv := range all {
		if other := pv.Spec.Capacity[corev1.ResourceStorage]; unfit(b.claim, pv, delay) != "" || other.Cmp(capacity) != 0 {
			continue
		}
		names = append(names, pv.Name)
		written := func(r *trace.Record) bool { return r.Request.Resource == volumes && r.Request.Name == pv.Name }
		if slices.ContainsFunc(b.Requests, written) {
			taken = pv
		}
	}
	if len(names) > 1 && !volume.IsVolumeBoundToClaim(best, b.claim) {
		step.Line(arithmetic.Few(names), "equally small, in no order", taken.Name)
		return taken
	}
	return best
}

// unfit says why a volume does not fit a claim; empty if it does (FindMatchingVolume).
func unfit(claim *corev1.PersistentVolumeClaim, pv *corev1.PersistentVolume, delay bool) string {
	wanted, capacity := claim.Spec.Resources.Requests[corev1.ResourceStorage], pv.Spec.Capacity[corev1.ResourceStorage]
	prebound := volume.IsVolumeBoundToClaim(pv, claim)
	switch ref := pv.Spec.ClaimRef; {
	case ref != nil && !prebound:
		return fmt.Sprintf("bound to %s/%s", ref.Namespace, ref.Name)
	case !volume.CheckAccessModes(claim, pv):
		return fmt.Sprintf("accessModes %v, not %v", pv.Spec.AccessModes, claim.Spec.AccessModes)
	case capacity.Cmp(wanted) < 0:
		return fmt.Sprintf("less than %s", wanted.String())
	case volume.CheckVolumeModeMismatches(&claim.Spec, &pv.Spec):
		return "another volumeMode"
	case deref(claim.Spec.VolumeAttributesClassName) != deref(pv.Spec.VolumeAttributesClassName):
		return "another volumeAttributesClassName"
	case pv.DeletionTimestamp != nil:
		return "it is being deleted"
	case prebound:
		return ""
	case delay:
		return "kube-scheduler chooses (WaitForFirstConsumer)"
	case pv.Status.Phase != corev1.VolumeAvailable:
		return fmt.Sprintf("phase %s, not Available", pv.Status.Phase)
	case claim.Spec.Selector != nil && !selects(claim.Spec.Selector, pv.Labels):
		return "the selector does not match its labels"
	case volume.GetPersistentVolumeClass(pv) != volume.GetPersistentVolumeClaimClass(claim):
		return fmt.Sprintf("storageClassName %q, not %q", volume.GetPersistentVolumeClass(pv), volume.GetPersistentVolumeClaimClass(claim))
	}
	return ""
}

func deref(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

func selects(selector *metav1.LabelSelector, set map[string]string) bool {
	s, err := metav1.LabelSelectorAsSelector(selector)
	return err == nil && s.Matches(labels.Set(set))
}

// none says why no volume fits, with the reasons of the first ones.
func (b *binding) none() string {
	const most = 3
	var reasons []string
	for _, pv := range b.volumes[:min(most, len(b.volumes))] {
		reasons = append(reasons, pv.Name+": "+unfit(b.claim, pv, false))
	}
	if more := len(b.volumes) - most; more > 0 {
		reasons = append(reasons, fmt.Sprintf("and %d more", more))
	}
	if len(reasons) == 0 {
		return "there are no PersistentVolumes"
	}
	return "no PersistentVolume fits (" + strings.Join(reasons, "; ") + ")"
}

// provision says whom the controller asks for a volume (provisionClaim).
func (b *binding) provision(class *storagev1.StorageClass) {
	step := b.out.Step("provision", binderFile, "provisionClaim")
	if class == nil {
		name := volume.GetPersistentVolumeClaimClass(b.claim)
		step.Line("StorageClass "+name, "does not exist", nil)
		b.out.Verdict = fmt.Sprintf("nothing: %s, and StorageClass %s does not exist", b.none(), name)
		return
	}
	step.Line("provisioner", "StorageClass "+class.Name, class.Provisioner)
	switch {
	case class.Provisioner == "kubernetes.io/no-provisioner":
		b.out.Verdict = "nothing: " + b.none() + ", and StorageClass " + class.Name + " has no provisioner"
	case b.claim.Annotations[volume.AnnStorageProvisioner] == class.Provisioner:
		b.out.Verdict = "nothing: the provisioner " + class.Provisioner + " has been asked for a volume"
	default:
		b.out.Act("update", claims, 1, b.claim.Name)
		b.out.Verdict = "it asks the provisioner " + class.Provisioner + " for a volume: " + b.none()
	}
}

// class is the StorageClass of the claim, or nil.
func (b *binding) class() *storagev1.StorageClass {
	name := volume.GetPersistentVolumeClaimClass(b.claim)
	for _, class := range b.classes {
		if class.Name == name {
			return class
		}
	}
	return nil
}

// fallback is the default StorageClass for a claim that has none, or nil (GetDefaultClass in pkg/volume/util/storageclass.go).
func (b *binding) fallback() *storagev1.StorageClass {
	if volume.PersistentVolumeClaimHasClass(b.claim) {
		return nil
	}
	var best *storagev1.StorageClass
	for _, class := range b.classes {
		newer := best == nil || best.CreationTimestamp.Before(&class.CreationTimestamp)
		if util.IsDefaultAnnotation(class.ObjectMeta) && newer {
			best = class
		}
	}
	return best
}
