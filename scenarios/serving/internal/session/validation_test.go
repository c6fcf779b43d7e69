package session_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/sim/network/live"
)

// said is what an answer says to its client besides the object.
type said struct {
	code     int
	warnings string
	// message is that of a Status, and fields are those that the object of an answer has in its spec or its data.
	message string
	fields  string
}

// send sends a request as a client that knows no more than HTTP, and reads the answer.
func (r *running) send(t *testing.T, method, path string, header map[string]string, body string) (*http.Response, []byte) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, r.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	for name, value := range header {
		request.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, data
}

// ask is what the answer to a request says.
func (r *running) ask(t *testing.T, method, path string, query url.Values, contentType, body string) said {
	t.Helper()
	response, data := r.send(t, method, path+"?"+query.Encode(), map[string]string{"Content-Type": contentType}, body)
	var answer struct {
		Kind, Message string
		Data, Spec    json.RawMessage
	}
	if err := json.Unmarshal(data, &answer); err != nil {
		t.Fatalf("%s %s: %v in %s", method, path, err, data)
	}
	// The error of a patch quotes the object, which controllers change.
	if at := strings.Index(answer.Message, "strict decoding error"); at > 0 {
		answer.Message = answer.Message[at:]
	}
	return said{response.StatusCode, strings.Join(response.Header.Values("Warning"), "\n"), answer.Message, string(answer.Data) + string(answer.Spec)}
}

