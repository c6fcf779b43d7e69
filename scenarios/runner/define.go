package runner

import (
	"strconv"
	"time"

	"github.com/google/uuid"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubestep/kubestep/scenarios/language/definition"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/manifest"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/verb"
)

const definitionsPath = "spec.cluster.definitions"

// definitionManifests are the manifests of spec.cluster.definitions.
func definitionManifests(s *format.Scenario) ([]manifest.Manifest, error) {
	if s.Spec.Cluster.Definitions == "" {
		return nil, nil
	}
	return manifest.Read(s.Kinds(), s.File, definitionsPath, s.Spec.Cluster.Definitions)
}

// validateDefinitions finds what the API server would refuse.
func validateDefinitions(s *format.Scenario) error {
	manifests, err := definitionManifests(s)
	if err != nil {
		return err
	}
	var found source.ErrorList
	for _, m := range manifests {
		if m.GVK != definition.Kind.GroupVersionKind() {
			found = append(found, s.Place(source.Problem("cluster.objects, or a step", "a %s is not a CustomResourceDefinition",
				m.GVK.Kind), definitionsPath, m.Position))
			continue
		}
		if err := definition.CheckManifest(nil, m.Raw, m.Unstructured); err != nil {
			found = append(found, verb.ManifestErrors(s.Place(err, definitionsPath, m.Position), m, err)...)
		}
	}
	return found.Err()
}

// define puts the definitions of the scenario into the store, established long ago.
func (r *run) define() error {
	manifests, err := definitionManifests(r.scenario)
	if err != nil {
		return err
	}
	since := metav1.NewTime(r.sim.Engine.Date().Add(-time.Hour).Truncate(time.Second))
	for _, m := range manifests {
		established, err := definition.Established(m.Raw, since)
		if err != nil {
			return r.scenario.Place(err, definitionsPath, m.Position)
		}
		req := verb.Request("restore", m.Target())
		req.Object = r.identified(established, since)
		if err := r.sim.Restore(req); err != nil {
			return r.scenario.Place(err, definitionsPath, m.Position)
		}
	}
	return nil
}

// identified sets what the API server sets when an object is created.
func (r *run) identified(object *unstructured.Unstructured, since metav1.Time) *unstructured.Unstructured {
	if object.GetUID() == "" {
		name := []byte(strconv.FormatInt(r.seed, 10) + " " + object.GetKind() + " " + object.GetName())
		object.SetUID(types.UID(uuid.NewSHA1(uuid.NameSpaceOID, name).String()))
	}
	object.SetCreationTimestamp(since)
	object.SetGeneration(1)
	return object
}
