package mutant

import (
	"fmt"
	"path/filepath"
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/kubestep/kubestep/scenarios/language/annotation"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/verb"
)

// control is the status of scenarios of the gallery that show what works.
const control = "control"

// Files are the scenarios for the mutants of a controller, as paths of files below a folder, which is that of all scenarios. Left out are
// those that expect an invariant to be broken, and those of the gallery that show a bug.
func Files(root, controller string) ([]string, error) {
	var files []string
	for _, pattern := range scenarios[controller] {
		found, err := filepath.Glob(filepath.Join(root, pattern+".yaml"))
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("no scenario is %s", pattern)
		}
		for _, file := range found {
			s, err := format.Load(file, verb.All)
			if err != nil {
				return nil, err
			}
			status := s.Metadata.Annotations[annotation.Status]
			broken := len(s.Spec.Invariants.Expect)+len(s.Spec.Invariants.Skip) > 0
			if !broken && (status == "" || status == control) && !slices.Contains(files, file) {
				files = append(files, file)
			}
		}
	}
	return files, nil
}

// Bare is the bare form of a scenario: without its checks, and without the steps that expect something. Steps that wait for something stay.
func Bare(s *format.Scenario) ([]byte, error) {
	return format.Edit(s, func(spec *yaml.Node) error {
		for i := 0; i+1 < len(spec.Content); i += 2 {
			if spec.Content[i].Value == "checks" {
				spec.Content = slices.Delete(spec.Content, i, i+2)
				break
			}
		}
		steps := source.Field(spec, "steps")
		if steps == nil {
			return nil
		}
		steps.Content = slices.DeleteFunc(steps.Content, func(step *yaml.Node) bool { return source.Field(step, "expect") != nil })
		return nil
	})
}
