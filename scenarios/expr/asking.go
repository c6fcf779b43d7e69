package expr

import (
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// askingFunctions shorten what conditions ask of an object again and again. They need no world.
func askingFunctions(s *typeTable) []*function {
	pod := s.byType[kindsByName["pods"].goType()].celType
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
	conditions, ok := fieldOf(status, "conditions")
	if !ok {
		return nil, false
	}
	for it := conditions.(traits.Lister).Iterator(); it.HasNext() == types.True; {
		condition := it.Next()
		if typ, ok := fieldOf(condition, "type"); ok && typ == types.String(conditionType) {
			return condition, true
		}
	}
	return nil, false
}

// fieldOf reads a field that may or may not be there.
func fieldOf(obj ref.Val, name string) (ref.Val, bool) {
	o, ok := obj.(*object)
	if !ok {
		return nil, false
	}
	f, ok := o.typ.fields[name]
	if !ok || !f.isSet(o.value) {
		return nil, false
	}
	value, err := f.get(o.value)
	return o.typ.table.NativeToValue(value), err == nil
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
	obj, ok := args[0].Value().(metav1.Object)
	if !ok {
		return types.NewErr("terminating() asks an object, not %s", typeNames(args))
	}
	return types.Bool(obj.GetDeletionTimestamp() != nil)
}

func imageOf(args []ref.Val) ref.Val {
	spec := podSpec(args[0].Value())
	if spec == nil {
		return types.NewErr("image() asks a Pod or what has a Pod template, not %s", typeNames(args))
	}
	if len(spec.Containers) == 0 {
		return notFound("container of " + show(args[0]))
	}
	return types.String(spec.Containers[0].Image)
}

// podSpec finds the pods' part of an object: its own spec, or the one of its template.
func podSpec(obj any) *corev1.PodSpec {
	switch o := obj.(type) {
	case *corev1.Pod:
		return &o.Spec
	case *corev1.PodTemplate:
		return &o.Template.Spec
	case *corev1.ReplicationController:
		if o.Spec.Template != nil {
			return &o.Spec.Template.Spec
		}
	case *appsv1.Deployment:
		return &o.Spec.Template.Spec
	case *appsv1.ReplicaSet:
		return &o.Spec.Template.Spec
	case *appsv1.StatefulSet:
		return &o.Spec.Template.Spec
	case *appsv1.DaemonSet:
		return &o.Spec.Template.Spec
	case *batchv1.Job:
		return &o.Spec.Template.Spec
	case *batchv1.CronJob:
		return &o.Spec.JobTemplate.Spec.Template.Spec
	}
	return nil
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
