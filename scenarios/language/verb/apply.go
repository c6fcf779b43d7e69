package verb

import (
	"context"
	"encoding/json"
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/jsonmergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/kubectl/pkg/util"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/manifest"
	"github.com/kubestep/kubestep/scenarios/language/notation"
)

// applyRow is kubectl apply -f.
var applyRow = Row{
	Manager: ManagerApply,
	Syntax: format.Syntax{
		Of:  new(Apply),
		Doc: "Manifests, as kubectl apply -f.",
		Example: `- apply: |
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: web}
    spec:
      replicas: 3
      selector: {matchLabels: {app: web}}
      template:
        metadata: {labels: {app: web}}
        spec:
          containers: [{name: c, image: "web:v1"}]
`,
		Synonyms: map[string]string{
			"replace": "apply",
		},
	},
}

// Apply is kubectl apply -f with client-side apply: what was applied last is kept in an annotation, and the
// difference between that, the manifest and the live object becomes a strategic merge patch.
type Apply string

// Keyword implements format.Verb.
func (*Apply) Keyword() string { return "apply" }

// Manifests implements Manifester.
func (a *Apply) Manifests() *string { return (*string)(a) }

// Role implements format.Verb.
func (*Apply) Role() format.Role { return format.Request }

// String implements format.Verb.
func (a *Apply) String() string { return manifestNames(string(*a)) }

// Check implements format.Verb.
func (a *Apply) Check(c *format.Checker) { c.Manifests(string(*a), true) }

// Probe implements Prober.
func (a *Apply) Probe(p Prospect) error { return dryRun(p, string(*a)) }

// Do implements Verb.
func (a *Apply) Do(_ context.Context, w World) error {
	return eachManifest(w, string(*a), func(m manifest.Manifest, target notation.Target) error {
		if target.Name == "" {
			return errors.New("apply needs metadata.name; generateName works with create only")
		}
		modified, err := util.GetModifiedConfiguration(m.Unstructured.DeepCopy(), true, unstructured.UnstructuredJSONScheme)
		if err != nil {
			return err
		}
		live, err := get(w, target)
		if apierrors.IsNotFound(err) {
			return applyNew(w, m, modified)
		}
		if err != nil {
			return err
		}
		return applyPatch(w, m, target, modified, live)
	})
}

// applyNew creates the object together with the annotation.
func applyNew(w World, m manifest.Manifest, modified []byte) error {
	var obj runtime.Object = &unstructured.Unstructured{}
	if !m.IsCustom() {
		var err error
		if obj, err = manifest.Scheme.New(m.GVK); err != nil {
			return err
		}
	}
	if err := json.Unmarshal(modified, obj); err != nil {
		return err
	}
	_, err := send(w, creation(m, obj))
	return err
}

func applyPatch(w World, m manifest.Manifest, target notation.Target, modified []byte, live runtime.Object) error {
	accessor, err := meta.Accessor(live)
	if err != nil {
		return err
	}
	live.GetObjectKind().SetGroupVersionKind(m.GVK)
	current, err := json.Marshal(live)
	if err != nil {
		return err
	}
	original := []byte(accessor.GetAnnotations()[lastApplied])
	if m.IsCustom() {
		// Lists of objects without a Go type are replaced as a whole.
		body, err := jsonmergepatch.CreateThreeWayJSONMergePatch(original, modified, current)
		if err != nil || string(body) == "{}" {
			return err
		}
		return sendPatch(w, target, types.MergePatchType, "", json.RawMessage(body))
	}
	schema, err := strategicpatch.NewPatchMetaFromStruct(m.Object)
	if err != nil {
		return err
	}
	const overwrite = true
	body, err := strategicpatch.CreateThreeWayMergePatch(original, modified, current, schema, overwrite)
	if err != nil || string(body) == "{}" {
		return err
	}
	return sendPatch(w, target, types.StrategicMergePatchType, "", json.RawMessage(body))
}

// lastApplied is the annotation in which kubectl apply keeps the manifest.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"
