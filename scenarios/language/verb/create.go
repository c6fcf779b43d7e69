package verb

import (
	"context"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/manifest"
	"github.com/kubestep/kubestep/scenarios/language/notation"
)

// createRow is kubectl create -f.
var createRow = Row{
	Manager: "kubectl-create",
	Syntax: format.Syntax{
		Of:  new(Create),
		Doc: "Manifests, as kubectl create -f.",
		Example: `- create: |
    apiVersion: batch/v1
    kind: Job
    metadata: {generateName: report-}
    spec:
      template:
        spec:
          restartPolicy: Never
          containers: [{name: c, image: "report:v1"}]
`,
		Synonyms: map[string]string{
			"run":       "create, with the manifest of the pod",
			"expose":    "create, with the manifest of the Service",
			"autoscale": "create, with the manifest of the HorizontalPodAutoscaler",
		},
	},
}

// Create is kubectl create -f: each manifest becomes an object.
type Create string

// Keyword implements format.Verb.
func (*Create) Keyword() string { return "create" }

// Manifests implements Manifester.
func (c *Create) Manifests() *string { return (*string)(c) }

// Role implements format.Verb.
func (*Create) Role() format.Role { return format.Request }

// String implements format.Verb.
func (c *Create) String() string { return manifestNames(string(*c)) }

// Check implements format.Verb.
func (c *Create) Check(checker *format.Checker) { checker.Manifests(string(*c), false) }

// Probe implements Prober.
func (c *Create) Probe(p Prospect) error { return dryRun(p, string(*c)) }

// Do implements Verb.
func (c *Create) Do(_ context.Context, w World) error {
	return eachManifest(w, string(*c), func(m manifest.Manifest, _ notation.Target) error {
		_, err := send(w, creation(m, m.Object))
		return err
	})
}
