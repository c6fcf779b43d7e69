package place

import (
	"encoding/json"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/reading/compare"
	"github.com/kubestep/kubestep/sim/trace"
)

// A kubelet may reject a Pod that the scheduler has bound to its node: the scheduler does not know all that the kubelet does, and it
// decides on a state that is older. Such a Pod has failed for good. Its controller has to make another one, and only a Pod with a
// controller is a place.

// Binding is the binding of a Pod to a node.
type Binding struct {
	Pod  trace.Object
	Node string
	At   time.Duration
}

// String says which binding it is: binding of pods/web-1 to node-1 at 12ms.
func (b *Binding) String() string {
	return "binding of " + trace.ObjectName(b.Pod) + " to " + b.Node + " at " + notation.Text(Rounded(b.At))
}

// rule is a rule that applies when the kubelet is to admit the Pod, without an effect. The name of the Pod may have had another Pod before.
func (b *Binding) rule() format.FaultRule {
	return format.FaultRule{
		Kubelet: &format.FaultKubelet{Node: b.Node, Namespace: b.Pod.Namespace, Name: b.Pod.Name},
		At:      notation.NewDuration(Rounded(b.At)), Times: 1,
	}
}

// bound notes the Pods that a controller creates, and those that a request binds to a node.
func (l *Look) bound(record *trace.Record) {
	for i := range record.Request.Writes {
		w := &record.Request.Writes[i]
		if w.Resource != "pods" {
			continue
		}
		if w.Op == trace.OpCreate {
			l.owned[w.Object] = compare.Decides(record.Actor)
		}
		for _, change := range w.Changes {
			var node string
			if change.Path != "spec.nodeName" || json.Unmarshal(change.New, &node) != nil || !l.owned[w.Object] {
				continue
			}
			l.add(spot{binding: &Binding{Pod: w.Object, Node: node, At: record.At}})
		}
	}
}
