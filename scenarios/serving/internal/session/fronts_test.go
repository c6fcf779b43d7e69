package session_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/kubestep/kubestep/sim/conformance/answers"
	"github.com/kubestep/kubestep/sim/network/live"
)

// bare is a cluster without controllers, as one that a kube-apiserver alone makes.
const bare = `apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: bare}
spec:
  title: An API server alone
  kubernetes:
    controllers: [-deployment-controller]
    admission: ['*', ServiceAccount, TaintNodesByCondition, ResourceQuota, StorageObjectInUseProtection]
  cluster: {managedFields: true, customResources: true, authorization: {mode: RBAC}}
  steps: []
`

// TestAnswers sends all rows of package answers to a session, and compares its answers with the recorded ones of a kube-apiserver.
func TestAnswers(t *testing.T) {
	r := startOf(t, bare, live.Pace{})
	eventually(t, "open", r.Door.IsOpen)
	server, err := url.Parse(r.url)
	if err != nil {
		t.Fatal(err)
	}
	plane := answers.NewPlane(func(request *http.Request) (*http.Response, error) {
		request.URL.Host, request.Host = server.Host, ""
		request.Header.Set("Authorization", "Bearer "+token)
		response, err := http.DefaultClient.Do(request)
		if strings.HasSuffix(request.URL.Path, "/customresourcedefinitions") && request.Method == http.MethodPost {
			// Time stands still otherwise.
			if err := r.Door.Step(t.Context(), 10*time.Second); err != nil {
				t.Error(err)
			}
		}
		return response, err
	}, "bcdfg")
	if err := plane.Prepare(); err != nil {
		t.Fatal(err)
	}
	got := map[string]answers.Answer{}
	for _, row := range answers.Rows() {
		answer, err := plane.Ask(row)
		if err != nil {
			answer = answers.Answer{Body: err.Error()}
		}
		got[row.Name()] = answer
	}
	recording, err := answers.Recorded()
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range answers.Compare(answers.Served, recording.Answers, got) {
		t.Error(wrong)
	}
}
