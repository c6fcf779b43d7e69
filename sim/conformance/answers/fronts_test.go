package answers_test

import (
	"errors"
	"net/http"
	"testing"
	"testing/synctest"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apiserver/pkg/authentication/user"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/apiserver/authorization"
	"github.com/kubestep/kubestep/sim/apiserver/keys"
	"github.com/kubestep/kubestep/sim/cluster/bubble"
	"github.com/kubestep/kubestep/sim/conformance/answers"
)

// inBubble starts an API server alone and calls f with it and its recorded answers.
func inBubble(t *testing.T, f func(t *testing.T, cluster *bubble.Cluster, plane *answers.Plane, recording *answers.Recording)) {
	recording, err := answers.Recorded()
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		tokens, err := keys.ServiceAccounts(1)
		if err != nil {
			t.Fatal(err)
		}
		cluster := bubble.Start(t, bubble.Options{Server: apiserver.Options{
			Admission: apiserver.DefaultAdmissionPlugins(), Authorization: authorization.RBAC, CustomResources: true, ManagedFields: true,
			Tokens: tokens,
		}})
		for _, name := range []string{bubble.Actor, answers.UserAgent} {
			cluster.Simulation.Identify(name, &user.DefaultInfo{
				Name: "admin", Groups: []string{user.SystemPrivilegedGroup, user.AllAuthenticated},
			}, "")
		}
		send := cluster.Simulation.RoundTripper(bubble.Actor).RoundTrip
		plane := answers.NewPlane(func(r *http.Request) (*http.Response, error) { return send(r) }, "bcdfg")
		if err := plane.Prepare(); err != nil {
			t.Fatal(err)
		}
		f(t, cluster, plane, recording)
	})
}

// TestHTTP sends all rows to the simulated API server, as clients in the same process do that are made of a rest.Config, and compares
// the answers with those of a kube-apiserver.
func TestHTTP(t *testing.T) {
	inBubble(t, func(t *testing.T, _ *bubble.Cluster, plane *answers.Plane, recording *answers.Recording) {
		got := map[string]answers.Answer{}
		for _, row := range answers.Rows() {
			answer, err := plane.Ask(row)
			if err != nil {
				t.Error(err)
				continue
			}
			got[row.Name()] = answer
		}
		for _, wrong := range answers.Compare(answers.InProcess, recording.Answers, got) {
			t.Error(wrong)
		}
	})
}

// TestTyped sends the rows that a typed client can send.
func TestTyped(t *testing.T) {
	inBubble(t, func(t *testing.T, cluster *bubble.Cluster, plane *answers.Plane, recording *answers.Recording) {
		client := cluster.Simulation.Transport(answers.UserAgent)
		want, got := map[string]answers.Answer{}, map[string]answers.Answer{}
		for _, row := range answers.Rows() {
			if !row.IsTyped() {
				continue
			}
			replace, err := plane.SetUp(row)
			if err != nil {
				t.Error(err)
				continue
			}
			req, _ := row.Typed(replace)
			object, err := client.Do(req)
			var answer any = object
			code := http.StatusOK
			if err != nil {
				var refused apierrors.APIStatus
				if !errors.As(err, &refused) {
					t.Errorf("%s: %v", row.Name(), err)
					continue
				}
				status := refused.Status()
				answer, code = &status, int(status.Code)
			}
			if got[row.Name()], err = plane.TypedAnswer(row, req.Verb, answer, code); err != nil {
				t.Error(row.Name(), err)
			}
			if want[row.Name()], err = recording.Answers[row.Name()].Said(req.Verb); err != nil {
				t.Error(row.Name(), err)
			}
		}
		t.Logf("%d rows", len(got))
		for _, wrong := range answers.Compare(answers.Typed, want, got) {
			t.Error(wrong)
		}
	})
}
