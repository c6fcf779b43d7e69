package verb

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubectl/pkg/polymorphichelpers"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/sim/kinds"
)

// setImageRow is kubectl set image.
var setImageRow = Row{
	Manager: ManagerSet,
	Syntax: format.Syntax{
		Of:  new(SetImage),
		Doc: "As kubectl set image.",
		Example: `- after: 30s
  set-image: {target: deployment/web, container: c, image: "web:v2"}
`,
		Synonyms: map[string]string{
			"image": "set-image: {target: deployment/NAME, image: IMAGE}",
			"set":   "set-image: {target: deployment/NAME, image: IMAGE}",
		},
	},
	Commands: []Command{{
		Name: "set-image", Args: "KIND/NAME [CONTAINER=]IMAGE", About: "set the image", Parse: parseSetImage,
		// It works on whatever has a Pod's spec; what people want is a rollout.
		Complete: []Completion{objects(notation.RollsOut("status"))},
	}},
}

// SetImage changes the image of one container of a pod template.
type SetImage struct {
	Target    string `yaml:"target" required:"true" example:"deployment/web" doc:"KIND/NAME or NAMESPACE/KIND/NAME."`
	Container string `yaml:"container,omitempty" doc:"Name of the container; optional if there is only one. * means all."`
	Image     string `yaml:"image" required:"true" example:"'web:v2'" doc:"The new image."`
}

// Keyword implements format.Verb.
func (*SetImage) Keyword() string { return "set-image" }

// Role implements format.Verb.
func (*SetImage) Role() format.Role { return format.Request }

// String implements format.Verb.
func (s *SetImage) String() string {
	return fmt.Sprintf("%s %s=%s", s.Target, cmp.Or(s.Container, "*"), s.Image)
}

// hasPodSpec are the kinds that kubectl set image works on.
func hasPodSpec(k *kinds.Kind) bool { return k.PodSpec != "" }

// Check implements format.Verb.
func (s *SetImage) Check(c *format.Checker) {
	c.Target("target", s.Target, "has no containers", hasPodSpec)
	if strings.ContainsAny(s.Image, " \t\n") {
		c.Fail("image", strings.Join(strings.Fields(s.Image), ""), "invalid image %q", s.Image)
	}
}

// Do implements Verb: a strategic merge patch that names the containers.
func (s *SetImage) Do(_ context.Context, w World) error {
	target, err := notation.ParseTarget(w.Scenario().Kinds(), s.Target)
	if err != nil {
		return err
	}
	live, err := get(w, target)
	if err != nil {
		return err
	}
	var all []corev1.Container
	if _, err := polymorphichelpers.UpdatePodSpecForObjectFn(live, func(spec *corev1.PodSpec) error {
		all = slices.Clone(spec.Containers)
		return nil
	}); err != nil {
		return err
	}
	var containers []any
	for _, container := range all {
		if name := s.Container; name == container.Name || name == "*" || name == "" && len(all) == 1 {
			containers = append(containers, map[string]any{"name": container.Name, "image": s.Image})
		}
	}
	if len(containers) == 0 {
		names := make([]string, len(all))
		for n, container := range all {
			names[n] = container.Name
		}
		return w.Scenario().Errorf(path(w, "container"), "container: "+names[0],
			"%s has no container %q, but %v", target, s.Container, names)
	}
	var body any = map[string]any{"containers": containers}
	for _, field := range slices.Backward(strings.Split(target.Kind().PodSpec, ".")) {
		body = map[string]any{field: body}
	}
	return sendPatch(w, target, types.StrategicMergePatchType, "", body)
}

func parseSetImage(args []string) (Verb, error) {
	s := &SetImage{Target: args[0], Image: args[1]}
	if container, image, ok := strings.Cut(args[1], "="); ok {
		s.Container, s.Image = container, image
	}
	return s, nil
}
