package apiserver_test

import (
	"testing"

	"github.com/kubestep/kubestep/sim/apiserver"
)

// TestWhatIsMissing holds the list in the package comment: what it names is not served.
func TestWhatIsMissing(t *testing.T) {
	server, err := apiserver.New(nil, apiserver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	served := map[string]bool{}
	for _, r := range server.Resources() {
		served[r.Group], served[r.Resource+"/"+r.Subresource] = true, true
	}
	for _, missing := range []string{
		"apiextensions.k8s.io", "apiregistration.k8s.io", "authentication.k8s.io",
		"pods/exec", "pods/attach", "pods/log", "pods/portforward", "pods/proxy", "services/proxy", "nodes/proxy",
		"serviceaccounts/token",
	} {
		if served[missing] {
			t.Errorf("%s is served, although the package comment says that it is missing", missing)
		}
	}
	if !served["authorization.k8s.io"] || !served["resource.k8s.io"] {
		t.Error("a group is gone from the server")
	}
}
