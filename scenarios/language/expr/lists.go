package expr

import (
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
)

// listFunctions are pods() and list().
func listFunctions(s *typeTable) []*function {
	pods := s.builtIn(podsFunction)
	return []*function{
		{
			Function: Function{
				Name: podsFunction, Section: sectionLists,
				Signature: signatures("pods()", "pods(selector)", "pods(namespace, selector)"),
				Doc:       "The Pods that a label selector matches, sorted by name. Namespace '*' means all.",
				Example:   "size(pods('app=web')) <= 13 && size(pods('*', '')) < 100",
			},
			lists: true,
			overloads: readsTexts(0, 2, cel.ListType(s.celType(pods)), func(args []ref.Val) (reading, error) {
				r, err := s.parsePodsRef(textArgs(args))
				return r.read, err
			}),
		},
		{
			Function: Function{
				Name: listFunction, Section: sectionLists,
				Signature: signatures("list(kind)", "list(kind, selector)"),
				Doc: "The objects of any kind that a label selector matches, sorted by name: 'jobs', " +
					"'shop/jobs' in another namespace, '*/jobs' in all. Fields are checked when the condition is " +
					"evaluated.",
				Example: "list('jobs', 'batch=nightly').all(j, j.status.succeeded == 1)",
			},
			lists: true,
			overloads: readsTexts(1, 2, cel.ListType(cel.DynType), func(args []ref.Val) (reading, error) {
				r, err := s.parseListRef(text(args, 0), text(args, 1))
				return r.read, err
			}),
		},
	}
}

// read lists the objects.
func (r listRef) read(e *evaluation) ref.Val {
	objects, err := e.list(r.kind, r.namespace)
	if err != nil {
		return types.WrapErr(err)
	}
	if !r.selector.Empty() {
		objects = selected(objects, r.selector)
	}
	if len(objects) == 0 && e.isExplained() {
		e.noteElsewhere(r)
	}
	return e.types.listOf(r.kind, objects)
}

func selected(objects []runtime.Object, selector labels.Selector) []runtime.Object {
	var matching []runtime.Object
	for _, obj := range objects {
		if accessor, err := meta.Accessor(obj); err == nil && selector.Matches(labels.Set(accessor.GetLabels())) {
			matching = append(matching, obj)
		}
	}
	return matching
}
