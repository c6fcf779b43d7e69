package notation

import (
	"strings"

	"k8s.io/apimachinery/pkg/api/validation/path"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/sim/kinds"
)

// Target names an object, or with an empty Name all objects of a kind.
type Target struct {
	Namespace string // empty for kinds that have no namespace
	Resource  string // kind, plural or short name as written, in lower case
	Name      string

	kind *kinds.Kind
}

// NewTarget names an object of a kind.
func NewTarget(kind *kinds.Kind, namespace, name string) Target {
	return Target{Namespace: namespace, Resource: kind.Resource, Name: name, kind: kind}
}

// Kind is the kind of the target.
func (t Target) Kind() *kinds.Kind { return t.kind }

// String is the target as it is written: deployment/web, or shop/deployment/web in another
// namespace than default.
func (t Target) String() string {
	text := t.Resource
	if t.Name != "" {
		text += "/" + t.Name
	}
	if t.Namespace != "" && t.Namespace != metav1.NamespaceDefault {
		return t.Namespace + "/" + text
	}
	return text
}

// ParseTarget reads KIND/NAME or NAMESPACE/KIND/NAME, with a kind of the table. Errors are *Error and say what to write
// instead.
func ParseTarget(table *kinds.Table, text string) (Target, error) {
	parts, err := targetParts(text)
	if err != nil {
		return Target{}, err
	}
	switch len(parts) {
	case 1:
		if table.Named(text) == nil && NearestResource(table, text) == "" {
			return Target{}, source.Problem("deployment/"+text, "target %q has no kind", text)
		}
		return Target{}, source.Problem(text+"/NAME", "target %q has no name", text)
	case 2:
		// shop/deployment is a namespace and a kind, and the name was forgotten.
		if table.Named(parts[0]) == nil && table.Named(parts[1]) != nil {
			return Target{}, source.Problem(text+"/NAME", "target %q has no name", text)
		}
		return newTarget(table, text, "", parts[0], parts[1])
	}
	return newTarget(table, text, parts[0], parts[1], parts[2])
}

// ParseTargetKind reads KIND or NAMESPACE/KIND, for targets that a selector narrows down.
func ParseTargetKind(table *kinds.Table, text string) (Target, error) {
	parts, err := targetParts(text)
	if err != nil {
		return Target{}, err
	}
	switch len(parts) {
	case 1:
		return newTarget(table, text, "", parts[0], "")
	case 2:
		if table.Named(parts[1]) == nil && table.Named(parts[0]) != nil {
			return Target{}, source.Problem(parts[0], "target %q must not have a name", text)
		}
		return newTarget(table, text, parts[0], parts[1], "")
	}
	return Target{}, source.Problem(parts[0]+"/"+parts[1], "target %q must not have a name", text)
}

// targetParts splits a target and repairs kubectl's way of writing one: "deployment web".
func targetParts(text string) ([]string, error) {
	if strings.ContainsAny(text, " \t\n") {
		words := strings.Fields(text)
		if len(words) == 0 {
			return nil, source.Problem("deployment/NAME", "target is empty")
		}
		if len(words) == 3 && (words[1] == "-n" || words[1] == "--namespace") {
			words = []string{words[2], words[0]}
		}
		return nil, source.Problem(strings.Join(words, "/"), "invalid target %q", text)
	}
	parts := strings.Split(text, "/")
	for _, part := range parts {
		if part == "" || len(parts) > 3 {
			return nil, source.Problem("KIND/NAME or NAMESPACE/KIND/NAME", "invalid target %q", text)
		}
	}
	return parts, nil
}

// newTarget checks the three parts of a target; text is the whole of it.
func newTarget(table *kinds.Table, text, namespace, resource, name string) (Target, error) {
	kind := table.Named(resource)
	if kind == nil {
		try := "a kind such as deployment, pod or job"
		if near := NearestResource(table, resource); near != "" {
			try = strings.Replace(text, resource, near, 1)
		}
		return Target{}, source.Problem(try, "unknown kind %q", resource)
	}
	if msgs := path.IsValidPathSegmentName(name); name != "" && len(msgs) > 0 {
		return Target{}, source.Problem("KIND/NAME", "invalid name %q: it %s", name, msgs[0])
	}
	switch {
	case !kind.Namespaced && namespace != "":
		return Target{}, source.Problem(strings.TrimPrefix(text, namespace+"/"), "a %s has no namespace", kind.Kind)
	case !kind.Namespaced:
	case namespace == "":
		namespace = metav1.NamespaceDefault
	case len(validation.IsDNS1123Label(namespace)) > 0:
		return Target{}, source.Problem(LabelFrom(namespace), "%q is not the name of a namespace", namespace)
	}
	return Target{Namespace: namespace, Resource: strings.ToLower(resource), Name: name, kind: kind}, nil
}
