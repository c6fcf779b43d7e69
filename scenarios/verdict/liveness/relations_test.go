package liveness_test

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"k8s.io/kubernetes/pkg/controller/apis/config"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/verdict/internal/relation"
	"github.com/kubestep/kubestep/scenarios/verdict/liveness"
)

// TestRelations compares objects with the relations between them. The scripts in testdata/relations are like those of TestGoals; the
// output says which relation does not hold.
func TestRelations(t *testing.T) {
	broken := map[string]bool{}
	files, err := filepath.Glob("testdata/relations/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts (%v)", err)
	}
	for _, file := range files {
		datadriven.RunTest(t, file, func(t *testing.T, d *datadriven.TestData) string {
			config, err := controllers.NewConfig(nil)
			if err != nil {
				t.Fatal(err)
			}
			w := configured{world{objects: decode(t, d.Input)}, config}
			d.MaybeScanArgs(t, "without", &w.without)
			var out strings.Builder
			for _, finding := range liveness.Find(&w) {
				if finding.Goal.Relation == "" {
					continue
				}
				broken[finding.Goal.Relation] = true
				fmt.Fprintf(&out, "%s (%s): %s\n", finding.Goal.Relation, cmp.Or(finding.Controller, "nobody"), finding)
			}
			return cmp.Or(out.String(), "all relations hold\n")
		})
	}
	for _, r := range relation.All() {
		if !broken[r.Name] {
			t.Errorf("no script breaks the relation %s: %s", r.Name, r.Sentence)
		}
	}
}

// configured is a world whose controllers have the defaults.
type configured struct {
	world
	config *config.KubeControllerManagerConfiguration
}

func (c *configured) Configuration() *config.KubeControllerManagerConfiguration { return c.config }

// TestRelationsAreDocumented holds what each relation says of itself.
func TestRelationsAreDocumented(t *testing.T) {
	names, known := map[string]bool{}, map[string]bool{"": true}
	for _, d := range controllers.Descriptors() {
		known[d.Name] = true
	}
	for _, r := range relation.All() {
		if names[r.Name] || r.Name != strings.ToLower(r.Name) || strings.Contains(r.Name, " ") {
			t.Errorf("%s is not a name, or not the only one", r.Name)
		}
		names[r.Name] = true
		if !strings.HasPrefix(r.Reference, "https://kubernetes.io/docs/") || !strings.HasSuffix(r.Sentence, ".") || len(r.Of) == 0 {
			t.Errorf("%s: the reference %q, the sentence %q, the kinds %v", r.Name, r.Reference, r.Sentence, r.Of)
		}
		for _, kept := range r.Of {
			if !known[kept.Controller] {
				t.Errorf("%s: %v", r.Name, kept)
			}
		}
	}
}

const relationsHead = `## Relations between objects

Each object may be as its own spec describes, and two objects contradict each other all the same. The sentences below are about such
objects. They are true when the simulation is at rest, and their controller makes them so. The objects of a sentence whose controller
does not run are left out. "no controller" means that the API server, the scheduler or a kubelet makes it true.

| relation | objects | controller | what is true |
|---|---|---|---|
`

// writeRelations writes the table of relations of the reference.
func writeRelations(out *strings.Builder) {
	out.WriteString(relationsHead)
	for _, r := range relation.All() {
		var kinds, who []string
		for _, kept := range r.Of {
			kinds, who = append(kinds, kept.Resource.String()), append(who, cmp.Or(kept.Controller, "no controller"))
		}
		fmt.Fprintf(out, "| `%s` | %s | %s | %s [(documentation)](%s) |\n", r.Name, strings.Join(kinds, ", "), strings.Join(who, ", "), r.Sentence,
			r.Reference)
	}
	out.WriteString("\n")
}
