package verb

import (
	"context"
	"io"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/kubectl/pkg/drain"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/sim/kinds"
	"github.com/kubestep/kubestep/sim/network"
)

// cordonRow is kubectl cordon.
var cordonRow = Row{
	Syntax: format.Syntax{
		Of:      new(Cordon),
		Doc:     "As kubectl cordon: no more Pods are scheduled to a node. Its Pods stay.",
		Value:   "node-1",
		Example: "- cordon: node-1\n",
	},
	Commands: []Command{{
		Name: "cordon", Args: "NODE", About: "keep new Pods away from a node",
		Parse:    func(args []string) (Verb, error) { node := Cordon(args[0]); return &node, nil },
		Complete: []Completion{nodes},
	}},
}

// Cordon marks a node as unschedulable.
type Cordon string

// Keyword implements format.Verb.
func (*Cordon) Keyword() string { return "cordon" }

// Role implements format.Verb.
func (*Cordon) Role() format.Role { return format.Request }

// String implements format.Verb.
func (n *Cordon) String() string { return string(*n) }

// Check implements format.Verb.
func (n *Cordon) Check(c *format.Checker) { checkNode(c, "", string(*n)) }

// Do implements Verb.
func (n *Cordon) Do(ctx context.Context, w World) error {
	return cordon(drainer(ctx, w), string(*n), true)
}

// checkNode checks that text is the name of a node, and not KIND/NAME, as kubectl cordon does. Whether there is such a node is known when
// the step is taken: a step may have created it.
func checkNode(c *format.Checker, field, text string) {
	if i := strings.LastIndex(text, "/"); i >= 0 {
		c.Fail(field, text[i+1:], "%q is not the name of a node", text)
	}
}

// nodes are the names of the nodes that there are.
func nodes(s Scene, _ []string) []string {
	var names []string
	for _, node := range s.Objects(func(k *kinds.Kind) bool { return k.Resource == "nodes" }) {
		names = append(names, strings.TrimPrefix(node, "node/"))
	}
	return names
}

// drainer is what kubectl cordon and kubectl drain make their requests with: a client over HTTP, since that ends a request when its time
// is over, also while it waits to try again, and has discovery. Its messages are not shown: the trace has the requests.
func drainer(ctx context.Context, w World) *drain.Helper {
	return &drain.Helper{
		Ctx: ctx, GracePeriodSeconds: -1, Out: io.Discard, ErrOut: io.Discard,
		Client: kubernetes.NewForConfigOrDie(&rest.Config{
			Host: network.Host, Transport: w.Simulation().RoundTripper(User), UserAgent: User, QPS: -1,
		}),
	}
}

// cordon marks a node as unschedulable or not, unless it is so already.
func cordon(d *drain.Helper, name string, unschedulable bool) error {
	node, err := d.Client.CoreV1().Nodes().Get(d.Ctx, name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	return drain.RunCordonOrUncordon(d, node, unschedulable)
}
