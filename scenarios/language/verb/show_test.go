package verb_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/verb"
)

// TestShowFocusesOwnControllers holds that a controller of spec.controllers can be in the focus by its name, and that a name that is
// nearly that of one is corrected.
func TestShowFocusesOwnControllers(t *testing.T) {
	for _, test := range []struct{ controllers, focus, problem string }{
		{"[podcounter]", "podcounter", ""},
		{"[]", "podcounter", `"podcounter" is neither KIND/NAME nor a component`},
		{"[podcounter]", "podcountr", "Try: [podcounter]"},
		{"[]", "kube-schedular", "Try: [kube-scheduler]"},
	} {
		_, err := format.Parse("test.yaml", []byte(`apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: test}
spec:
  title: A test
  controllers: `+test.controllers+`
  steps:
  - show: {view: components, focus: [`+test.focus+`]}
`), verb.All)
		got := ""
		if list := (source.ErrorList)(nil); errors.As(err, &list) {
			got = list[0].Message + " Try: " + list[0].Try
		} else if err != nil {
			t.Fatal(err)
		}
		if (test.problem == "") != (got == "") || !strings.Contains(got, test.problem) {
			t.Errorf("%s with %s: %q, not %q", test.focus, test.controllers, got, test.problem)
		}
	}
}
