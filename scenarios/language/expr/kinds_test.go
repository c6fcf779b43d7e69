package expr

import (
	"strings"
	"testing"

	"github.com/kubestep/kubestep/sim/kinds"
)

// TestTypeNames shows that each type has a name of its own, and which of two namesakes has the long one.
func TestTypeNames(t *testing.T) {
	table, err := newTypeTable(kinds.BuiltIn())
	if err != nil {
		t.Fatal(err)
	}
	for name, st := range table.byName {
		if st.name != name || table.byType[st.goType] != st {
			t.Errorf("%s is registered as %s", st.goType, name)
		}
		if st.kind != nil && strings.Contains(name, "/") && st.kind.Group != "events.k8s.io" {
			t.Errorf("the kind %s has the long name %s", st.kind.Kind, name)
		}
	}
	if st := table.byName["EndpointPort"]; st == nil || !strings.HasPrefix(st.goType.String(), "v1.") {
		t.Errorf("EndpointPort is %v", st)
	}
	if _, ok := table.byName["discovery/v1.EndpointPort"]; !ok {
		t.Error("there is no discovery/v1.EndpointPort")
	}
}
