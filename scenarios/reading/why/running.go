package why

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kubernetes/pkg/api/v1/pod"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/verdict/liveness"
	"github.com/kubestep/kubestep/sim/trace"
)

// podWants is what a Pod wants besides its goals.
const podWants = "A Pod runs on a node and is Ready, until it ends or is deleted."

// running is the answer for a Pod that is not Ready and for a node that is not: what they want, no controller can bring about.
// It is nil for all other objects.
func (i *Instant) running(o trace.Object) *Answer {
	a := &Answer{Object: o, At: i.at, Verdict: Waiting, undated: i.dump != nil}
	switch object := i.object(o).(type) {
	case *corev1.Pod:
		if pod.IsPodTerminal(object) || pod.IsPodReady(object) && object.DeletionTimestamp == nil {
			return nil
		}
		a.Wants, a.Lacks, a.Controller = podWants, "it is not Ready", "kubelet"
		a.Upstream = "https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/"
		switch {
		case object.Spec.NodeName == "":
			a.Lacks, a.Controller = "it is not scheduled", trace.SchedulerActor
		case object.DeletionTimestamp != nil:
			a.Lacks = "it is terminating"
		}
		a.Holds = append(a.Holds, i.podHolds(object)...)
		if node := object.Spec.NodeName; node != "" && i.runsKubelet(node) {
			a.Process, a.Due, a.Pulls = controllers.KubeletProcess(node), i.dues(object), i.waited(object)
			if state := i.Process(a.Process).State; state == Dead || state == Paused {
				a.Verdict = Held
			}
			if _, controller := i.volumeHolds(object); controller != "" {
				a.Controller, a.Process = controller, ""
				if process := i.process(i.actor(controller, "")); process != controller {
					a.Process = process
				}
			}
		}
		if text := liveness.Remains(world{i}, object); text != "" && object.DeletionTimestamp == nil {
			a.Holds = append(a.Holds, text)
		}
	case *corev1.Node:
		text := i.nodeHold(o.Name)
		if text == "" {
			return nil
		}
		a.Wants, a.Lacks, a.Controller = "A node is Ready: its kubelet posts its status.", "it is not Ready", "kubelet"
		a.Holds = []string{text}
		a.Upstream = "monitorNodeHealth in k8s.io/kubernetes/pkg/controller/nodelifecycle/node_lifecycle_controller.go"
	default:
		return nil
	}
	if p, ok := i.object(o).(*corev1.Pod); ok && a.Controller == trace.SchedulerActor {
		i.scheduling(a, p)
	} else {
		i.placed(a)
	}
	if i.dump == nil {
		a.Later = i.later(i.change(o))
	}
	return a
}

// isControlled reports whether an object has a controller.
func (i *Instant) isControlled(o trace.Object) bool {
	object, err := meta.Accessor(i.object(o))
	return err == nil && metav1.GetControllerOfNoCopy(object) != nil
}