// TestFieldValidation sends objects and patches with unknown and duplicate fields, and with known ones, for each fieldValidation.
// A session answers what upstream's handler does, which answers dry runs by itself; and its scenario has the same trace.
func TestFieldValidation(t *testing.T) {
	const (
		maps, deployments = "/api/v1/namespaces/default/configmaps", "/apis/apps/v1/namespaces/default/deployments"
		theMap, web       = maps + "/before", deployments + "/web"
		asJSON, asYAML    = "application/json", "application/yaml"
		merge, strategic  = "application/merge-patch+json", "application/strategic-merge-patch+json"
		operations        = "application/json-patch+json"
		pods              = `"selector":{"matchLabels":{"app":"x"}},"template":{"metadata":{"labels":{"app":"x"}},"spec":{"containers":[{"name":"c","image":"i"}]}}`
	)
	r := start(t, live.Pace{})
	object := func(kind, name, rest string) string {
		return `{"kind":"` + kind + `","metadata":{"name":"` + name + `"},` + rest + `}`
	}
	created := r.ask(t, "POST", deployments, url.Values{}, asJSON, object(`Deployment","apiVersion":"apps/v1`, "web", `"spec":{`+pods+`}`))
	if created.code != http.StatusCreated {
		t.Fatalf("%+v", created)
	}
	for i, test := range []struct {
		name, method, path, contentType, body string
		// warns is a part of the warning and of the error, empty for neither.
		warns string
	}{
		{"a known field", "POST", maps, asJSON, object(`ConfigMap","apiVersion":"v1`, "NAME", `"data":{"a":"b"}`), ""},
		{"an unknown field", "POST", maps, asJSON, object(`ConfigMap","apiVersion":"v1`, "NAME", `"dota":{"a":"b"}`), `unknown field "dota"`},
		{"a duplicate field", "POST", maps, asJSON, object(`ConfigMap","apiVersion":"v1`, "NAME", `"data":{"a":"b","a":"c"}`), `duplicate field "data.a"`},
		{"unknown fields in YAML", "POST", maps, asYAML, "kind: ConfigMap\napiVersion: v1\nmetadata: {name: NAME}\ndota: {}\n", `unknown field "dota"`},
		{"two unknown fields", "POST", deployments, asJSON, object(`Deployment","apiVersion":"apps/v1`, "NAME", `"spec":{"replica":3,"pausd":true,`+pods+`}`),
			`unknown field "spec.replica"`},
		{"a patch of a known field", "PATCH", theMap, merge, `{"data":{"NAME":"b"}}`, ""},
		{"a patch of an unknown field", "PATCH", web, merge, `{"spec":{"nonsense":1}}`, `unknown field "spec.nonsense"`},
		{"a patch that removes an unknown field", "PATCH", web, merge, `{"spec":{"nonsense":null}}`, ""},
		{"a patch with a duplicate field", "PATCH", web, merge, `{"spec":{"paused":true,"paused":false}}`, `duplicate field "spec.paused"`},
		{"a strategic patch", "PATCH", web, strategic,
			`{"spec":{"template":{"spec":{"$setElementOrder/containers":[{"name":"c"}],"containers":[{"name":"c","image":"NAME"}]}}}}`, ""},
		{"a strategic patch of an unknown field", "PATCH", web, strategic,
			`{"spec":{"template":{"spec":{"containers":[{"name":"c","immage":"i"}]}}}}`, `unknown field "spec.template.spec.containers[0].immage"`},
		{"operations", "PATCH", web, operations, `[{"op":"replace","path":"/spec/template/spec/containers/0/image","value":"NAME"}]`, ""},
		{"an operation with an unknown field", "PATCH", web, operations, `[{"op":"add","path":"/spec/nonsense","value":{}}]`, `unknown field "spec.nonsense"`},
		{"a scale", "PATCH", web + "/scale", merge, `{"spec":{"replicas":2}}`, ""},
		{"a scale with a field of Deployments", "PATCH", web + "/scale", merge, `{"spec":{"replicas":2,"paused":true}}`, `unknown field "spec.paused"`},
	} {
		for _, validation := range []string{"", "Ignore", "Warn", "Strict", "Nonsense"} {
			t.Run(test.name+" "+validation, func(t *testing.T) {
				body := strings.ReplaceAll(test.body, "NAME", fmt.Sprintf("case-%d-%sx", i, strings.ToLower(validation)))
				query := url.Values{}
				if validation != "" {
					query.Set("fieldValidation", validation)
				}
				query.Set("dryRun", "All")
				upstream := r.ask(t, test.method, test.path, query, test.contentType, body)
				query.Del("dryRun")
				if got := r.ask(t, test.method, test.path, query, test.contentType, body); got != upstream {
					t.Errorf("the session answers %+v\nupstream answers %+v", got, upstream)
				}
				refused, warned := validation == "Strict" || validation == "Nonsense", validation == "" || validation == "Warn"
				switch {
				case validation == "Nonsense" || refused && test.warns != "":
					if upstream.code < 400 || validation == "Strict" && !strings.Contains(upstream.message, test.warns) {
						t.Errorf("upstream answers %+v", upstream)
					}
				case upstream.code >= 300 || strings.Contains(upstream.warnings, strings.ReplaceAll(test.warns, `"`, `\"`)) != (warned || test.warns == ""):
					t.Errorf("upstream answers %+v", upstream)
				}
			})
		}
	}
	saved := r.replays(t)
	for _, want := range []string{"create: |", "patch:", "scale:", "send:", "fails: BadRequest", "fails: Invalid"} {
		if !strings.Contains(saved, want) {
			t.Errorf("the scenario has no %q:\n%s", want, saved)
		}
	}
}

// TestAnUpdateThatCreates replaces a Service that does not exist. A Service can be created by an update, as kubectl replace sends it.
// What a session does besides, such as an audit log, takes none of the ids of the simulation.
func TestAnUpdateThatCreates(t *testing.T) {
	var log bytes.Buffer
	r := startOf(t, everything, live.Pace{Speed: 20}, &log)
	const services = "/api/v1/namespaces/default/services/"
	for _, name := range []string{"one", "two"} {
		body := `{"kind":"Service","apiVersion":"v1","metadata":{"name":"` + name + `"},"spec":{"ports":[{"port":80}]}}`
		if got := r.ask(t, "PUT", services+name, url.Values{}, "application/json", body); got.code != http.StatusCreated {
			t.Errorf("%+v", got)
		}
		if got := r.ask(t, "GET", services+name, url.Values{}, "application/json", ""); got.code != http.StatusOK {
			t.Errorf("%+v", got)
		}
	}
	r.replays(t)
}
