package verb

import (
	"cmp"
	"encoding/json"
	"errors"
	"strings"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/kinds"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kubestep/kubestep/scenarios/language/definition"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/manifest"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/sim/apiserver"
)

// Request creates a request for a target.
func Request(verb string, target notation.Target) apiserver.Request {
	kind := target.Kind()
	return apiserver.Request{Verb: verb, Resource: kind.GroupVersionResource(), Name: target.Name, Namespace: namespaceOf(target)}
}

// namespaceOf is the namespace of a target, empty if its kind has none.
func namespaceOf(target notation.Target) string {
	if !target.Kind().Namespaced {
		return ""
	}
	return target.Namespace
}

// send sends one request of the user.
func send(w World, req apiserver.Request) (runtime.Object, error) {
	if spec := w.Scenario().Spec; spec.Cluster.ManagedFields {
		step := spec.Steps[w.Step()]
		manager := cmp.Or(step.FieldManager, Manager(step.Verb))
		req.CreateOptions.FieldManager, req.PatchOptions.FieldManager = manager, manager
	}
	return w.Client().Do(req)
}

// get reads the object that a target names.
func get(w World, target notation.Target) (runtime.Object, error) {
	return send(w, Request("get", target))
}

// sendPatch patches a target.
func sendPatch(w World, target notation.Target, kind types.PatchType, subresource string, body any) error {
	data, err := json.Marshal(body)
	if err != nil {
		return err
	}
	req := Request("patch", target)
	req.Subresource, req.PatchType, req.Patch = subresource, kind, data
	req.PatchOptions.FieldValidation = metav1.FieldValidationStrict
	_, err = send(w, req)
	return err
}

// Version is the resourceVersion that an object has now; empty if there is no such object.
func Version(s *sim.Simulation, resource schema.GroupResource, namespace, name string) string {
	object, ok := s.State.Get(resource, namespace, name)
	if !ok {
		return ""
	}
	accessor, err := meta.Accessor(object)
	if err != nil {
		return ""
	}
	return accessor.GetResourceVersion()
}

// withVersion has the version of an object in the preconditions of a body. Where there is no object, no version is right.
func withVersion(w World, body []byte, resource schema.GroupResource, namespace, name string) []byte {
	return expandVersion(body, func() string { return cmp.Or(Version(w.Simulation(), resource, namespace, name), "1") })
}

// eachManifest calls do for the manifests of a step, in order.
func eachManifest(w World, text string, do func(manifest.Manifest, notation.Target) error) error {
	manifests, err := manifest.Read(w.Scenario().Kinds(), w.Scenario().File, path(w), text)
	if err != nil {
		return err
	}
	for _, m := range manifests {
		if err := do(m, m.Target()); err != nil {
			return manifestErrors(w.Scenario(), w.Step(), m, unserved(w, m, err))
		}
	}
	return nil
}

// creation is the request that creates an object of a manifest. The API server checks the fields of an object without a Go type,
// as kubectl asks it to.
func creation(m manifest.Manifest, object runtime.Object) apiserver.Request {
	target := m.Target()
	req := Request("create", target)
	req.Name, req.Object = "", object
	req.Resource.Version = m.GVK.Version
	if m.IsCustom() {
		req.CreateOptions.FieldValidation = metav1.FieldValidationStrict
	}
	return req
}

// dryRun creates the manifests of a step without storing them, so that upstream's validation speaks. A step that
// is meant to fail is left to the run. The text is that of the verb, or of one of its fields.
func dryRun(p Prospect, text string, fields ...string) error {
	st := p.Scenario.Spec.Steps[p.Step]
	if st.Fails != "" {
		return nil
	}
	at := format.StepPath(p.Step) + "." + st.Verb.Keyword()
	for _, field := range fields {
		at = source.Join(at, field)
	}
	manifests, err := manifest.Read(p.Scenario.Kinds(), p.Scenario.File, at, text)
	if err != nil {
		return err
	}
	var list source.ErrorList
	for _, m := range manifests {
		if err := probe(p, m); err != nil {
			var fields source.ErrorList
			var positioned *source.Error
			switch found := manifestErrors(p.Scenario, p.Step, m, err); {
			case errors.As(found, &fields):
				list = append(list, fields...)
			case errors.As(found, &positioned):
				list = append(list, positioned)
			}
		}
	}
	return list.Err()
}

// probe says what the API server would say of a manifest.
func probe(p Prospect, m manifest.Manifest) error {
	if m.IsCustom() {
		return definition.CheckManifest(p.Scenario.Definitions(), m.Raw, m.Unstructured)
	}
	req := creation(m, m.Object)
	req.CreateOptions = metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}
	_, err := p.Server.Do(req)
	return err
}

// manifestNames lists the kinds and names in a YAML stream. What does not parse was refused long before.
func manifestNames(text string) string {
	var names []string
	decoder := utilyaml.NewYAMLOrJSONDecoder(strings.NewReader(text), 4096)
	for {
		var u unstructured.Unstructured
		if err := decoder.Decode(&u.Object); err != nil {
			return strings.Join(names, " ")
		}
		if len(u.Object) == 0 {
			continue
		}
		names = append(names, strings.ToLower(u.GetKind())+"/"+cmp.Or(u.GetName(), u.GetGenerateName()+"*"))
	}
}

// has are the kinds with a subresource: scale is what kubectl scale changes.
func has(subresource string) func(*kinds.Kind) bool {
	return func(k *kinds.Kind) bool { return k.Has(subresource) }
}
