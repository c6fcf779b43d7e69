package versions_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/kubestep/kubestep/sim/toolchain/versions"
)

// TestFind looks for versions by the names that users write, and for the tags of versions that may become supported.
func TestFind(t *testing.T) {
	datadriven.RunTest(t, "testdata/find.txt", func(t *testing.T, d *datadriven.TestData) string {
		var b strings.Builder
		for name := range strings.FieldsSeq(d.Input) {
			if d.Cmd == "tags" {
				fmt.Fprintf(&b, "%-8s [%s]\n", name, versions.Version{Kubernetes: name}.Tags())
				continue
			}
			v, err := versions.Find(name)
			if err != nil {
				fmt.Fprintf(&b, "%-8s %v\n", name, err)
				continue
			}
			fmt.Fprintf(&b, "%-8s %s  %s  [%s]\n", name, v.Kubernetes, v.ModuleFile("bin"), v.Tags())
		}
		return b.String()
	})
}

// TestMainVersion keeps the main version and go.mod together.
func TestMainVersion(t *testing.T) {
	text, err := os.ReadFile("../../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "\tk8s.io/kubernetes "+versions.Main+"\n") {
		t.Errorf("go.mod does not require k8s.io/kubernetes %s: change versions.Main", versions.Main)
	}
}
