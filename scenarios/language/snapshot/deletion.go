package snapshot

import (
	"fmt"
	"slices"
	"strings"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/duration"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
	volumeutil "k8s.io/kubernetes/pkg/volume/util"

	"github.com/kubestep/kubestep/scenarios/language/format"
)

// overdueAfter is how long after its deletionTimestamp an object is overdue: controllers and kubelets need some seconds.
const overdueAfter = time.Minute

// removers are the controllers that remove a finalizer when it is time.
var removers = map[string]string{
	metav1.FinalizerDeleteDependents:  names.GarbageCollectorController,
	metav1.FinalizerOrphanDependents:  names.GarbageCollectorController,
	batchv1.JobTrackingFinalizer:      names.JobController,
	volumeutil.PVCProtectionFinalizer: names.PersistentVolumeClaimProtectionController,
	volumeutil.PVProtectionFinalizer:  names.PersistentVolumeProtectionController,
}

// deletions keeps the objects that should have been removed long before the dump, and says why they stay.
func (s *snapshot) deletions() {
	for _, o := range s.objects {
		if !s.isOverdue(o) {
			continue
		}
		due := o.GetDeletionTimestamp()
		reason := s.kept(o)
		if reason == "" {
			continue
		}
		s.report.States = append(s.report.States, fmt.Sprintf("%s should have been removed by %s, %s before the dump: %s",
			title(o), due.UTC().Format(time.RFC3339), duration.HumanDuration(s.at.Sub(due.Time)), reason))
	}
}

// isOverdue reports whether an object should have been removed long before the dump.
func (s *snapshot) isOverdue(o metav1.Object) bool {
	due := o.GetDeletionTimestamp()
	return due != nil && s.at.Sub(due.Time) > overdueAfter
}

// kept says what keeps an overdue object; empty if nothing does.
func (s *snapshot) kept(o *unstructured.Unstructured) string {
	switch {
	case o.GetKind() == "Pod":
		return s.keptPod(o)
	case o.GetKind() == "Namespace":
		return s.keptNamespace(o)
	}
	return s.finalized(o)
}

// keptPod says what keeps an overdue Pod. A kubelet that answers and does not stop it is a rule of spec.cluster.pods.
func (s *snapshot) keptPod(o *unstructured.Unstructured) string {
	node, _, _ := unstructured.NestedString(o.Object, "spec", "nodeName")
	phase, _, _ := unstructured.NestedString(o.Object, "status", "phase")
	ended := phase == string(corev1.PodSucceeded) || phase == string(corev1.PodFailed)
	switch found := s.byTitle["Node "+node]; {
	case node == "", ended && len(o.GetFinalizers()) > 0:
		return s.finalized(o)
	case found == nil:
		s.hangs = append(s.hangs, o)
		return "its node " + node + " does not exist, and " + names.PodGarbageCollectorController + " removes it"
	case !isReady(found):
		return "its node " + node + " is not Ready, so nobody stops it"
	}
	s.hangs = append(s.hangs, o)
	reason := "its kubelet does not stop it (terminate: never in spec.cluster.pods)"
	if text := s.finalized(o); text != "" {
		reason += ", and " + text
	}
	return reason
}

// hanging are the rules for Pods that their kubelets do not stop.
func (s *snapshot) hanging() (rules []podRule) {
	for _, o := range s.hangs {
		rules = append(rules, podRule{Match: format.PodMatch{Namespace: o.GetNamespace(), Name: o.GetName()}, Terminate: "never"})
	}
	return rules
}

// finalized says who removes the finalizers of an object.
func (s *snapshot) finalized(o *unstructured.Unstructured) string {
	var reasons []string
	for _, finalizer := range o.GetFinalizers() {
		remover := removers[finalizer]
		switch {
		case remover == "":
			reasons = append(reasons, "no controller of the scenario removes the finalizer "+finalizer)
		case slices.Contains(s.controllers(), remover):
			reasons = append(reasons, fmt.Sprintf("%s removes the finalizer %s when nothing needs it any more", remover, finalizer))
		default:
			reasons = append(reasons, fmt.Sprintf("%s, which removes the finalizer %s, does not run", remover, finalizer))
		}
	}
	return strings.Join(reasons, ", and ")
}
