// Package translate finds the step of a scenario that does what the request of a client does: an ordinary one, such as scale or
// apply, if its verb would send the same and get the same answer, and send otherwise. A step also names the manager of the fields that
// the request writes, unless it is the one that kubectl has for the verb.
package translate

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/manifest"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/apiserver/extensions"
	"github.com/kubestep/kubestep/sim/kinds"
)

// written is a request that changes something, as it arrived.
type written struct {
	*apiserver.Wire
	http  *http.Request
	query url.Values
	// target names the object in the form of a scenario, empty if it cannot.
	target string
	// version is the resourceVersion of the object when the request is sent, empty if it is not known.
	version string
}

// Steps returns the steps that do what a request does, the best first, and get the answer that its client waits for. The last one is
// the request itself. version is the resourceVersion that its object has: a precondition of that version is one of the current version
// (verb.WithoutVersion).
func Steps(table *kinds.Table, wire *apiserver.Wire, r *http.Request, version string) []format.Step {
	return steps(table, written{Wire: wire, http: r, query: r.URL.Query(), version: version}, written.isKnown)
}

// Logged returns the steps that do what a request in a log did, which has been answered. The log has the objects without the fields
// that the API server did not know.
func Logged(table *kinds.Table, wire *apiserver.Wire, r *http.Request) []format.Step {
	return steps(table, written{Wire: wire, http: r, query: r.URL.Query()}, func(written, *kinds.Kind) bool { return true })
}

func steps(table *kinds.Table, w written, known func(written, *kinds.Kind) bool) (out []format.Step) {
	kind := table.Of(w.Resource.GroupResource())
	if kind != nil && kind.GroupVersionResource() == w.Resource && w.isOrdinary() && known(w, kind) {
		w.target = notation.NewTarget(kind, w.Namespace, w.Name).String()
		for _, v := range w.ordinaryVerbs() {
			out = append(out, w.managed(v))
		}
	}
	return append(out, format.Step{Verb: w.send()})
}

// manager is who manages the fields that a request writes: who it says, or the program that sends it, as managerOrUserAgent in
// k8s.io/apiserver/pkg/endpoints/handlers has it. It is "unknown" without both (k8s.io/apimachinery/pkg/util/managedfields).
func (w written) manager() string {
	program, _, _ := strings.Cut(w.http.UserAgent(), "/")
	var printable strings.Builder
	for _, r := range program {
		if !unicode.IsPrint(r) {
			continue
		}
		if printable.Len()+utf8.RuneLen(r) > validation.FieldManagerMaxLength {
			break
		}
		printable.WriteRune(r)
	}
	return cmp.Or(w.query.Get(fieldManager), printable.String(), "unknown")
}

// fieldManager is the parameter of a query that says who manages the fields.
const fieldManager = "fieldManager"

// managed is a step with the manager of its fields.
func (w written) managed(v format.Verb) format.Step {
	step := format.Step{Verb: v}
	if manager := w.manager(); manager != verb.Manager(v) && w.Verb != "delete" && w.Subresource != "eviction" {
		step.FieldManager = manager
	}
	return step
}

// ordinaryOptions are the parameters of a query that the verbs have, too, or that change nothing of what a request stores.
var ordinaryOptions = []string{fieldManager, fieldValidation, "pretty", "timeout"}

// isOrdinary reports whether a request has nothing that the verbs cannot say: no options, and no other user.
func (w written) isOrdinary() bool {
	for option := range w.query {
		if !slices.Contains(ordinaryOptions, option) {
			return false
		}
	}
	// The API server refuses a timeout that is no duration, and the verbs have none.
	if _, err := time.ParseDuration(w.query.Get("timeout")); err != nil && w.query.Has("timeout") {
		return false
	}
	// Groups without a user are refused.
	header := w.http.Header
	return header.Get(authenticationv1.ImpersonateUserHeader) == "" && header.Get(authenticationv1.ImpersonateGroupHeader) == ""
}

// ordinaryVerbs are the verbs for a request, the best first.
func (w written) ordinaryVerbs() []format.Verb {
	switch w.Verb {
	case "create":
		return w.creation()
	case "patch":
		return w.patch()
	case "delete":
		return w.deletion()
	}
	return nil
}

