package session_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubestep/kubestep/sim/network/live"
)

// TestWritesAreUpstreams sends requests which verbs of a scenario cannot make, or whose answer cannot be read from the store afterwards,
// and expects what kube-apiserver v1.36.3 answered to the same ones.
func TestWritesAreUpstreams(t *testing.T) {
	const (
		core, apps = "/api/v1/namespaces/default/", "/apis/apps/v1/namespaces/default/"
		asJSON     = "application/json"
		asMerge    = "application/merge-patch+json"
		asApply    = "application/apply-patch+yaml"
	)
	r := start(t, live.Pace{})
	created := []struct{ path, body string }{
		{core + "configmaps", `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"gone"}}`},
		{core + "configmaps", `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"stuck","finalizers":["example.com/wait"]}}`},
		{core + "pods", `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"evicted"},"spec":{"containers":[{"name":"c","image":"i"}]}}`},
	}
	for _, c := range created {
		if response, data := r.send(t, "POST", c.path, map[string]string{"Content-Type": asJSON}, c.body); response.StatusCode != http.StatusCreated {
			t.Fatalf("%d %s", response.StatusCode, data)
		}
	}
	for _, test := range []struct {
		name, method, path, contentType, body string
		code                                  int
		// says is a part of the message of a Status, or of the JSON of an object.
		says string
	}{
		{"a deletion that has to wait", "DELETE", core + "configmaps/stuck", asJSON, `{"propagationPolicy":"Background"}`, 200, `"deletionTimestamp"`},
		{"the end of a finalizer", "PATCH", core + "configmaps/stuck", asMerge, `{"metadata":{"finalizers":null}}`, 200, `"name":"stuck"`},
		{"another kind", "POST", core + "configmaps", asJSON, `{"kind":"Secret","apiVersion":"v1","metadata":{"name":"k"}}`, 400,
			"cannot be handled as a ConfigMap"},
		{"another namespace", "POST", "/api/v1/namespaces/kube-system/configmaps", asJSON,
			`{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"k","namespace":"default"}}`, 400,
			"the namespace of the provided object does not match the namespace sent on the request"},
		{"an eviction", "POST", core + "pods/evicted/eviction", asJSON,
			`{"kind":"Eviction","apiVersion":"policy/v1","metadata":{"name":"evicted","namespace":"default"}}`, 201, `"code":201`},
		{"an apply that begins with an empty line", "PATCH", core + "configmaps/applied?fieldManager=ci&fieldValidation=Strict", asApply,
			"\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: applied}\ndata:\n  a: b\n  a: c\n", 400, `line 7: key \"a\" already set in map`},
		{"an apply without a manager", "PATCH", core + "configmaps/applied", asApply, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: applied}\n",
			422, "fieldManager: Required value"},
		{"a Pod that has a node", "POST", core + "pods", asJSON,
			`{"kind":"Pod","apiVersion":"v1","metadata":{"name":"bound"},"spec":{"nodeName":"node-1","containers":[{"name":"c","image":"i"}]}}`,
			201, `"status":{"phase":"Pending","qosClass":"BestEffort"}`},
		{"a deletion whose body says nothing of a dry run", "DELETE", core + "configmaps/gone?dryRun=All", asJSON,
			`{"propagationPolicy":"Background"}`, 200, `"status":"Success"`},
		{"the object that is gone", "PATCH", core + "configmaps/gone", asMerge, "{}", 404, "not found"},
		{"a generated name", "POST", core + "configmaps", asJSON, `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"generateName":"drawn-"}}`,
			201, `"name":"drawn-`},
		{"a creation without a body", "POST", core + "configmaps", asJSON, "", 400, "the object provided is unrecognized (must be of type ConfigMap)"},
		{"an update of nothing", "PUT", apps + "deployments/none", asJSON,
			`{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"none"},"spec":{"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}}`,
			404, `deployments.apps \"none\" not found`},
		{"a media type that nobody has", "PATCH", core + "configmaps/stuck", "text/plain", "{}", 415, "Unsupported Media Type"},
	} {
		t.Run(test.name, func(t *testing.T) {
			response, data := r.send(t, test.method, test.path, map[string]string{"Content-Type": test.contentType}, test.body)
			if response.StatusCode != test.code || !strings.Contains(string(data), test.says) {
				t.Errorf("%d %s\nwant %d with %s", response.StatusCode, data, test.code, test.says)
			}
			var object unstructured.Unstructured
			if err := json.Unmarshal(data, &object.Object); err != nil || object.GetKind() == "" {
				t.Errorf("no object of the API: %v, %s", err, data)
			}
		})
	}
	r.replays(t)
}

// TestCommandsOfKubectl names the command of kubectl above its step, and nothing else that a client may send in its place.
func TestCommandsOfKubectl(t *testing.T) {
	r := start(t, live.Pace{})
	for name, command := range map[string]string{"one": "kubectl create", "two": "kubectl create\t#", "three": "rm -rf /", "four": ""} {
		header := map[string]string{"Content-Type": "application/json", "Kubectl-Command": command}
		body := `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"` + name + `"}}`
		if response, data := r.send(t, "POST", "/api/v1/namespaces/default/configmaps", header, body); response.StatusCode != http.StatusCreated {
			t.Fatalf("%d %s", response.StatusCode, data)
		}
	}
	saved := r.replays(t)
	if strings.Count(saved, "#") != 1 || !strings.Contains(saved, "    # kubectl create\n    - at: ") {
		t.Errorf("comments:\n%s", saved)
	}
}

// TestImpersonation sends a request in the name of a user and of groups, which the scenario keeps. It cannot keep a uid.
func TestImpersonation(t *testing.T) {
	r := startOf(t, strings.Replace(withSteps("[]"), "managedFields: true", "managedFields: true, authorization: {mode: RBAC}", 1), live.Pace{})
	ask := func(name string, header map[string]string) int {
		header["Content-Type"] = "application/json"
		body := `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"` + name + `"}}`
		response, _ := r.send(t, "POST", "/api/v1/namespaces/default/configmaps", header, body)
		return response.StatusCode
	}
	for _, test := range []struct {
		name   string
		header map[string]string
		code   int
	}{
		{"alone", map[string]string{"Impersonate-User": "jane"}, http.StatusForbidden},
		{"master", map[string]string{"Impersonate-User": "jane", "Impersonate-Group": "system:masters"}, http.StatusCreated},
		{"uid", map[string]string{"Impersonate-User": "jane", "Impersonate-Uid": "1"}, http.StatusBadRequest},
		{"extra", map[string]string{"Impersonate-User": "jane", "Impersonate-Extra-Team": "a"}, http.StatusBadRequest},
	} {
		if code := ask(test.name, test.header); code != test.code {
			t.Errorf("%s: %d, want %d", test.name, code, test.code)
		}
	}
	if saved := r.replays(t); !strings.Contains(saved, "asGroups:\n") {
		t.Errorf("no groups in\n%s", saved)
	}
}
