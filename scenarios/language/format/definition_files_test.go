package format_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
)

const farmDefinition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: farms.example.com}
spec:
  group: example.com
  names: {plural: farms, kind: Farm}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        description: "a \"farm\" <&> é"
        type: object
        properties:
          spec: {type: object, default: {description: the field}, properties: {description: {type: string}}}
`

const farmScenario = `apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: farm}
spec:
  title: A farm
  cluster:
    definitions: ../crds/*.yaml # where controller-gen writes them
  steps:
  - create: |
      {apiVersion: example.com/v1, kind: Farm, metadata: {name: north}}
  - create: |
      {apiVersion: example.com/v1, kind: Barn, metadata: {name: north}}
`

// TestDefinitionsInFiles lets a scenario name the files with its definitions. Its text is then complete, and the position of
// an error is that in the file.
func TestDefinitionsInFiles(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "scenarios", "farm.yaml")
	write := func(path, text string) {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	load := func(text string) string {
		write(path, text)
		scenario, err := format.Load(path, verb.All)
		if err != nil {
			return strings.ReplaceAll(err.Error(), folder, "")
		}
		if !strings.Contains(string(scenario.Source()), "kind: CustomResourceDefinition\\n") {
			t.Errorf("the text is not complete:\n%s", scenario.Source())
		}
		if text := string(scenario.Source()); strings.Contains(text, "<&>") || !strings.Contains(text, "the field") {
			t.Errorf("the description of the schema, and not that of the default, is left out:\n%s", text)
		}
		return "kinds " + scenario.Definitions()[0].Name
	}
	if got := load(farmScenario); got != "/scenarios/farm.yaml:7:18: spec.cluster.definitions: /crds/*.yaml: is outside of /scenarios, the repository of the scenario" {
		t.Error(got)
	}
	write(filepath.Join(folder, "go.mod"), "module farm\n")
	if got := load(farmScenario); got != "/scenarios/farm.yaml:7:18: spec.cluster.definitions: /crds/*.yaml: no such file" {
		t.Error(got)
	}
	write(filepath.Join(folder, "crds", "farms.yaml"), "---\n"+farmDefinition)
	const unknown = `/scenarios/farm.yaml:12:7: spec.steps[1].create: no matches for kind "Barn" in version "example.com/v1"`
	if got := load(farmScenario); got != unknown {
		t.Error(got)
	}
	whole, _, _ := strings.Cut(farmScenario, "  - create: |\n      {apiVersion: example.com/v1, kind: Barn")
	if got := load(whole); got != "kinds farms.example.com" {
		t.Error(got)
	}
	if _, err := format.Parse("text", []byte(whole), verb.All); err == nil || !strings.Contains(err.Error(), "this scenario is not in a file") {
		t.Errorf("%v", err)
	}
}

// TestMistakesInDefinitionFiles have their place in the file with the definition, of which the scenario leaves out the descriptions.
func TestMistakesInDefinitionFiles(t *testing.T) {
	for name, test := range map[string]struct{ old, new, want string }{
		"an unknown field":        {"scope:", "scop:", `:7:3: unknown field "spec.scop"`},
		"behind a description":    {"properties:", "propertis:", `:16:9: unknown field "spec.versions[0].schema.openAPIV3Schema.propertis"`},
		"in braces":               {"default:", "defaults:", `:17:32: unknown field "spec.versions[0].schema.openAPIV3Schema.properties[spec].defaults"`},
		"a value of a wrong type": {"served: true", "served: 1", `:10:13: spec.versions[0].served: must be a boolean, not an integer`},
		"not YAML":                {"  scope", " scope", ":7: did not find expected key"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			scenario, farms := filepath.Join(folder, "farm.yaml"), filepath.Join(folder, "farms.yaml")
			text := strings.Replace(farmDefinition, test.old, test.new, 1)
			for path, text := range map[string]string{farms: text, scenario: strings.Replace(farmScenario, "../crds/*", "./*s", 1)} {
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			_, err := format.Load(scenario, verb.All)
			if err == nil {
				t.Fatal("no error")
			}
			if got := strings.TrimPrefix(strings.Split(err.Error(), "\n")[0], farms); got != test.want {
				t.Error(got)
			}
		})
	}
}
