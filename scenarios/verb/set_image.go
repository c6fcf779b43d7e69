package verb

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/kubestep/kubestep/sim/kinds"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubestep/kubestep/scenarios/format"
	"github.com/kubestep/kubestep/scenarios/notation"
)

// setImageRow is kubectl set image.
var setImageRow = Row{
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
		Name: "set-image", Args: "KIND/NAME [CONTAINER=]IMAGE", About: "give the Pods a new image", Parse: parseSetImage,
		// It works on whatever has a Pod's spec; what people want is a rollout.
		Complete: []Completion{objects(notation.RollsOut("status"))},
	}},
}

// SetImage changes the image of one container of a pod template.
type SetImage struct {
	Target    string `yaml:"target" required:"true" example:"deployment/web" doc:"KIND/NAME or NAMESPACE/KIND/NAME."`
	Container string `yaml:"container,omitempty" doc:"Name of the container; may be left out when there is one only, and * means all."`
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
	target, err := notation.ParseTarget(s.Target)
	if err != nil {
		return err
	}
	live, err := get(w, target)
	if err != nil {
		return err
	}
	template, at := podTemplate(live)
	if template == nil {
		return w.Scenario().Errorf(path(w, "target"), "deployment/web", "%s has no pod template", target)
	}
	var containers []any
	for _, container := range template.Containers {
		if name := s.Container; name == container.Name || name == "*" || name == "" && len(template.Containers) == 1 {
			containers = append(containers, map[string]any{"name": container.Name, "image": s.Image})
		}
	}
	if len(containers) == 0 {
		names := make([]string, len(template.Containers))
		for n, container := range template.Containers {
			names[n] = container.Name
		}
		return w.Scenario().Errorf(path(w, "container"), "container: "+names[0],
			"%s has no container %q, but %v", target, s.Container, names)
	}
	var body any = map[string]any{"containers": containers}
	for n := len(at) - 1; n >= 0; n-- {
		body = map[string]any{at[n]: body}
	}
	return sendPatch(w, target, types.StrategicMergePatchType, "", body)
}

// podTemplate finds the pod spec in a workload, and the path that leads to it.
func podTemplate(obj runtime.Object) (*corev1.PodSpec, []string) {
	inTemplate := []string{"spec", "template", "spec"}
	switch o := obj.(type) {
	case *appsv1.Deployment:
		return &o.Spec.Template.Spec, inTemplate
	case *appsv1.ReplicaSet:
		return &o.Spec.Template.Spec, inTemplate
	case *appsv1.StatefulSet:
		return &o.Spec.Template.Spec, inTemplate
	case *appsv1.DaemonSet:
		return &o.Spec.Template.Spec, inTemplate
	case *batchv1.Job:
		return &o.Spec.Template.Spec, inTemplate
	case *batchv1.CronJob:
		return &o.Spec.JobTemplate.Spec.Template.Spec, []string{"spec", "jobTemplate", "spec", "template", "spec"}
	case *corev1.ReplicationController:
		return &o.Spec.Template.Spec, inTemplate
	case *corev1.Pod:
		return &o.Spec, []string{"spec"}
	}
	return nil, nil
}

func parseSetImage(args []string) (Verb, error) {
	s := &SetImage{Target: args[0], Image: args[1]}
	if container, image, ok := strings.Cut(args[1], "="); ok {
		s.Container, s.Image = container, image
	}
	return s, nil
}
