package verb

import (
	"cmp"
	"context"
	"errors"

	"github.com/kubestep/kubestep/sim/kinds"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/source"
)

// deleteRow is kubectl delete.
var deleteRow = Row{
	Syntax: format.Syntax{
		Of:  new(Delete),
		Doc: "As kubectl delete. With a selector, it lists the objects and deletes each of them by its name.",
		Example: `- delete: {target: pod/web-0, gracePeriodSeconds: 0}
- delete: {target: shop/pods, selector: "app=web,tier!=db"}
- delete: {target: deployment/web, cascade: orphan}
`,
		Synonyms: map[string]string{
			"rm":     "delete",
			"remove": "delete",
		},
	},
	Commands: []Command{{
		Name: "delete", Args: "KIND/NAME", About: "delete an object, such as a Pod",
		Parse:    func(args []string) (Verb, error) { return &Delete{Target: args[0]}, nil },
		Complete: []Completion{objects(func(k *kinds.Kind) bool { return k.Resource != "nodes" && k.Resource != "namespaces" })},
	}},
}

// Delete removes an object, or all objects of a kind that a selector matches.
type Delete struct {
	Target             string `yaml:"target" required:"true" example:"pod/web-0" doc:"KIND/NAME, NAMESPACE/KIND/NAME, or KIND together with selector."`
	Selector           string `yaml:"selector,omitempty" doc:"Label selector; the target then is a KIND or NAMESPACE/KIND."`
	Cascade            string `yaml:"cascade,omitempty" enum:"background,foreground,orphan" doc:"background (default), foreground or orphan."`
	GracePeriodSeconds *int64 `yaml:"gracePeriodSeconds,omitempty" min:"0" doc:"As kubectl --grace-period; 0 deletes immediately."`
}

// Keyword implements format.Verb.
func (*Delete) Keyword() string { return "delete" }

// Role implements format.Verb.
func (*Delete) Role() format.Role { return format.Request }

// ApplyDefaults implements format.Defaulter.
func (d *Delete) ApplyDefaults() { d.Cascade = cmp.Or(d.Cascade, defaultCascade) }

const defaultCascade = "background"

// String implements format.Verb.
func (d *Delete) String() string {
	text := d.Target
	if d.Selector != "" {
		text += " -l " + d.Selector
	}
	if d.Cascade != "" && d.Cascade != defaultCascade {
		text += " --cascade=" + d.Cascade
	}
	return text
}

// Check implements format.Verb. It requires a name or a selector, but not both.
func (d *Delete) Check(c *format.Checker) {
	if d.Target == "" {
		return
	}
	if !c.IsWritten("selector") {
		_, err := notation.ParseTarget(c.Scenario().Kinds(), d.Target)
		if _, kindErr := notation.ParseTargetKind(c.Scenario().Kinds(), d.Target); err != nil && kindErr == nil {
			err = source.Problem(d.Target+"/NAME, or add selector", "target %q has no name", d.Target)
		}
		c.FailErr("target", err)
		return
	}
	_, err := notation.ParseTargetKind(c.Scenario().Kinds(), d.Target)
	c.FailErr("target", err)
	c.Selector("selector", d.Selector)
}

// Cascades are the policies of a deletion by their names in a file.
var Cascades = map[string]metav1.DeletionPropagation{
	defaultCascade: metav1.DeletePropagationBackground,
	"foreground":   metav1.DeletePropagationForeground, "orphan": metav1.DeletePropagationOrphan,
}

// Do implements Verb, as with --wait=false.
func (d *Delete) Do(_ context.Context, w World) error {
	policy := Cascades[d.Cascade]
	options := metav1.DeleteOptions{PropagationPolicy: &policy, GracePeriodSeconds: d.GracePeriodSeconds}
	if d.Selector != "" {
		target, err := notation.ParseTargetKind(w.Scenario().Kinds(), d.Target)
		if err != nil {
			return err
		}
		return d.each(w, target, options)
	}
	target, err := notation.ParseTarget(w.Scenario().Kinds(), d.Target)
	if err != nil {
		return err
	}
	return remove(w, target, options)
}

// each deletes the objects that the selector matches as kubectl does (DeleteOptions.DeleteResult in k8s.io/kubectl/pkg/cmd/delete): it
// lists them, and sends a request for each, by its name. An object that is gone meanwhile is none that fails, and after another failure it
// continues with the next object.
func (d *Delete) each(w World, target notation.Target, options metav1.DeleteOptions) error {
	list := Request("list", target)
	list.ListOptions = metav1.ListOptions{LabelSelector: d.Selector}
	found, err := send(w, list)
	if err != nil {
		return err
	}
	var failures []error
	err = meta.EachListItem(found, func(object runtime.Object) error {
		accessor, err := meta.Accessor(object)
		if err != nil {
			return err
		}
		target.Name = accessor.GetName()
		if err := remove(w, target, options); err != nil && !apierrors.IsNotFound(err) {
			failures = append(failures, err)
		}
		return nil
	})
	return errors.Join(append(failures, err)...)
}

// remove deletes one object.
func remove(w World, target notation.Target, options metav1.DeleteOptions) error {
	req := Request("delete", target)
	req.DeleteOptions = options
	_, err := send(w, req)
	return err
}
