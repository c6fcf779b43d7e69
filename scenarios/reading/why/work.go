package why

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	podutil "k8s.io/kubernetes/pkg/api/v1/pod"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/reading/why/internal/lifecycle"
	"github.com/kubestep/kubestep/sim/trace"
)

// Work is what the worker of a Pod, which is a part of upstream's kubelet, does.
type Work struct {
	Pod  trace.Object
	Node string
	// Does is what it does, in a few words. Waits means that the Pod is not what it is meant to be.
	Does  string
	Waits bool
}

// Words are those for virtual times: when something began, and when it is due. Due is empty for a time that nobody may know yet.
type Words struct{ Since, Due func(at time.Duration) string }

// Works are what the workers of upstream's kubelets do with their Pods, by node and Pod.
func (i *Instant) Works(words Words) (works []Work) {
	for _, o := range i.rec.Replay.Objects("pods", i.seq) {
		p, ok := i.object(o).(*corev1.Pod)
		if !ok || p.Spec.NodeName == "" || !i.runsKubelet(p.Spec.NodeName) {
			continue
		}
		works = append(works, i.work(o, p, words))
	}
	slices.SortStableFunc(works, func(a, b Work) int { return strings.Compare(a.Node, b.Node) })
	return works
}

// work is what a worker does.
func (i *Instant) work(o trace.Object, p *corev1.Pod, words Words) Work {
	w := Work{Pod: o, Node: p.Spec.NodeName, Waits: true}
	reasons := i.reasons(p)
	switch {
	case i.Process(controllers.KubeletProcess(w.Node)).State != Runs:
		w.Does = "nothing: its kubelet does not run"
	case len(reasons) > 0:
		epoch := i.rec.Epoch()
		w.Does = lifecycle.Brief(reasons[0], lifecycle.Words{
			Since: func(at time.Time) string { return words.Since(at.Sub(epoch)) },
			Due:   func(at time.Time) string { return words.Due(at.Sub(epoch)) },
		})
		if more := len(reasons) - 1; more > 0 {
			w.Does += ", and " + trace.Count(more, "other wait")
		}
	case podutil.IsPodTerminal(p):
		w.Does, w.Waits = "has ended: "+string(p.Status.Phase), false
	case p.DeletionTimestamp != nil:
		w.Does = "ends the Pod"
	case podutil.IsPodReady(p):
		w.Does, w.Waits = "runs", false
	case len(p.Status.ContainerStatuses) == 0:
		w.Does = "starts the Pod"
	default:
		w.Does = "waits"
	}
	return w
}
