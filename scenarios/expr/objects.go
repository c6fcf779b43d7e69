package expr

import (
	"fmt"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// getters are the functions named after a kind: deployment('web').
func getters(s *typeTable) []*function {
	var all []*function
	for _, k := range kinds {
		if k.function == "" {
			continue
		}
		st := s.byType[k.goType()]
		most, forms := 1, []string{k.function + "(name)"}
		if k.scope == namespaced {
			most, forms = 2, append(forms, k.function+"(namespace, name)")
		}
		all = append(all, &function{
			Function: Function{
				Name: k.function, Section: sectionObjects, Signature: signatures(forms...),
				Doc:     fmt.Sprintf("The %s of that name.", st.name),
				Example: getterExamples[k.function],
			},
			overloads: readsTexts(1, most, st.celType, k.readOne),
		})
	}
	return all
}

// readOne binds name, or namespace and name.
func (k *kind) readOne(args []ref.Val) (reading, error) {
	r := objectRef{kind: k, name: text(args, len(args)-1)}
	if len(args) == 2 {
		r.namespace = text(args, 0)
	}
	var err error
	r.namespace, err = k.in(r.namespace)
	return func(e *evaluation) ref.Val { return e.get(r) }, err
}

var getterExamples = map[string]string{
	"pod":                   "pod('web-0').status.phase == 'Running'",
	"node":                  "is(node('node-1'), 'Ready')",
	"ns":                    "ns('shop').status.phase == 'Active'",
	"service":               "service('web').spec.type == 'ClusterIP'",
	"endpoints":             "size(endpoints('web').subsets) == 1",
	"configmap":             "configmap('settings').data['mode'] == 'fast'",
	"secret":                "secret('token').type == 'Opaque'",
	"serviceaccount":        "serviceaccount('shop', 'default').metadata.name == 'default'",
	"pvc":                   "pvc('data-web-0').status.phase == 'Bound'",
	"pv":                    "pv('disk-1').status.phase == 'Available'",
	"replicationcontroller": "replicationcontroller('web').status.replicas == 3",
	"resourcequota":         "resourcequota('limit').status.used['pods'] == '5'",
	"deployment":            "deployment('web').status.availableReplicas >= 8",
	"statefulset":           "statefulset('db').status.readyReplicas == 3",
	"daemonset":             "daemonset('agent').status.numberReady == 5",
	"job":                   "job('pi').status.succeeded == 1",
	"cronjob":               "size(cronjob('backup').status.active) <= 1",
	"hpa":                   "hpa('web').status.desiredReplicas == 4",
	"pdb":                   "pdb('web').status.disruptionsAllowed > 0",
	"lease":                 "lease('kube-node-lease', 'node-1').spec.holderIdentity == 'node-1'",
}

// genericGetters take the kind as text.
func genericGetters() []*function {
	return []*function{
		{
			Function: Function{
				Name: "get", Section: sectionObjects, Signature: "get(object)",
				Doc: "An object of any built-in kind, named KIND/NAME or NAMESPACE/KIND/NAME, with kubectl's names for " +
					"kinds. Its fields are checked when the condition is evaluated.",
				Example: "get('shop/networkpolicy/deny-all').spec.podSelector.matchLabels['app'] == 'web'",
			},
			overloads: readsTexts(1, 1, cel.DynType, func(args []ref.Val) (reading, error) {
				r, err := parseObjectRef(text(args, 0))
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
				r, err := parseObjectRef(text(args, 0))
				return func(e *evaluation) ref.Val {
					_, ok := e.world.Get(r.kind.groupResource(), r.namespace, r.name)
					return types.Bool(ok)
				}, err
			}),
		},
	}
}
