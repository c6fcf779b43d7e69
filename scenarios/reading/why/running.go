package why

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
	"k8s.io/kubernetes/pkg/api/v1/pod"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/verdict/liveness"
	"github.com/kubestep/kubestep/sim/recording"
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
		if !i.runningPod(a, object) {
			return nil
		}
	case *corev1.Node:
		text, silence := i.nodeHold(o.Name), i.silence(o.Name)
		a.Wants, a.Controller = "A node is Ready: its kubelet posts its status.", "kubelet"
		switch {
		case text != "":
			a.Lacks, a.Holds = "it is not Ready", append([]string{text}, silence...)
		case len(silence) > 0:
			a.Lacks, a.Holds = "it is Ready, but its kubelet does not post its status", silence
			if !i.runs[names.NodeLifecycleController] {
				a.Verdict = Held
			}
		default:
			return nil
		}
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

// runningPod completes an answer for a Pod; false if the Pod is Ready, or has ended.
func (i *Instant) runningPod(a *Answer, p *corev1.Pod) bool {
	node := p.Spec.NodeName
	ready := pod.IsPodReady(p) && p.DeletionTimestamp == nil
	silence := node != "" && len(i.silence(node)) > 0
	if pod.IsPodTerminal(p) || ready && !silence {
		return false
	}
	a.Wants, a.Lacks, a.Controller = podWants, "it is not Ready", "kubelet"
	a.Upstream = "https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/"
	switch {
	case node == "":
		a.Lacks, a.Controller = "it is not scheduled", trace.SchedulerActor
	case ready:
		a.Lacks = "it is Ready in the API server, but no kubelet reports what it does"
	case p.DeletionTimestamp != nil:
		a.Lacks = "it is terminating"
	}
	a.Holds = append(a.Holds, i.podHolds(p)...)
	if silence {
		a.Verdict = Held
	}
	if node != "" && i.runsKubelet(node) {
		a.Process, a.Due, a.Pulls = controllers.KubeletProcess(node), i.dues(p), i.waited(p)
		if _, controller := i.volumeHolds(p); controller != "" {
			a.Controller, a.Process = controller, ""
			if process := i.process(i.actor(controller, "")); process != controller {
				a.Process = process
			}
		}
	}
	if text := liveness.Remains(world{i}, p); text != "" && p.DeletionTimestamp == nil {
		a.Holds = append(a.Holds, text)
	}
	return true
}

// unreported adds to an answer about a workload that has what it wants that no kubelet reports some of its Pods.
func (i *Instant) unreported(a *Answer) {
	if a.Object.Resource == "pods" || !i.isAnySilent() {
		return
	}
	var pods, silent int
	for _, kin := range below(a.Object, i.rec.Family(a.Object, i.seq)) {
		if p, ok := i.object(kin.Object).(*corev1.Pod); ok {
			pods++
			if silence := i.silence(p.Spec.NodeName); len(silence) > 0 {
				silent++
				a.Holds = silence
			}
		}
	}
	if silent > 0 {
		a.Note = fmt.Sprintf("no kubelet reports what %d of its %s do, so its status may be out of date", silent, trace.Count(pods, "Pod"))
	}
}

// isAnySilent reports whether any kubelet does not run, or reaches nobody.
func (i *Instant) isAnySilent() bool {
	for process := range i.processes {
		if strings.HasPrefix(process, controllers.KubeletProcess("")) && i.Process(process).State != Runs {
			return true
		}
	}
	return false
}

// below are the objects of a tree of owners that are below one of them.
func below(o trace.Object, family []recording.Kin) []recording.Kin {
	top := slices.IndexFunc(family, func(kin recording.Kin) bool { return kin.Object == o })
	if top < 0 {
		return nil
	}
	of := family[top+1:]
	if end := slices.IndexFunc(of, func(kin recording.Kin) bool { return kin.Depth <= family[top].Depth }); end >= 0 {
		of = of[:end]
	}
	return of
}

// isControlled reports whether an object has a controller.
func (i *Instant) isControlled(o trace.Object) bool {
	object, err := meta.Accessor(i.object(o))
	return err == nil && metav1.GetControllerOfNoCopy(object) != nil
}
