package program

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	genericrequest "k8s.io/apiserver/pkg/endpoints/request"

	"github.com/kubestep/kubestep/sim/cluster/oci"
)

// SampleAPIServer stands for k8s.io/sample-apiserver, the API server that Kubernetes shows how to write, and that its end-to-end tests
// aggregate: it keeps Flunders and Fischers. Those of the program are objects without validation, and cannot be watched or patched. They
// are lost with the Pod, as its etcd runs in it.
var SampleAPIServer = Program{
	Name: "sample-apiserver", Image: "sample-apiserver:*", Listen: sampleAPIServer,
	Runs: oci.Image{
		Main: func(p *oci.Process) int { return answers(p, sampleAPIServer) }, Entrypoint: []string{"/sample-apiserver"},
	},
}

// sampleGroup is the group of its kinds.
const sampleGroup = "wardle.example.com"

// sampleKind is a kind that it keeps.
type sampleKind struct {
	resource, kind string
	namespaced     bool
	versions       []string
}

var sampleKinds = []sampleKind{
	{"fischers", "Fischer", false, []string{"v1alpha1"}},
	{"flunders", "Flunder", true, []string{"v1alpha1", "v1beta1"}},
}

func sampleAPIServer(c Container) *Server {
	port, err := strconv.ParseInt(cmp.Or(c.Flag("secure-port"), "443"), 10, 32)
	if err != nil {
		return nil
	}
	store := c.Keep(func() any { return &sampleStore{uid: c.Pod.UID, objects: map[string]*unstructured.Unstructured{}} })
	return &Server{Port: int32(port), Handler: store.(http.Handler), Certificate: c.File(c.Flag("tls-cert-file"))}
}

// sampleStore is the server with its objects, by resource, namespace and name.
type sampleStore struct {
	// uid is that of the Pod, from which those of objects are made.
	uid     types.UID
	version int
	objects map[string]*unstructured.Unstructured
}

var sampleResolver = &genericrequest.RequestInfoFactory{
	APIPrefixes: sets.NewString("api", "apis"), GrouplessAPIPrefixes: sets.NewString("api"),
}

// ServeHTTP implements http.Handler.
func (s *sampleStore) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	info, err := sampleResolver.NewRequestInfo(r)
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	switch {
	case err != nil:
		answer(w, 0, nil, apierrors.NewBadRequest(err.Error()))
	case info.IsResourceRequest:
		code, object, err := s.do(r, info)
		answer(w, code, object, err)
	case len(parts) == 3 && parts[1] == sampleGroup:
		answer(w, http.StatusOK, sampleResources(parts[2]), nil)
	case r.URL.Path == "/readyz" || r.URL.Path == "/livez" || r.URL.Path == "/healthz":
		_, _ = w.Write([]byte("ok"))
	default:
		http.NotFound(w, r)
	}
}

// answer writes an object, or the Status of an error.
func answer(w http.ResponseWriter, code int, object any, err error) {
	if err != nil {
		status := &metav1.Status{Status: metav1.StatusFailure, Code: http.StatusInternalServerError, Message: err.Error()}
		if known, ok := err.(apierrors.APIStatus); ok {
			known := known.Status()
			status = &known
		}
		status.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}
		code, object = int(status.Code), status
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(object)
}

// sampleResources are the resources of a version.
func sampleResources(version string) *metav1.APIResourceList {
	list := &metav1.APIResourceList{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "APIResourceList"}, GroupVersion: sampleGroup + "/" + version,
	}
	for _, of := range sampleKinds {
		if slices.Contains(of.versions, version) {
			list.APIResources = append(list.APIResources, metav1.APIResource{
				Name: of.resource, SingularName: strings.ToLower(of.kind), Namespaced: of.namespaced, Kind: of.kind,
				Verbs: metav1.Verbs{"create", "delete", "deletecollection", "get", "list", "update"},
			})
		}
	}
	return list
}