// send is the request as it is. A body that is no text is kept as bytes. The header that may name the manager is not; server-side apply
// does not look at it.
func (w written) send() *verb.Send {
	address := *w.http.URL
	unnamed := w.http.Method != http.MethodDelete && w.PatchType != types.ApplyPatchType && !w.query.Has(fieldManager)
	if unnamed {
		query := address.Query()
		query.Set(fieldManager, w.manager())
		address.RawQuery = query.Encode()
	}
	out := &verb.Send{
		Method: w.http.Method, Path: address.RequestURI(),
		As:       w.http.Header.Get(authenticationv1.ImpersonateUserHeader),
		AsGroups: w.http.Header.Values(authenticationv1.ImpersonateGroupHeader),
	}
	if mediaType := w.http.Header.Get("Content-Type"); mediaType != runtime.ContentTypeJSON {
		out.ContentType = mediaType
	}
	body := w.Body()
	if readable := w.inJSON(); readable != nil {
		body, out.ContentType = readable, ""
	}
	if body := verb.WithoutVersion(body, w.version); isPrintable(body) {
		out.Body = string(body)
	} else {
		out.Bytes = base64.StdEncoding.EncodeToString(body)
	}
	return out
}

// inJSON is a body in protobuf as one in JSON, which people can read and edit; nil if it is in another form, or would mean something else.
func (w written) inJSON() []byte {
	if w.http.Header.Get("Content-Type") != runtime.ContentTypeProtobuf {
		return nil
	}
	object, kind, err := typed().Decode(w.Body(), nil, nil)
	if err != nil {
		return nil
	}
	object.GetObjectKind().SetGroupVersionKind(*kind)
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return nil
	}
	extensions.WithoutNulls(fields)
	data, _ := json.Marshal(fields) // what was decoded encodes
	again, _, err := typed().Decode(data, nil, nil)
	if err != nil {
		return nil
	}
	again.GetObjectKind().SetGroupVersionKind(*kind)
	if !equality.Semantic.DeepEqual(object, again) {
		return nil
	}
	return data
}

// isPrintable reports whether a body can be a text in a file.
func isPrintable(body []byte) bool {
	if !utf8.Valid(body) {
		return false
	}
	return !bytes.ContainsFunc(body, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == 0x7f || r == utf8.RuneError })
}

// creation is for POST: apply, create or evict.
func (w written) creation() (verbs []format.Verb) {
	if w.Subresource == "eviction" {
		eviction, ok := w.Object.(*policyv1.Eviction)
		if !ok || eviction.DeleteOptions != nil && !isEmpty(eviction.DeleteOptions) {
			return nil
		}
		v := verb.Evict(w.target)
		return []format.Verb{&v}
	}
	if w.Subresource != "" || w.Object == nil {
		return nil
	}
	object, err := manifest.Content(w.Object, w.Namespace)
	// An object with a resourceVersion is refused, without a reason that a step can expect.
	if err != nil || object.GetName() == "" || object.GetResourceVersion() != "" {
		return nil
	}
	if last, ok := object.GetAnnotations()[corev1.LastAppliedConfigAnnotation]; ok && w.manager() == verb.ManagerApply {
		if text := manifest.Text([]byte(last)); text != "" {
			v := verb.Apply(text)
			verbs = append(verbs, &v)
		}
	}
	data, _ := json.Marshal(object) // fields of an object always encode
	v := verb.Create(manifest.Text(data))
	return append(verbs, &v)
}

func isEmpty(options *metav1.DeleteOptions) bool {
	data, err := json.Marshal(options)
	return err == nil && (string(data) == "{}" || string(data) == `{"kind":"DeleteOptions","apiVersion":"policy/v1"}`)
}

// nameOf is the key of a value in a table, empty if it is not there.
func nameOf[V comparable](table map[string]V, value V) string {
	for name, other := range table {
		if other == value {
			return name
		}
	}
	return ""
}

