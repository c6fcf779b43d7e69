package verb

import (
	"context"

	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
)

// evictRow is what kubectl drain does with each Pod.
var evictRow = Row{
	Syntax: format.Syntax{
		Of: new(Evict),
		Doc: "As kubectl drain does with each Pod: a deletion that checks the PodDisruptionBudgets first. pod/NAME or " +
			"NAMESPACE/pod/NAME. It fails with TooManyRequests if a budget does not allow it.",
		Value: "pod/web-0",
		Example: `- evict: pod/web-0
# The budget has no Pod to spare, and the refusal is the lesson.
- evict: shop/pod/web-1
  fails: TooManyRequests
`,
	},
	Commands: []Command{{
		Name: "evict", Args: "pod/NAME", About: "evict a Pod, as kubectl drain does",
		Parse:    func(args []string) (Verb, error) { pod := Evict(args[0]); return &pod, nil },
		Complete: []Completion{objects(has("eviction"))},
	}},
}

// Evict deletes a Pod if its PodDisruptionBudgets allow it.
type Evict string

// Keyword implements format.Verb.
func (*Evict) Keyword() string { return "evict" }

// Role implements format.Verb.
func (*Evict) Role() format.Role { return format.Request }

// String implements format.Verb.
func (e *Evict) String() string { return string(*e) }

// Check implements format.Verb.
func (e *Evict) Check(c *format.Checker) {
	c.Target("", string(*e), "cannot be evicted", has("eviction"))
}

// Do implements Verb.
func (e *Evict) Do(_ context.Context, w World) error {
	target, err := notation.ParseTarget(w.Scenario().Kinds(), string(*e))
	if err != nil {
		return err
	}
	req := Request("create", target)
	req.Subresource = "eviction"
	req.Object = &policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Name: target.Name, Namespace: target.Namespace}}
	_, err = send(w, req)
	return err
}
