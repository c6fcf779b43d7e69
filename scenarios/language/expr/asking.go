package expr

import (
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// askingFunctions shorten what conditions ask of an object again and again. They need no simulation.
func askingFunctions(s *typeTable) []*function {
	pod := s.celType(s.builtIn("pods"))
	ask := func(name, signature, doc, example string, args []*cel.Type, result *cel.Type,
		pure func([]ref.Val) ref.Val) *function {
		return &function{
			Function:  Function{Name: name, Section: sectionAsking, Signature: signature, Doc: doc, Example: example},
			overloads: []overload{{args: args, result: result, pure: pure}},
		}
	}
	onPod := []*cel.Type{pod}
	onObject := []*cel.Type{cel.DynType}
	onCondition := []*cel.Type{cel.DynType, cel.StringType}
	sum := ask("sum", "sum(integers)", "The sum of a list of integers; 0 for an empty one.",
		"sum(replicasets('web').map(r, r.status.replicas)) == 10", []*cel.Type{cel.ListType(cel.IntType)}, cel.IntType, sumOf)
	sum.Section = sectionLists
	return []*function{
		ask("ready", "ready(pod)", "Whether the Pod's condition Ready is True.",
			"pods('app=web').all(p, ready(p))", onPod, cel.BoolType,
			func(args []ref.Val) ref.Val { return types.Bool(hasCondition(args[0], string(corev1.PodReady))) }),
		ask("running", "running(pod)", "Whether the Pod's phase is Running and it is not being deleted.",
			"size(pods().filter(p, running(p))) == 3", onPod, cel.BoolType, isRunning),
		ask("terminating", "terminating(object)", "Whether metadata.deletionTimestamp is set.",
			"!pods().exists(p, terminating(p))", onObject, cel.BoolType, isTerminating),
		ask("is", "is(object, type)", "Whether the condition of that type in status.conditions is True; false when "+
			"there is none.",
			"is(deployment('web'), 'Available') && is(node('node-1'), 'Ready')", onCondition, cel.BoolType,
			func(args []ref.Val) ref.Val { return types.Bool(hasCondition(args[0], text(args, 1))) }),
		ask("condition", "condition(object, type)", "The condition of that type in status.conditions; not there when "+
			"the object has none of that type.",
			"condition(deployment('web'), 'Progressing').reason == "+
				"'NewReplicaSetAvailable'", onCondition, cel.DynType, conditionOf),
		ask("image", "image(object)", "The image of the first container of a Pod, or of the Pod template of any other "+
			"kind that has one.",
			"image(deployment('web')) == 'web:v2'", onObject, cel.StringType, imageOf),
		sum,
	}
}

// findCondition looks for a type in status.conditions, whatever Go type the conditions have.
func findCondition(obj ref.Val, conditionType string) (ref.Val, bool) {
	status, ok := fieldOf(obj, "status")
	if !ok {
		return nil, false
	}
	field, _ := fieldOf(status, "conditions")
	// In an object without a Go type it can be anything.
	conditions, ok := field.(traits.Lister)
	if !ok {
		return nil, false
	}
	for it := conditions.Iterator(); it.HasNext() == types.True; {
		condition := it.Next()
		if typ, ok := fieldOf(condition, "type"); ok && typ == types.String(conditionType) {
			return condition, true
		}
	}
	return nil, false
}

// fieldOf reads a field that may or may not be there, of an object with or without a Go type.
func fieldOf(obj ref.Val, name string) (ref.Val, bool) {
	switch o := obj.(type) {
	case *object:
		f, ok := o.typ.fields[name]
		if !ok {
			return nil, false
		}
		value, err := f.get(o.value)
		if err != nil {
			return nil, false
		}
		return o.typ.table.NativeToValue(value), true
	case traits.Mapper:
		return o.Find(types.String(name))
	}
	return nil, false
}

// at follows fields: spec, template, spec.
func at(obj ref.Val, path ...string) (ref.Val, bool) {
	for _, name := range path {
		below, ok := fieldOf(obj, name)
		if !ok {
			return nil, false
		}
		obj = below
	}
	return obj, true
}

func hasCondition(obj ref.Val, conditionType string) bool {
	if pod, ok := obj.Value().(*corev1.Pod); ok {
		// The one that is asked for a thousand pods at a time.
		for i := range pod.Status.Conditions {
			if c := &pod.Status.Conditions[i]; string(c.Type) == conditionType {
				return c.Status == corev1.ConditionTrue
			}
		}
		return false
	}
	condition, ok := findCondition(obj, conditionType)
	if !ok {
		return false
	}
	status, _ := fieldOf(condition, "status")
	return status == types.String(metav1.ConditionTrue)
}

func conditionOf(args []ref.Val) ref.Val {
	if condition, ok := findCondition(args[0], text(args, 1)); ok {
		return condition
	}
	return notFound("condition " + text(args, 1) + " of " + show(args[0]))
}

func isRunning(args []ref.Val) ref.Val {
	pod, ok := args[0].Value().(*corev1.Pod)
	return types.Bool(ok && pod.Status.Phase == corev1.PodRunning && pod.DeletionTimestamp == nil)
}

func isTerminating(args []ref.Val) ref.Val {
	if obj, ok := args[0].Value().(metav1.Object); ok {
		return types.Bool(obj.GetDeletionTimestamp() != nil)
	}
	if obj, ok := unstructuredOf(args[0]); ok {
		return types.Bool(obj.GetDeletionTimestamp() != nil)
	}
	return types.NewErr("terminating() asks an object, not %s", typeNames(args))
}

// podSpecs are the places where kinds have the spec of a Pod: a CronJob, most workloads, a PodTemplate, a Pod.
var podSpecs = [][]string{
	{"spec", "jobTemplate", "spec", "template", "spec"}, {"spec", "template", "spec"}, {"template", "spec"}, {"spec"},
}

func imageOf(args []ref.Val) ref.Val {
	for _, path := range podSpecs {
		spec, ok := at(args[0], path...)
		if !ok {
			continue
		}
		containers, ok := fieldOf(spec, "containers")
		if !ok {
			continue
		}
		list, ok := containers.(traits.Lister)
		if !ok || length(list) == 0 {
			return notFound("container of " + show(args[0]))
		}
		image, ok := fieldOf(list.Get(types.IntZero), "image")
		if !ok {
			return notFound("image of " + show(args[0]))
		}
		return image
	}
	return types.NewErr("image() asks a Pod or what has a Pod template, not %s", typeNames(args))
}

func sumOf(args []ref.Val) ref.Val {
	total := ref.Val(types.IntZero)
	for it := args[0].(traits.Lister).Iterator(); it.HasNext() == types.True; {
		// Add of types.Int is an error on overflow.
		n, ok := it.Next().(types.Int)
		if !ok {
			return types.NewErr("sum() takes a list of integers")
		}
		if total = total.(types.Int).Add(n); types.IsError(total) {
			return total
		}
	}
	return total
}
