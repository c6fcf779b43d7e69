package snapshot

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
)

// jobRun is how long a Pod of a Job runs, which no dump tells.
const jobRun = "30s"

// podRule is a rule of spec.cluster.pods.
type podRule struct {
	Match    format.PodMatch `yaml:"match,flow"`
	Ready    string          `yaml:"ready,omitempty"`
	Complete string          `yaml:"complete,omitempty"`

	Terminate string `yaml:"terminate,omitempty"`
}

// podRules says how the kubelets continue with the Pods: an image of which no Pod was ready never gets ready, and
// neither does a single Pod that was not.
func (s *snapshot) podRules() []podRule {
	images := map[string][]*corev1.Pod{} // by the image of a container
	ready := map[string]bool{}
	jobs := false
	var waiting []*corev1.Pod
	for _, pod := range s.pods() {
		stuck := stuckContainers(pod)
		for _, container := range pod.Spec.Containers {
			if slices.Contains(stuck, container.Name) {
				images[container.Image] = append(images[container.Image], pod)
			} else if len(stuck) == 0 {
				ready[container.Image] = true
			}
		}
		if len(stuck) > 0 {
			waiting = append(waiting, pod)
		}
		jobs = jobs || slices.ContainsFunc(pod.OwnerReferences, isJob) && pod.Status.Phase == corev1.PodRunning
	}
	rules := s.hanging()
	covered := map[*corev1.Pod]bool{}
	for _, image := range sortedKeys(images) {
		if ready[image] || s.kubelets.Images[image] {
			continue
		}
		rules = append(rules, podRule{Match: format.PodMatch{Image: image}, Ready: "never"})
		for _, pod := range images[image] {
			covered[pod] = true
		}
		s.report.Warnings = append(s.report.Warnings, fmt.Sprintf(
			"no Pod with the image %s was ready, so none becomes ready: see spec.cluster.pods", image))
	}
	for _, pod := range waiting {
		if !covered[pod] {
			rules = append(rules, podRule{Match: format.PodMatch{Namespace: pod.Namespace, Name: pod.Name}, Ready: "never"})
			s.report.Warnings = append(s.report.Warnings, fmt.Sprintf(
				"Pod %s/%s was not ready and does not become ready: see spec.cluster.pods", pod.Namespace, pod.Name))
		}
	}
	for _, image := range sortedKeys(s.kubelets.Images) {
		if !s.kubelets.Images[image] && !ready[image] && images[image] == nil {
			rules = append(rules, podRule{Match: format.PodMatch{Image: image}, Ready: "never"})
			s.report.Warnings = append(s.report.Warnings, fmt.Sprintf(
				"according to the log, no container with the image %s became ready, so none does: see spec.cluster.pods", image))
		}
	}
	switch requested := slices.Contains(s.requested, "Job") || slices.Contains(s.requested, "CronJob"); {
	case (jobs || requested) && s.kubelets.Ran > 0:
		rules = append(rules, podRule{Match: format.PodMatch{OwnerKind: "Job"}, Complete: notation.Text(s.kubelets.Ran)})
		s.report.Warnings = append(s.report.Warnings, "Pods of Jobs run as long as the first one in the log: see spec.cluster.pods")
	case jobs || requested:
		rules = append(rules, podRule{Match: format.PodMatch{OwnerKind: "Job"}, Complete: jobRun})
		s.report.Warnings = append(s.report.Warnings, "the run time of Pods of Jobs is a guess: see spec.cluster.pods")
	}
	return rules
}

// pods are the Pods, typed.
func (s *snapshot) pods() []*corev1.Pod {
	var pods []*corev1.Pod
	for _, o := range s.objects {
		pod := &corev1.Pod{}
		if o.GetKind() == "Pod" && runtime.DefaultUnstructuredConverter.FromUnstructured(o.Object, pod) == nil {
			pods = append(pods, pod)
		}
	}
	return pods
}

// stuckContainers are those of a bound Pod that neither work nor are done, and do not just start: their image cannot
// be pulled, they crash, or a probe fails.
func stuckContainers(pod *corev1.Pod) []string {
	if pod.Spec.NodeName == "" || pod.DeletionTimestamp != nil {
		return nil
	}
	var stuck []string
	for _, status := range pod.Status.ContainerStatuses {
		waiting := status.State.Waiting
		switch {
		case status.Ready || status.State.Terminated != nil && pod.Status.Phase != corev1.PodRunning:
		case waiting != nil && (waiting.Reason == "ContainerCreating" || waiting.Reason == "PodInitializing"):
		case waiting != nil, pod.Status.Phase == corev1.PodRunning:
			stuck = append(stuck, status.Name)
		}
	}
	return stuck
}

// unscheduled warns of Pods that no node took: a dump does not always have everything that kept them from it.
func (s *snapshot) unscheduled() {
	var names []string
	for _, pod := range s.pods() {
		if pod.Spec.NodeName == "" && pod.Status.Phase == corev1.PodPending && pod.DeletionTimestamp == nil {
			names = append(names, pod.Namespace+"/"+pod.Name)
		}
	}
	if len(names) > 0 {
		s.report.Warnings = append(s.report.Warnings, "Pods waited for a node; kube-scheduler tries them again with what the dump has of "+
			"nodes, Pods and volumes, so it may bind them: "+some(names))
	}
}
