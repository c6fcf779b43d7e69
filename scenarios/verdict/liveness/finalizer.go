package liveness

import (
	"fmt"
	"slices"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
	"k8s.io/kubernetes/pkg/controller/servicecidrs"
	"k8s.io/kubernetes/pkg/volume/util"
)

// removers are the controllers that remove finalizers, by finalizer.
var removers = map[string]string{
	metav1.FinalizerDeleteDependents:                      names.GarbageCollectorController,
	metav1.FinalizerOrphanDependents:                      names.GarbageCollectorController,
	batchv1.JobTrackingFinalizer:                          names.JobController,
	util.PVCProtectionFinalizer:                           names.PersistentVolumeClaimProtectionController,
	util.PVProtectionFinalizer:                            names.PersistentVolumeProtectionController,
	util.VACProtectionFinalizer:                           names.VolumeAttributesClassProtectionController,
	servicecidrs.ServiceCIDRProtectionFinalizer:           names.ServiceCIDRController,
	resourcev1.Finalizer:                                  names.ResourceClaimController,
	"service.kubernetes.io/load-balancer-cleanup":         "service-lb-controller in cloud-controller-manager",
	"external-provisioner.volume.kubernetes.io/finalizer": "the external provisioner of its volume",
}

// removals is the goal of what no goal of a controller covers.
var removals = Goal{
	Sentence: "An object that is being deleted is removed when it has no finalizers. A Pod is removed when its kubelet has stopped it.",
	Upstream: "https://kubernetes.io/docs/concepts/overview/working-with-objects/finalizers/",
	lack: func(v *view, object runtime.Object) *Lack {
		o, err := meta.Accessor(object)
		if err != nil || o.GetDeletionTimestamp() == nil {
			return nil
		}
		if _, ok := object.(*corev1.Namespace); ok {
			return nil
		}
		if p, ok := object.(*corev1.Pod); ok && len(p.Finalizers) == 0 {
			return v.stopping(p)
		}
		var texts []string
		for _, finalizer := range o.GetFinalizers() {
			if who := v.remover(finalizer); who != "" {
				texts = append(texts, who)
			}
		}
		if len(texts) == 0 {
			return nil
		}
		return &Lack{
			Missing: "it is being deleted, but has " + finalizers(o),
			For:     strings.Join(texts, "; "),
		}
	},
}

func finalizers(o metav1.Object) string {
	all := o.GetFinalizers()
	if len(all) == 1 {
		return "the finalizer " + all[0]
	}
	return "the finalizers " + strings.Join(all, ", ")
}

// explained are the controllers whose goals say more about a finalizer than who removes it.
var explained = []string{names.GarbageCollectorController, names.JobController, names.PersistentVolumeClaimProtectionController,
	names.PersistentVolumeProtectionController}

// remover says who has to remove a finalizer; empty if the goal of a controller says it.
func (v *view) remover(finalizer string) string {
	who, known := removers[finalizer]
	if driver, ok := strings.CutPrefix(finalizer, "external-attacher/"); ok {
		who, known = "the external attacher of the CSI driver "+driver, true
	}
	switch {
	case !known:
		return fmt.Sprintf("the removal of the finalizer %s, by whoever added it", finalizer)
	case who == names.GarbageCollectorController, slices.Contains(explained, who) && v.works(who):
		return ""
	case strings.HasSuffix(who, "-controller") && !v.works(who):
		return fmt.Sprintf("%s, which removes the finalizer %s, and does not run", who, finalizer)
	}
	return fmt.Sprintf("the removal of the finalizer %s, by %s", finalizer, who)
}

// stopping says what a Pod that is terminating waits for.
func (v *view) stopping(p *corev1.Pod) *Lack {
	lack := &Lack{Missing: "it is being deleted, but still exists"}
	node := v.node(p.Spec.NodeName)
	switch {
	case p.Spec.NodeName == "":
		return nil // it is removed at once
	case node == nil && v.has(corev1.Resource("nodes")):
		return nil // that is for the garbage collector of Pods
	case node == nil:
		lack.For = "the kubelet of " + p.Spec.NodeName + " to stop it"
	case v.brokenNode(p) != nil:
		lack.await(corev1.Resource("nodes"), node, fmt.Sprintf("node %s, which is not Ready, and whose kubelet has to stop it", node.Name))
	default:
		lack.await(corev1.Resource("nodes"), node, fmt.Sprintf("node %s, whose kubelet has to stop it", node.Name))
	}
	return lack
}
