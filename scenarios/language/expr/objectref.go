package expr

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubestep/kubestep/sim/kinds"
)

// defaultNamespace is where objects are looked for when a condition names no namespace.
const defaultNamespace = "default"

// allNamespaces in the place of a namespace means every one.
const allNamespaces = "*"

// objectRef names one object: KIND/NAME or NAMESPACE/KIND/NAME, as the targets of a scenario's steps.
type objectRef struct {
	kind            *kinds.Kind
	namespace, name string
}

func (s *typeTable) parseObjectRef(text string) (objectRef, error) {
	parts := strings.Split(text, "/")
	for _, part := range parts {
		if part == "" || len(parts) < 2 || len(parts) > 3 {
			return objectRef{}, fmt.Errorf("%s names no object; write 'deployment/web' or "+
				"'namespace/deployment/web'", quote(text))
		}
	}
	namespace := ""
	if len(parts) == 3 {
		namespace, parts = parts[0], parts[1:]
	}
	k, err := s.lookupKind(parts[0])
	if err != nil {
		return objectRef{}, err
	}
	namespace, err = in(k, namespace)
	return objectRef{k, namespace, parts[1]}, err
}

func (r objectRef) String() string { return r.kind.Describe(r.namespace, r.name) }

// listRef names the objects of a kind: KIND, NAMESPACE/KIND or */KIND, and those that a label selector
// matches.
type listRef struct {
	kind      *kinds.Kind
	namespace string
	selector  labels.Selector
}

func (s *typeTable) parseListRef(text, selector string) (listRef, error) {
	namespace, name, found := strings.Cut(text, "/")
	if !found {
		namespace, name = "", text
	}
	k, err := s.lookupKind(name)
	if err != nil {
		return listRef{}, err
	}
	return newListRef(k, namespace, selector)
}

// parsePodsRef is the list of pods(), pods(selector) or pods(namespace, selector).
func (s *typeTable) parsePodsRef(args []string) (listRef, error) {
	namespace, selector := "", ""
	switch len(args) {
	case 1:
		selector = args[0]
	case 2:
		namespace, selector = args[0], args[1]
	}
	return newListRef(s.builtIn(podsFunction), namespace, selector)
}

func newListRef(k *kinds.Kind, namespace, selector string) (listRef, error) {
	parsed, err := labels.Parse(selector)
	if err != nil {
		return listRef{}, fmt.Errorf("%s is not a label selector such as 'app=web,tier!=db': %w", quote(selector), err)
	}
	if namespace == allNamespaces {
		return listRef{k, "", parsed}, nil
	}
	namespace, err = in(k, namespace)
	return listRef{k, namespace, parsed}, err
}
