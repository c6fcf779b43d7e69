package source_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubestep/kubestep/scenarios/language/source"
)

// TestRead reads each form of a printed error.
func TestRead(t *testing.T) {
	for _, want := range []*source.Error{
		{Message: "no place at all"},
		{Message: "wait: a colon is no place"},
		{Message: "the server said: spec.replicas: too many"},
		{
			File: "scenarios/x.yaml", Position: source.Position{Line: 14, Column: 12}, Path: "spec.steps[2].after",
			Message: `invalid duration "5 s"`,
		},
		{File: "x.yaml", Position: source.Position{Line: 14}, Message: "what is this: a list"},
		{File: "of mine: x.yaml", Position: source.Position{Line: 3, Column: 1}, Path: "spec", Message: "two\nlines"},
		{Path: "spec.steps[6].scale", Message: "deployments/web: not found"},
	} {
		if diff := cmp.Diff(want, source.Read(want.Error())); diff != "" {
			t.Errorf("%s (-want +got):\n%s", want.Error(), diff)
		}
	}
}