// patch is for PATCH: apply, scale, set-image or patch.
func (w written) patch() (verbs []format.Verb) {
	name := nameOf(verb.PatchTypes, w.PatchType)
	if name == "" {
		return nil
	}
	var fields map[string]any
	_ = json.Unmarshal(w.Patch, &fields)
	manager := w.manager()
	last, _, _ := unstructured.NestedString(fields, "metadata", "annotations", corev1.LastAppliedConfigAnnotation)
	switch {
	case w.Subresource == "" && last != "" && manager == verb.ManagerApply:
		v := verb.Apply(manifest.Text([]byte(last)))
		verbs = append(verbs, &v)
	case w.Subresource == "scale":
		if replicas, ok := onlyReplicas(fields); ok {
			verbs = append(verbs, &verb.Scale{Target: w.target, Replicas: int32(replicas)})
		}
	case manager == verb.ManagerSet && name == "strategic":
		if v := w.setImage(fields); v != nil {
			verbs = append(verbs, v)
		}
	}
	if !slices.Contains([]string{"", "status", "scale", "approval"}, w.Subresource) {
		return verbs
	}
	var document yaml.Node
	if err := yaml.Unmarshal(verb.WithoutVersion(w.Patch, w.version), &document); err != nil || len(document.Content) != 1 {
		return verbs
	}
	plain(document.Content[0])
	return append(verbs, &verb.Patch{Target: w.target, Type: name, Subresource: w.Subresource, Patch: document.Content[0]})
}

// plain gives the nodes of JSON the style of YAML.
func plain(node *yaml.Node) {
	node.Style &^= yaml.FlowStyle
	if node.Kind == yaml.ScalarNode && node.ShortTag() == "!!str" {
		node.SetString(node.Value)
	}
	for _, below := range node.Content {
		plain(below)
	}
}

// onlyReplicas is what a patch of a scale sets, if that is all.
func onlyReplicas(fields map[string]any) (replicas int, ok bool) {
	spec, _ := fields["spec"].(map[string]any)
	number, ok := spec["replicas"].(float64)
	return int(number), ok && len(fields) == 1 && len(spec) == 1
}

// setImage is kubectl set image of one container, nil if the patch is something else.
func (w written) setImage(fields map[string]any) format.Verb {
	pod := fields
	for pod["containers"] == nil {
		if len(pod) != 1 {
			return nil
		}
		for name, below := range pod {
			next, ok := below.(map[string]any)
			if !ok || !slices.Contains([]string{"spec", "template", "jobTemplate"}, name) {
				return nil
			}
			pod = next
		}
	}
	containers, _ := pod["containers"].([]any)
	for name := range pod {
		if name != "containers" && name != "$setElementOrder/containers" {
			return nil
		}
	}
	if len(containers) != 1 {
		return nil
	}
	container, _ := containers[0].(map[string]any)
	name, _ := container["name"].(string)
	image, _ := container["image"].(string)
	if len(container) != 2 || name == "" || image == "" {
		return nil
	}
	return &verb.SetImage{Target: w.target, Container: name, Image: image}
}

// deletion is for DELETE of one object with the options that kubectl delete sends.
func (w written) deletion() []format.Verb {
	options := deleteOptions(w.Body())
	if w.Subresource != "" || options == nil || options.PropagationPolicy == nil {
		return nil
	}
	out := &verb.Delete{
		Target: w.target, Cascade: nameOf(verb.Cascades, *options.PropagationPolicy), GracePeriodSeconds: options.GracePeriodSeconds,
	}
	options.TypeMeta, options.PropagationPolicy, options.GracePeriodSeconds = metav1.TypeMeta{}, nil, nil
	data, err := json.Marshal(options)
	if err != nil || string(data) != "{}" || out.Cascade == "" {
		return nil
	}
	return []format.Verb{out}
}

// codecs decode bodies that are not JSON.
var codecs = serializer.NewCodecFactory(scheme.Scheme)

// deleteOptions reads the body of a deletion, in JSON or in protobuf; nil if it is neither.
func deleteOptions(body []byte) *metav1.DeleteOptions {
	options := &metav1.DeleteOptions{}
	if json.Unmarshal(body, options) == nil {
		return options
	}
	object, _, err := codecs.UniversalDeserializer().Decode(body, nil, nil)
	if decoded, ok := object.(*metav1.DeleteOptions); ok && err == nil {
		return decoded
	}
	return nil
}
