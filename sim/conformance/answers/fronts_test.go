package answers_test

import (
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/apiserver/authorization"
	"github.com/kubestep/kubestep/sim/cluster/bubble"
	"github.com/kubestep/kubestep/sim/conformance/answers"
	"k8s.io/apiserver/pkg/authentication/user"
)

// TestHTTP sends all rows to the simulated API server, as clients in the same process do that are made of a rest.Config.
func TestHTTP(t *testing.T) {
	recording, err := answers.Recorded()
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		cluster := bubble.Start(t, bubble.Options{Server: apiserver.Options{
			Admission: apiserver.DefaultAdmissionPlugins(), Authorization: authorization.RBAC, CustomResources: true, ManagedFields: true,
		}})
		cluster.Simulation.Identify(bubble.Actor, &user.DefaultInfo{
			Name: "admin", Groups: []string{user.SystemPrivilegedGroup, user.AllAuthenticated},
		}, "")
		send := cluster.Simulation.RoundTripper(bubble.Actor).RoundTrip
		plane := answers.NewPlane(func(r *http.Request) (*http.Response, error) { return send(r) }, "bcdfg")
		if err := plane.Prepare(); err != nil {
			t.Fatal(err)
		}
		got := map[string]answers.Answer{}
		for _, row := range answers.Rows() {
			answer, err := plane.Ask(row)
			if err != nil {
				t.Error(err)
				continue
			}
			got[row.Name()] = answer
		}
		answers.Compare(t, recording, got)
	})
}
