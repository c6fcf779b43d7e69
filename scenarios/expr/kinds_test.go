package expr

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubestep/kubestep/sim/apiserver"
)

// TestKindsAreThoseOfTheServer compares the table with what the simulated API server serves. One Go type
// per kind also guards against two versions of one kind.
func TestKindsAreThoseOfTheServer(t *testing.T) {
	type row struct {
		APIVersion, Kind, Resource, Names string
		Namespaced                        bool
	}
	server, err := apiserver.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	served := map[string]row{}
	for _, r := range server.Resources() {
		preferred, _ := server.Preferred(r.GroupResource())
		// Nobody reads a Binding or the answer to a review, and Events of both groups are one table, shown as core ones.
		if r != preferred || r.Resource == "bindings" || r.Group == "authorization.k8s.io" || r.Group == "events.k8s.io" {
			continue
		}
		served[r.GroupResource().String()] = row{
			r.GroupVersion().String(), r.Kind.Kind, r.Resource, strings.Join(r.ShortNames, " "), r.Namespaced,
		}
	}
	known := map[string]row{}
	for _, k := range kinds {
		known[k.groupResource().String()] = row{
			k.GroupVersion.String(), k.goType().Name(), k.resource, strings.Join(k.names, " "), k.scope == namespaced,
		}
	}
	if diff := cmp.Diff(served, known); diff != "" {
		t.Errorf("the table of kinds is not what the server serves (-served +table):\n%s", diff)
	}
}

// TestTypeNames shows that each type has a name of its own, and which of two namesakes has the long one.
func TestTypeNames(t *testing.T) {
	table, err := newTypeTable()
	if err != nil {
		t.Fatal(err)
	}
	for name, st := range table.byName {
		if st.name != name || table.byType[st.goType] != st {
			t.Errorf("%s is registered as %s", st.goType, name)
		}
		if st.kind != nil && strings.Contains(name, "/") {
			t.Errorf("the kind %s has the long name %s", st.kind.singular(), name)
		}
	}
	if st := table.byName["EndpointPort"]; st == nil || !strings.HasPrefix(st.goType.String(), "v1.") {
		t.Errorf("EndpointPort is %v", st)
	}
	if _, ok := table.byName["discovery/v1.EndpointPort"]; !ok {
		t.Error("there is no discovery/v1.EndpointPort")
	}
}
