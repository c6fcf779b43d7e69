package session_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/kubestep/kubestep/sim/network/live"
)

// document reads a document about the API, with a header of the request.
func (r *running) document(t *testing.T, path, name, value string) (*http.Response, string) {
	t.Helper()
	response, data := r.send(t, http.MethodGet, path, map[string]string{"Accept": "application/json", name: value}, "")
	return response, string(data)
}

// TestDocumentsFollowDefinitions creates and deletes definitions, as tests of clients do, and looks for them in both versions of
// OpenAPI. A client that has a document sends its ETag and its time, as kubectl's cache on disk does.
func TestDocumentsFollowDefinitions(t *testing.T) {
	r := startOf(t, strings.Replace(everything, "managedFields: true", "managedFields: true, customResources: true", 1), live.Pace{})
	const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
	const v2, v3 = "/openapi/v2", "/openapi/v3"
	_, _ = r.document(t, v2, "If-None-Match", "")
	tag, date := "", ""
	for i, step := range []string{"create a", "delete a", "create b", "create c", "delete b", "create a"} {
		action, name, _ := strings.Cut(step, " ")
		path, method, body := definitions, http.MethodPost, `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
			"metadata":{"name":"NAMEs.NAME.example.com"},"spec":{"group":"NAME.example.com","scope":"Cluster",
			"names":{"plural":"NAMEs","singular":"NAME","kind":"KindNAME"},"versions":[{"name":"v1","served":true,"storage":true,
			"schema":{"openAPIV3Schema":{"type":"object"}}}]}}`
		if action == "delete" {
			path, method, body = path+"/NAMEs.NAME.example.com", http.MethodDelete, ""
		}
		path, body = strings.ReplaceAll(path, "NAME", name), strings.ReplaceAll(body, "NAME", name)
		if got := r.ask(t, method, path, nil, "application/json", body); got.code >= 300 {
			t.Fatalf("%s: %+v", step, got)
		}
		if err := r.Door.Step(t.Context(), 10*time.Second); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			paths, text := r.document(t, v3, "If-Modified-Since", date)
			if date = paths.Header.Get("Last-Modified"); paths.StatusCode != http.StatusOK || date == "" {
				t.Errorf("%s: %s answers %s, of %q", step, v3, paths.Status, date)
			}
			if has := strings.Contains(text, "apis/"+name+".example.com/v1"); has != (action == "create") {
				t.Errorf("%s: %s has it: %v", step, v3, has)
			}
		}
		whole, text := r.document(t, v2, "If-None-Match", tag)
		if has := strings.Contains(text, "Kind"+name); has != (action == "create") || whole.StatusCode != http.StatusOK {
			t.Errorf("%d, %s: %s answers %s with %d bytes, and has it: %v", i, step, v2, whole.Status, len(text), has)
		}
		tag = whole.Header.Get("Etag")
		if again, text := r.document(t, v2, "If-None-Match", tag); again.StatusCode != http.StatusNotModified || text != "" {
			t.Errorf("%s: %s answers %s to its own ETag %s", step, v2, again.Status, tag)
		}
	}
	r.end(t)
}