// do executes a request.
func (s *sampleStore) do(r *http.Request, info *genericrequest.RequestInfo) (code int, object any, err error) {
	at := slices.IndexFunc(sampleKinds, func(of sampleKind) bool {
		inNamespace := info.Namespace != "" || of.namespaced && info.Name == ""
		return of.resource == info.Resource && slices.Contains(of.versions, info.APIVersion) && of.namespaced == inNamespace
	})
	resource := schema.GroupResource{Group: info.APIGroup, Resource: info.Resource}
	if at < 0 || info.APIGroup != sampleGroup || info.Subresource != "" {
		return 0, nil, apierrors.NewGenericServerResponse(http.StatusNotFound, info.Verb, resource, info.Name, "", 0, true)
	}
	version := sampleGroup + "/" + info.APIVersion
	of, key := sampleKinds[at], info.Resource+"/"+info.Namespace+"/"+info.Name
	dry := slices.Contains(r.URL.Query()["dryRun"], metav1.DryRunAll)
	found := s.objects[key]
	if info.Name != "" && found == nil && info.Verb != "create" {
		return 0, nil, apierrors.NewNotFound(resource, info.Name)
	}
	switch info.Verb {
	case "get":
		return http.StatusOK, in(found, version), nil
	case "list", "deletecollection":
		list, keys, err := s.list(r, of, version, info.Namespace)
		if err == nil && info.Verb == "deletecollection" && !dry {
			for _, key := range keys {
				delete(s.objects, key)
			}
			s.version++
		}
		return http.StatusOK, list, err
	case "delete":
		if !dry {
			delete(s.objects, key)
			s.version++
		}
		return http.StatusOK, &metav1.Status{
			TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: metav1.StatusSuccess,
			Details: &metav1.StatusDetails{Name: info.Name, Group: sampleGroup, Kind: info.Resource, UID: found.GetUID()},
		}, nil
	case "create", "update":
		return s.write(r, info, found, version, dry)
	}
	return 0, nil, apierrors.NewMethodNotSupported(resource, info.Verb)
}

// write creates or updates an object.
func (s *sampleStore) write(
	r *http.Request, info *genericrequest.RequestInfo, found *unstructured.Unstructured, version string, dry bool,
) (code int, object any, err error) {
	resource := schema.GroupResource{Group: info.APIGroup, Resource: info.Resource}
	written := &unstructured.Unstructured{}
	if err := json.NewDecoder(r.Body).Decode(&written.Object); err != nil || written.Object == nil {
		return 0, nil, apierrors.NewBadRequest("the body is no object")
	}
	code = http.StatusCreated
	key := info.Resource + "/" + info.Namespace + "/" + written.GetName()
	switch {
	case written.GetName() == "":
		return 0, nil, apierrors.NewBadRequest("the object has no name")
	case info.Verb == "create" && s.objects[key] != nil:
		return 0, nil, apierrors.NewAlreadyExists(resource, written.GetName())
	case info.Verb == "update" && written.GetResourceVersion() != "" && written.GetResourceVersion() != found.GetResourceVersion():
		return 0, nil, apierrors.NewConflict(resource, written.GetName(), fmt.Errorf("the object has been modified"))
	case info.Verb == "update":
		code = http.StatusOK
		written.SetUID(found.GetUID())
		written.SetCreationTimestamp(found.GetCreationTimestamp())
	default:
		name := string(s.uid) + "|" + key + "|" + strconv.Itoa(s.version)
		written.SetUID(types.UID(uuid.NewSHA1(uuid.NameSpaceURL, []byte(name)).String()))
		written.SetCreationTimestamp(metav1.NewTime(time.Now().UTC()))
	}
	written.SetNamespace(info.Namespace)
	written.SetResourceVersion(strconv.Itoa(s.version + 1))
	if !dry {
		s.version++
		s.objects[key] = written
	}
	return code, in(written, version), nil
}

// list lists the objects of a resource in a namespace, "" for all, and their keys, in order. A client may ask for their metadata alone.
func (s *sampleStore) list(
	r *http.Request, of sampleKind, version, namespace string,
) (list map[string]any, keys []string, err error) {
	selector, err := labels.Parse(r.URL.Query().Get("labelSelector"))
	if err != nil {
		return nil, nil, apierrors.NewBadRequest(err.Error())
	}
	kind, items := of.kind+"List", []any{}
	itemVersion, itemKind := version, of.kind
	if strings.Contains(r.Header.Get("Accept"), "as=PartialObjectMetadataList") {
		itemVersion, itemKind, kind, version = "meta.k8s.io/v1", "PartialObjectMetadata", "PartialObjectMetadataList", "meta.k8s.io/v1"
	}
	for _, key := range slices.Sorted(maps.Keys(s.objects)) {
		object := s.objects[key]
		if !strings.HasPrefix(key, of.resource+"/"+namespace) || namespace != "" && object.GetNamespace() != namespace ||
			!selector.Matches(labels.Set(object.GetLabels())) {
			continue
		}
		item := in(object, itemVersion)
		item["kind"] = itemKind
		keys, items = append(keys, key), append(items, item)
	}
	metadata := map[string]any{"resourceVersion": strconv.Itoa(max(s.version, 1))}
	return map[string]any{"apiVersion": version, "kind": kind, "metadata": metadata, "items": items}, keys, nil
}

// in is an object in a version. The versions of this group differ in a field that nobody sets here.
func in(object *unstructured.Unstructured, version string) map[string]any {
	out := object.DeepCopy()
	out.SetAPIVersion(version)
	return out.Object
}
