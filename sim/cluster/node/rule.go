package node

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubestep/kubestep/sim/cluster/glob"
)

// Delay is a duration that is drawn from the seed, or never.
type Delay struct {
	Min, Max time.Duration
	Never    bool
}

// Rule describes the lifecycle of the pods that it matches.
type Rule struct {
	Match Match
	// Ready is the time from binding to Running and Ready.
	Ready Delay
	// Complete and Fail are the times from Running to Succeeded and to Failed; nil means neither.
	Complete, Fail *Delay
	// ExitCode is the exit code of a container that fails.
	ExitCode int32
	// Terminate is the time from deletionTimestamp to removal.
	Terminate Delay
}

// Match selects pods; every field that is set must match.
type Match struct {
	// Image, Name and Node are globs, as in package glob.
	Image, Name, Node string
	Namespace         string
	Labels            labels.Selector
	OwnerKind         string
	RestartPolicy     corev1.RestartPolicy
}

func (m Match) matches(pod *corev1.Pod) bool {
	if m.Namespace != "" && m.Namespace != pod.Namespace {
		return false
	}
	if m.Name != "" && !glob.Matches(m.Name, pod.Name) || m.Node != "" && !glob.Matches(m.Node, pod.Spec.NodeName) {
		return false
	}
	if m.Labels != nil && !m.Labels.Matches(labels.Set(pod.Labels)) {
		return false
	}
	if m.RestartPolicy != "" && m.RestartPolicy != pod.Spec.RestartPolicy {
		return false
	}
	if m.OwnerKind != "" {
		if owner := metav1.GetControllerOf(pod); owner == nil || owner.Kind != m.OwnerKind {
			return false
		}
	}
	return m.Image == "" || m.matchesImage(pod)
}

func (m Match) matchesImage(pod *corev1.Pod) bool {
	for _, container := range pod.Spec.Containers {
		if glob.MatchesImage(m.Image, container.Image) {
			return true
		}
	}
	return false
}
