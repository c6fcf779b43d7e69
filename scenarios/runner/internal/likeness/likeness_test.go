package likeness

import (
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// TestLikeness shows what of an object differs from run to run without consequences:
//
//	likeness
//	<an object>          what it has in common with the objects that are like it
//
//	compare
//	<an object>
//	---
//	<another one>        alike, or different
func TestLikeness(t *testing.T) {
	datadriven.RunTest(t, "testdata/likeness.txt", func(t *testing.T, d *datadriven.TestData) string {
		var texts []string
		for manifest := range strings.SplitSeq(d.Input, "---\n") {
			object := &unstructured.Unstructured{}
			if err := yaml.UnmarshalStrict([]byte(manifest), &object.Object); err != nil {
				d.Fatalf(t, "%v", err)
			}
			texts = append(texts, textOf(object))
		}
		switch {
		case d.Cmd == "likeness" && len(texts) == 1:
			return texts[0] + "\n"
		case d.Cmd == "compare" && len(texts) == 2 && texts[0] == texts[1]:
			return "alike\n"
		case d.Cmd == "compare" && len(texts) == 2:
			return "different\n"
		}
		d.Fatalf(t, "%s with %d objects", d.Cmd, len(texts))
		return ""
	})
}
