// Package storage computes a sync of a claim in persistentvolume-binder-controller again: which PersistentVolumes fit the claim and why
// the others do not, and whether the claim waits for a Pod, for a provisioner, or for a volume.
package storage

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/component-helpers/storage/volume"

	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/controllers/explain/internal/observed"
)

const (
	binderFile = "pkg/controller/volume/persistentvolume/pv_controller.go"
	// queue has the keys of claims; those of the other queue of the controller are volumes.
	queue   = "claims"
	claims  = "persistentvolumeclaims"
	volumes = "persistentvolumes"
)

// binding is one sync of a claim.
type binding struct {
	observed.Sync
	out     *arithmetic.Explanation
	claim   *corev1.PersistentVolumeClaim
	volumes []*corev1.PersistentVolume
	classes []*storagev1.StorageClass
}

// Claim explains a sync of a PersistentVolumeClaim, as syncClaim decides.
func Claim(s observed.Sync) *arithmetic.Explanation {
	if s.Start.Sync.Queue != queue {
		return nil
	}
	claim := &corev1.PersistentVolumeClaim{}
	e, ok := s.Begin(claims, "PersistentVolumeClaim", claim)
	if !ok {
		return e
	}
	b := &binding{Sync: s, out: e, claim: claim, classes: classes(s)}
	if own := b.newer(claim); own != "" {
		e.Verdict = "nothing: the informer has revision " + claim.ResourceVersion + ", and its own last write is " + own
		e.Why = e.Verdict
		return s.Finish(e)
	}
	b.volumes = b.list()
	switch {
	case metav1.HasAnnotation(claim.ObjectMeta, volume.AnnBindCompleted):
		b.bound()
	case claim.Spec.VolumeName != "":
		b.requested()
	default:
		b.match()
	}
	e.Why = e.Verdict
	return s.Finish(e)
}

// bound looks at a claim that was bound before (syncBoundClaim).
func (b *binding) bound() {
	name := b.claim.Spec.VolumeName
	step := b.out.Step("the volume of a bound claim", binderFile, "syncBoundClaim")
	pv := b.volume(name)
	switch {
	case pv == nil:
		step.Line(name, "does not exist", nil)
		b.out.Verdict = "the claim is Lost: its PersistentVolume " + name + " does not exist"
	case pv.Spec.ClaimRef != nil && pv.Spec.ClaimRef.UID != b.claim.UID:
		step.Line(name, "spec.claimRef", pv.Spec.ClaimRef.Namespace+"/"+pv.Spec.ClaimRef.Name)
		b.out.Verdict = "the claim is Lost: its PersistentVolume " + name + " belongs to another claim"
	default:
		step.Line(name, "spec.claimRef is this claim", nil)
		b.bind(pv)
	}
}

// requested looks at the volume that the claim names (syncUnboundClaim).
func (b *binding) requested() {
	name := b.claim.Spec.VolumeName
	step := b.out.Step("spec.volumeName", binderFile, "syncUnboundClaim")
	pv := b.volume(name)
	switch {
	case pv == nil:
		step.Line(name, "does not exist", nil)
		b.out.Verdict = "nothing: PersistentVolume " + name + " does not exist"
	case pv.Spec.ClaimRef == nil:
		if reason := unsatisfied(b.claim, pv); reason != "" {
			step.Line(name, reason, "does not fit")
			b.out.Verdict = fmt.Sprintf("nothing: PersistentVolume %s does not fit: %s", name, reason)
			return
		}
		b.bind(pv)
	case volume.IsVolumeBoundToClaim(pv, b.claim):
		b.bind(pv)
	default:
		step.Line(name, "spec.claimRef", pv.Spec.ClaimRef.Namespace+"/"+pv.Spec.ClaimRef.Name)
		b.out.Verdict = "nothing: PersistentVolume " + name + " is bound to another claim"
	}
}

// unsatisfied says why a claim cannot have a volume that it names: its phase and its labels do not matter then (checkVolumeSatisfyClaim).
func unsatisfied(claim *corev1.PersistentVolumeClaim, pv *corev1.PersistentVolume) string {
	claim, pv = claim.DeepCopy(), pv.DeepCopy()
	claim.Spec.Selector, pv.Status.Phase = nil, corev1.VolumeAvailable
	return unfit(claim, pv, false)
}

// bind says which of the two objects have to be written so that they refer to each other (bind).
func (b *binding) bind(pv *corev1.PersistentVolume) {
	step := b.out.Step("bind", binderFile, "bind")
	changed := ""
	if _, dirty, err := volume.GetBindVolumeToClaim(pv, b.claim); err == nil && dirty {
		step.Line(pv.Name, "spec.claimRef", b.Key())
		b.out.Act("update", volumes, 1, pv.Name)
		changed = "spec.claimRef"
	}
	if pv.Name != b.claim.Spec.VolumeName || !metav1.HasAnnotation(b.claim.ObjectMeta, volume.AnnBindCompleted) {
		step.Line(b.claim.Name, "spec.volumeName, "+volume.AnnBindCompleted, pv.Name)
		b.out.Act("update", claims, 1, b.claim.Name)
		changed = "spec.volumeName"
	}
	if changed == "" {
		step.Line("nothing", "both refer to each other", nil)
		b.out.Verdict = "nothing: the claim is bound to PersistentVolume " + pv.Name
		return
	}
	b.out.Verdict = "it binds the claim to PersistentVolume " + pv.Name
}
