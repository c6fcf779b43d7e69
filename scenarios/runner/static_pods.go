package runner

import (
	"slices"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/manifest"
	"github.com/kubestep/kubestep/scenarios/language/verb"
)

// staticPods are those with which a node begins; nil if its kubelet looks for none, since no step writes one either.
func staticPods(s *format.Scenario, n format.Node) ([]controllers.StaticPod, error) {
	if n.StaticPods == "" && !slices.ContainsFunc(s.Spec.Steps, func(step format.Step) bool {
		writer, ok := step.Verb.(verb.ManifestWriter)
		return ok && writer.WritesManifests() == n.Name
	}) {
		return nil, nil
	}
	manifests, err := manifest.Read(s.Kinds(), s.File, "spec.cluster.nodes", n.StaticPods)
	if err != nil && n.StaticPods != "" {
		return nil, err
	}
	out := []controllers.StaticPod{}
	for _, m := range manifests {
		out = append(out, controllers.StaticPod{Pod: m.Unstructured.GetName(), Text: string(m.Raw)})
	}
	return out, nil
}
