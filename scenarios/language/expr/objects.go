package expr

import (
	"fmt"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"github.com/kubestep/kubestep/sim/kinds"
)

// getter is a function named after a kind.
type getter struct{ resource, name, example string }

// getters are the kinds that conditions ask for most; get() serves for all others. A getter has the singular name of its
// kind, or the short name where that is what people say. namespace is a reserved word of CEL, so its getter is ns.
var getters = []getter{
	{"pods", "pod", "pod('web-0').status.phase == 'Running'"},
	{"nodes", "node", "is(node('node-1'), 'Ready')"},
	{"namespaces", "ns", "ns('shop').status.phase == 'Active'"},
	{"services", "service", "service('web').spec.type == 'ClusterIP'"},
	{"endpoints", "endpoints", "size(endpoints('web').subsets) == 1"},
	{"configmaps", "configmap", "configmap('settings').data['mode'] == 'fast'"},
	{"secrets", "secret", "secret('token').type == 'Opaque'"},
	{"serviceaccounts", "serviceaccount", "serviceaccount('shop', 'default').metadata.name == 'default'"},
	{"persistentvolumeclaims", "pvc", "pvc('data-web-0').status.phase == 'Bound'"},
	{"persistentvolumes", "pv", "pv('disk-1').status.phase == 'Available'"},
	{"replicationcontrollers", "replicationcontroller", "replicationcontroller('web').status.replicas == 3"},
	{"resourcequotas", "resourcequota", "resourcequota('limit').status.used['pods'] == '5'"},
	{"deployments", "deployment", "deployment('web').status.availableReplicas >= 8"},
	{"statefulsets", "statefulset", "statefulset('db').status.readyReplicas == 3"},
	{"daemonsets", "daemonset", "daemonset('agent').status.numberReady == 5"},
	{"jobs", "job", "job('pi').status.succeeded == 1"},
	{"cronjobs", "cronjob", "size(cronjob('backup').status.active) <= 1"},
	{"horizontalpodautoscalers", "hpa", "hpa('web').status.desiredReplicas == 4"},
	{"poddisruptionbudgets", "pdb", "pdb('web').status.disruptionsAllowed > 0"},
	{"leases", "lease", "lease('kube-node-lease', 'node-1').spec.holderIdentity == 'node-1'"},
}

// namedGetters are the functions of getters: deployment('web').
func namedGetters(s *typeTable) []*function {
	var all []*function
	for _, g := range getters {
		getter := newGetter(s, s.builtIn(g.resource), g.name)
		getter.Example = g.example
		all = append(all, getter)
	}
	return all
}

// newGetter is the function of a kind.
func newGetter(s *typeTable, k *kinds.Kind, name string) *function {
	most, forms := 1, []string{name + "(name)"}
	if k.Namespaced {
		most, forms = 2, append(forms, name+"(namespace, name)")
	}
	return &function{
		Function: Function{
			Name: name, Section: sectionObjects, Signature: signatures(forms...),
			Doc: fmt.Sprintf("The %s of that name.", k.Kind),
		},
		overloads: readsTexts(1, most, s.celType(k), readOne(k)),
	}
}

// addGetters adds functions named after the kinds that the scenario defines: farm('north'). A kind whose singular name is no
// identifier of CEL, or the name of a function already, has none.
func (e *Env) addGetters() (err error) {
	var options []cel.EnvOption
	for _, k := range e.types.kinds.All() {
		name := k.Singular
		if kinds.BuiltIn().Of(k.GroupResource()) != nil || e.functions[name] != nil || e.cel.HasFunction(name) {
			continue
		}
		parsed, issues := e.cel.Parse(name + "('')")
		if issues.Err() != nil || parsed.NativeRep().Expr().AsCall().FunctionName() != name {
			continue
		}
		e.functions[name] = newGetter(e.types, k, name)
		options = append(options, e.functions[name].declare())
	}
	if len(options) > 0 {
		e.cel, err = e.cel.Extend(options...)
	}
	return err
}

// readOne binds name, or namespace and name.
func readOne(k *kinds.Kind) func(args []ref.Val) (reading, error) {
	return func(args []ref.Val) (reading, error) {
		r := objectRef{kind: k, name: text(args, len(args)-1)}
		if len(args) == 2 {
			r.namespace = text(args, 0)
		}
		var err error
		r.namespace, err = in(k, r.namespace)
		return func(e *evaluation) ref.Val { return e.get(r) }, err
	}
}

// genericGetters take the kind as text.
func genericGetters(s *typeTable) []*function {
	return []*function{
		{
			Function: Function{
				Name: "get", Section: sectionObjects, Signature: "get(object)",
				Doc: "An object of any kind, named KIND/NAME or NAMESPACE/KIND/NAME, with kubectl's names for " +
					"kinds. Its fields are checked when the condition is evaluated.",
				Example: "get('shop/networkpolicy/deny-all').spec.podSelector.matchLabels['app'] == 'web'",
			},
			overloads: readsTexts(1, 1, cel.DynType, func(args []ref.Val) (reading, error) {
				r, err := s.parseObjectRef(text(args, 0))
				return func(e *evaluation) ref.Val { return e.get(r) }, err
			}),
		},
		{
			Function: Function{
				Name: "exists", Section: sectionObjects, Signature: "exists(object)",
				Doc:     "Whether there is such an object; it is named as in get().",
				Example: "!exists('deployment/web') && !exists('shop/service/web')",
			},
			overloads: readsTexts(1, 1, cel.BoolType, func(args []ref.Val) (reading, error) {
				r, err := s.parseObjectRef(text(args, 0))
				return func(e *evaluation) ref.Val {
					_, ok := e.world.Get(r.kind.GroupResource(), r.namespace, r.name)
					return types.Bool(ok)
				}, err
			}),
		},
	}
}
