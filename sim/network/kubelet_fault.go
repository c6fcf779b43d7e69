package network

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubestep/kubestep/sim/network/fault"
	"github.com/kubestep/kubestep/sim/trace"
)

// Rejection is why a kubelet does not admit a Pod.
type Rejection struct {
	// Reason is that of the status of the Pod, and Message tells more.
	Reason, Message string
	// Seq is the record of the fault.
	Seq int64
}

// MayReject reports whether there are rules about Pods that a kubelet is to admit. Any goroutine of the simulation may call it.
func (n *Network) MayReject() bool {
	return slices.ContainsFunc(n.faults.set.Rules(), func(rule *fault.Rule) bool { return rule.Place == fault.Kubelets })
}

// Reject applies the rules to a Pod that the kubelet of its node is to admit, on the engine's goroutine. actor is the kubelet, and cause
// the record of what it reacts to. rejected is false if the kubelet admits the Pod.
func (n *Network) Reject(actor string, pod *corev1.Pod, cause int64) (why Rejection, rejected bool) {
	subject := fault.Subject{
		Actor: actor, Resource: "pods", Namespace: pod.Namespace, Name: pod.Name, Node: pod.Spec.NodeName,
		Object: func() runtime.Object { return pod },
	}
	for _, rule := range n.faults.set.Trigger(fault.Kubelets, n.Engine.Now(), subject) {
		seq := n.Recorder.Emit(&trace.Record{Kind: trace.KindFault, Actor: actor, Cause: cause, Fault: &trace.Fault{
			Rule: rule.Name, Effect: rule.Effect.String(), Verb: trace.VerbAdmit,
			Object: trace.Object{Resource: "pods", Namespace: pod.Namespace, Name: pod.Name},
		}})
		why, rejected = Rejection{rule.Effect.Reject, "an injected fault (" + rule.Name + ")", seq}, true
	}
	return why, rejected
}
