package apiserver_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	utilrand "k8s.io/apimachinery/pkg/util/rand"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/process/logging"
)

// TestFronts sends every request of the scripts in testdata to both fronts of the API server: to the first, which the
// typed clients use (Server.Do), and over HTTP to upstream's handlers on a second server. Both must give the same
// answer and write the same.
func TestFronts(t *testing.T) {
	known := map[string]bool{}
	compareFronts(t, known, false)
	for position, why := range knownDifferences {
		if !known[position] {
			t.Errorf("%s: both fronts do the same, although %s", position, why)
		}
	}
}

// TestFrontsManageFields is TestFronts for servers whose first front keeps metadata.managedFields, too: there is no difference left.
func TestFrontsManageFields(t *testing.T) {
	known := map[string]bool{}
	compareFronts(t, known, true)
	for position := range known {
		t.Errorf("%s: the fronts differ", position)
	}
}

// compareFronts runs the scripts. It adds the known differences that it finds.
func compareFronts(t *testing.T, known map[string]bool, managed bool) {
	requests, refused := 0, 0
	defer logging.To(nil)()
	datadriven.Walk(t, "testdata", func(t *testing.T, file string) {
		m := &mirror{t: t, known: known, managed: managed}
		b := openBubble(t)
		defer b.close()
		t.Cleanup(func() { uuid.SetRand(nil) })
		w := &world{mirror: m}
		var err error
		b.do(func() { err = w.begin(apiserver.Options{}) })
		if err != nil {
			t.Fatal(err)
		}
		defer b.do(w.stopWatches)
		datadriven.RunTest(t, file, func(t *testing.T, d *datadriven.TestData) string {
			m.position = d.Pos
			b.do(func() { _, err = w.run(command{d}) })
			if err != nil {
				d.Fatalf(t, "%v", err)
			}
			// What the first front answers is in TestScripts.
			return d.Expected
		})
		requests, refused = requests+m.requests, refused+m.refused
	})
	if requests < 400 || refused < 100 {
		t.Errorf("only %d requests were compared, of which %d were refused", requests, refused)
	}
}

// knownDifferences are the requests that the two fronts answer differently, each with the reason. They come from typed
// clients that do not go through upstream's handlers, which alone keep metadata.managedFields.
var knownDifferences = map[string]string{
	"testdata/field_managers.txt:16": "an update has taken the field over",
	"testdata/field_managers.txt:41": "a second manager sets a field to what it is",
}

// mirror is a second server that gets, over HTTP, the requests that the first one gets.
type mirror struct {
	t                 *testing.T
	position          string
	server            *apiserver.Server
	commits           []apiserver.Commit
	seen              int
	requests, refused int
	known             map[string]bool
	// managed means that managedFields are compared, too.
	managed bool
}

func (m *mirror) begin(options apiserver.Options) (err error) {
	m.commits, m.seen = nil, 0
	m.server, err = apiserver.New(func(c apiserver.Commit) { m.commits = append(m.commits, c) }, options)
	if err == nil {
		_, err = m.server.HTTP()
	}
	return err
}

// do sends a request to both servers and compares what comes of it.
func (m *mirror) do(w *world, req apiserver.Request) (runtime.Object, error) {
	m.requests++
	before := len(w.allCommits)
	// An apply makes upstream's handlers, which draw uids, too.
	if req.PatchType == types.ApplyPatchType {
		if _, err := w.server.HTTP(); err != nil {
			m.t.Error(err)
		}
	}
	m.draw()
	object, err := w.server.Do(req)
	m.draw()
	other, otherErr := m.overHTTP(req)
	first := m.outcomeOf(object, err, w.allCommits[before:])
	second := m.outcomeOf(other, otherErr, m.commits[m.seen:])
	m.seen = len(m.commits)
	if err != nil {
		m.refused++
	}
	if diff := cmp.Diff(second, first); diff != "" {
		if _, known := knownDifferences[m.position]; known {
			m.known[m.position] = true
		} else {
			m.t.Errorf("%s: %s %s (-HTTP +typed):\n%s", m.position, req.Verb, req.Path(), diff)
		}
	}
	return object, err
}

// draw makes both servers draw the same uids and names for one request.
func (m *mirror) draw() {
	uuid.SetRand(&counter{n: uint64(m.requests) << 16})
	utilrand.Seed(int64(m.requests))
}

// overHTTP sends a request as client-go would.
func (m *mirror) overHTTP(req apiserver.Request) (runtime.Object, error) {
	front, err := m.server.HTTP()
	if err != nil {
		return nil, err
	}
	r, err := httpRequest(req)
	if err != nil {
		return nil, err
	}
	wire, ok, err := front.Parse(r, req.Actor)
	if err != nil || !ok {
		return nil, fmt.Errorf("%s %s is no request for a resource: %w", r.Method, r.URL, err)
	}
	_, object, err := front.Do(wire)
	return object, err
}

