package verb

import (
	"context"
	"fmt"
	"strconv"

	"k8s.io/apimachinery/pkg/types"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
)

// scaleRow is kubectl scale.
var scaleRow = Row{
	Syntax: format.Syntax{
		Of:  new(Scale),
		Doc: "As kubectl scale.",
		Example: `- scale: {target: deployment/web, replicas: 10}
# There is no such ReplicaSet, and the refusal is the lesson.
- scale: {target: shop/replicaset/web, replicas: 5}
  fails: NotFound
`,
	},
	Commands: []Command{{
		Name: "scale", Args: "KIND/NAME N", About: "set the number of replicas", Parse: parseScale,
		Complete: []Completion{objects(has("scale"))},
	}},
}

// Scale sets spec.replicas through the scale subresource.
type Scale struct {
	Target   string `yaml:"target" required:"true" example:"deployment/web" doc:"KIND/NAME or NAMESPACE/KIND/NAME."`
	Replicas int32  `yaml:"replicas" required:"true" min:"0" example:"3" doc:"Desired number of Pods."`
}

// Keyword implements format.Verb.
func (*Scale) Keyword() string { return "scale" }

// Role implements format.Verb.
func (*Scale) Role() format.Role { return format.Request }

// String implements format.Verb.
func (s *Scale) String() string { return fmt.Sprintf("%s --replicas=%d", s.Target, s.Replicas) }

// Check implements format.Verb.
func (s *Scale) Check(c *format.Checker) {
	c.Target("target", s.Target, "cannot be scaled", has("scale"))
}

// Do implements Verb: a merge patch of the scale subresource.
func (s *Scale) Do(_ context.Context, w World) error {
	target, err := notation.ParseTarget(w.Scenario().Kinds(), s.Target)
	if err != nil {
		return err
	}
	return sendPatch(w, target, types.MergePatchType, "scale",
		map[string]any{"spec": map[string]any{"replicas": s.Replicas}})
}

func parseScale(args []string) (Verb, error) {
	n, err := strconv.ParseInt(args[1], 10, 32)
	if err != nil || n < 0 {
		return nil, fmt.Errorf("%q is not a number of replicas", args[1])
	}
	return &Scale{Target: args[0], Replicas: int32(n)}, nil
}
