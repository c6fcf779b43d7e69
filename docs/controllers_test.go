package docs_test

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/sim/simtest/golden"
	"github.com/kubestep/kubestep/tui/command"
)

var controllersHead = `# The controllers of kube-controller-manager

All controllers that kube-controller-manager ` + controllers.KubernetesVersion + ` knows, as ` + "`kubestep controllers`" + ` prints them. A scenario lists those
that it wants in ` + "`kubernetes.controllers`" + `, in the syntax of --controllers: ` + "`\"*\"`" + ` means those that are on by default, ` + "`name`" + `
switches one on, ` + "`-name`" + ` off; an alias serves as well. A scenario that lists none gets ` + "WORKLOAD" + `.

*needs* is what a scenario sets in ` + "`kubernetes`" + ` before the controller runs. A feature gate also brings the alpha or beta API that the
controller works on.

`

// TestControllersReferenceIsFresh compares docs/reference/controllers.md with the descriptors; -rewrite makes it again.
func TestControllersReferenceIsFresh(t *testing.T) {
	var out bytes.Buffer
	out.WriteString(strings.Replace(controllersHead, "WORKLOAD", strings.Join(controllers.Workload, ", "), 1))
	if err := command.WriteControllersReference(&out, shownBy(t)); err != nil {
		t.Fatal(err)
	}
	golden.Page(t, "reference/controllers.md", "the descriptors of the controllers", out.String())
}

// shownBy lists, for each controller, the scenarios that name it, in their list or as their subject.
func shownBy(t *testing.T) map[string][]string {
	files, err := library.Files()
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string][]string{}
	for _, file := range files {
		if path.Dir(file) == "conformance" || strings.HasPrefix(file, "bugs/") {
			continue
		}
		scenario, err := library.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		list, err := controllers.Resolve(scenario.Spec.Kubernetes.Controllers)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range controllers.Workload {
			if strings.HasPrefix(scenario.Metadata.Name, strings.TrimSuffix(name, "-controller")) {
				list = append(list, name)
			}
		}
		for _, name := range list {
			if !slices.Contains(shown[name], scenario.Metadata.Name) {
				shown[name] = append(shown[name], scenario.Metadata.Name)
			}
		}
	}
	return shown
}