var methods = map[string]string{
	"get": http.MethodGet, "list": http.MethodGet, "create": http.MethodPost, "update": http.MethodPut,
	"patch": http.MethodPatch, "delete": http.MethodDelete, "deletecollection": http.MethodDelete,
}

// httpRequest writes a request as client-go does.
func httpRequest(req apiserver.Request) (*http.Request, error) {
	header := http.Header{
		"Accept": {runtime.ContentTypeJSON}, "Content-Type": {runtime.ContentTypeJSON}, "User-Agent": {req.Actor + "/v1"},
	}
	if req.User != nil {
		header.Set(authenticationv1.ImpersonateUserHeader, req.User.GetName())
		for _, group := range req.User.GetGroups() {
			if group != user.AllAuthenticated { // the server adds it
				header.Add(authenticationv1.ImpersonateGroupHeader, group)
			}
		}
	}
	var options runtime.Object
	var body []byte
	var err error
	switch req.Verb {
	case "get":
		options = &req.GetOptions
	case "list":
		options = &req.ListOptions
	case "create":
		options = &req.CreateOptions
		body, err = encoded(req.Object)
	case "update":
		options = &req.UpdateOptions
		body, err = encoded(req.Object)
	case "patch":
		options, body = &req.PatchOptions, req.Patch
		header.Set("Content-Type", string(req.PatchType))
	case "delete", "deletecollection":
		options = &req.ListOptions
		body, err = encoded(&req.DeleteOptions)
	}
	if err != nil {
		return nil, err
	}
	query := url.Values{}
	if req.Verb != "delete" && options != nil {
		if query, err = scheme.ParameterCodec.EncodeParameters(options, corev1.SchemeGroupVersion); err != nil {
			return nil, err
		}
	}
	return &http.Request{
		Method: methods[req.Verb], URL: &url.URL{Scheme: "http", Host: "kube-apiserver", Path: pathOnWire(req), RawQuery: query.Encode()},
		Header: header, Body: io.NopCloser(bytes.NewReader(body)),
	}, nil
}

// pathOnWire is the path of a request's URL. In an update, the name comes from the object.
func pathOnWire(req apiserver.Request) string {
	root := path.Join("/apis", req.Resource.Group, req.Resource.Version)
	if req.Resource.Group == "" {
		root = path.Join("/api", req.Resource.Version)
	}
	if req.Namespace != "" {
		root = path.Join(root, "namespaces", req.Namespace)
	}
	name := req.Name
	if name == "" && req.Verb == "update" {
		if accessor, err := meta.Accessor(req.Object); err == nil {
			name = accessor.GetName()
		}
	}
	return path.Join(root, req.Resource.Resource, name, req.Subresource)
}

// encoded is the JSON of an object with its kind.
func encoded(object runtime.Object) ([]byte, error) {
	if object == nil {
		return nil, nil
	}
	kinds, _, err := scheme.Scheme.ObjectKinds(object)
	if err != nil {
		return nil, err
	}
	object = object.DeepCopyObject()
	object.GetObjectKind().SetGroupVersionKind(kinds[0])
	if _, ok := object.(*metav1.DeleteOptions); ok {
		object.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{Version: "v1", Kind: "DeleteOptions"})
	}
	return json.Marshal(object)
}

// outcomeOf describes an answer and what was written, as values that cmp compares.
func (m *mirror) outcomeOf(object runtime.Object, err error, commits []apiserver.Commit) map[string]any {
	out := map[string]any{}
	var refused apierrors.APIStatus
	switch {
	case errors.As(err, &refused):
		status := refused.Status()
		status.TypeMeta = metav1.TypeMeta{}
		out["refused"] = m.generic(status)
	case err != nil:
		out["error"] = err.Error()
	default:
		out["object"] = m.generic(object)
	}
	var writes []any
	for _, commit := range commits {
		writes = append(writes, map[string]any{
			"op": commit.Op, "revision": commit.Revision, "resource": commit.Resource.String(), "object": m.generic(commit.Object),
		})
	}
	out["writes"] = writes
	return out
}

// generic is an object as plain JSON, without what is compared elsewhere or nowhere: the kind, which typed clients
// drop, and managedFields, unless both fronts keep them.
func (m *mirror) generic(object any) any {
	data, err := json.Marshal(object)
	if err != nil {
		return err.Error()
	}
	var out any
	if err := json.Unmarshal(data, &out); err != nil {
		return err.Error()
	}
	if fields, ok := out.(map[string]any); ok {
		m.strip(fields)
		items, _ := fields["items"].([]any)
		for _, item := range items {
			if fields, ok := item.(map[string]any); ok {
				m.strip(fields)
			}
		}
	}
	return out
}

func (m *mirror) strip(object map[string]any) {
	delete(object, "kind")
	delete(object, "apiVersion")
	if metadata, ok := object["metadata"].(map[string]any); ok {
		if !m.managed {
			delete(metadata, "managedFields")
		}
	}
}
