package scenarios

import (
	"encoding/json"
	"io"
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	jsonserializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/client-go/kubernetes/scheme"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/kubestep/kubestep/sim/kinds"
)

// Manifest is one object of an apply or create step.
type Manifest struct {
	Object       runtime.Object             // typed, in the version that the manifest names
	Raw          []byte                     // JSON
	Unstructured *unstructured.Unstructured // the same without types
	GVK          schema.GroupVersionKind
	Position     Position // where the object starts in the scenario file
	Index        int      // place in the step, from 0; the items of a List count one by one
}

// Manifests reads the manifests of a step: any number of YAML documents, strictly, so that a field
// that Kubernetes does not know and a field that is there twice are errors, in upstream's words.
// Lists are taken apart. stepPath is the path of the step, or of its field that holds the text.
//
// Nothing is defaulted or validated beyond that, which is the API server's business.
func (s *Scenario) Manifests(stepPath, text string) ([]Manifest, error) {
	r := manifestReader{scenario: s, path: stepPath, create: strings.HasSuffix(stepPath, ".create")}
	for i, step := range s.Spec.Steps {
		if StepPath(i) == stepPath {
			r.path, r.create = joinPath(stepPath, step.Verb()), step.Create != ""
		}
	}
	for _, doc := range splitDocuments(text) {
		if !r.errs.full() {
			r.document(doc)
		}
	}
	if len(r.errs) == 0 && len(r.manifests) == 0 {
		r.fail(1, "a manifest with apiVersion, kind and metadata.name", "holds no manifest")
	}
	if err := r.errs.err(); err != nil {
		return nil, err
	}
	return r.manifests, nil
}

// manifestReader collects the objects and errors of one step.
type manifestReader struct {
	scenario  *Scenario
	path      string
	create    bool
	manifests []Manifest
	errs      ErrorList
}

// manifestDocument is one YAML document of a step. Its nodes count lines from 1, and its first
// line is the line offset+1 of the step's text.
type manifestDocument struct {
	text   strings.Builder
	offset int
	root   *yaml.Node
}

var documentMarker = regexp.MustCompile(`^(---|\.\.\.)(\s|$)`)

// splitDocuments cuts at the "---" and "..." lines. What follows the marker on its line belongs to
// the document after it, so the marker becomes blanks and columns stay right.
func splitDocuments(text string) []*manifestDocument {
	docs := []*manifestDocument{{}}
	for i, line := range strings.SplitAfter(text, "\n") {
		if documentMarker.MatchString(line) {
			docs = append(docs, &manifestDocument{offset: i})
			line = "   " + line[3:]
		}
		docs[len(docs)-1].text.WriteString(line)
	}
	return docs
}

// fail reports an error at a line of the step's text, counted from 1.
func (r *manifestReader) fail(line int, try, format string, args ...any) {
	at := r.scenario.textPosition(r.path, line, 0)
	r.errs = append(r.errs, placed(problem(try, format, args...), r.scenario.File, r.path, at))
}

// failAt reports an error at a node of a document.
func (r *manifestReader) failAt(doc *manifestDocument, node *yaml.Node,
	try, format string, args ...any) {
	at := r.scenario.textPosition(r.path, doc.offset+node.Line, node.Column)
	r.errs = append(r.errs, placed(problem(try, format, args...), r.scenario.File, r.path, at))
}

// document reads one YAML document twice: as nodes, which know their lines, and as upstream does.
func (r *manifestReader) document(doc *manifestDocument) {
	var node yaml.Node
	switch err := decodeNode(yaml.NewDecoder(strings.NewReader(doc.text.String())), &node); {
	case err == io.EOF:
		return
	case err != nil:
		e := syntaxError(err, doc.text.String())
		r.fail(doc.offset+e.Line, e.Try, "%s", e.Message)
		return
	}
	if len(node.Content) == 0 || node.Content[0].ShortTag() == "!!null" {
		return
	}
	doc.root = node.Content[0]
	if doc.root.Kind != yaml.MappingNode {
		r.failAt(doc, doc.root, `write the manifests below "apply: |"`,
			"a manifest must be a mapping, not %s", described(doc.root))
		return
	}
	raw, err := manifestJSON(doc.text.String())
	if err != nil {
		r.conversionErrors(doc, err)
		return
	}
	r.object(doc, doc.root, "", raw)
}

// manifestJSON converts as kubectl does, and refuses duplicate keys.
func manifestJSON(text string) (raw []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = problem("plain YAML without anchors", "cannot be read as YAML: %v", p)
		}
	}()
	return sigsyaml.YAMLToJSONStrict([]byte(text))
}

// manifestHead is what every object has.
type manifestHead struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name         string `json:"name"`
		GenerateName string `json:"generateName"`
	} `json:"metadata"`
	Items []json.RawMessage `json:"items"`
}

// object reads one object. node is its mapping, and prefix its path below the document: items[2].
// for an object in a List.
func (r *manifestReader) object(doc *manifestDocument, node *yaml.Node, prefix string, raw []byte) {
	var head manifestHead
	headErr := json.Unmarshal(raw, &head)
	group, err := schema.ParseGroupVersion(head.APIVersion)
	switch {
	case head.APIVersion == "" && head.Kind == "" && headErr != nil:
		r.failAt(doc, node, "a manifest with apiVersion, kind and metadata.name", "is not a manifest")
		return
	case head.Kind == "":
		r.failAt(doc, node, "kind: Deployment", "kind is missing")
		return
	case head.APIVersion == "":
		r.failAt(doc, node, kindTry(schema.GroupVersionKind{Kind: head.Kind}), "apiVersion is missing")
		return
	case err != nil:
		r.failAt(doc, node, kindTry(schema.GroupVersionKind{Kind: head.Kind}), "%s", err)
		return
	}
	gvk := group.WithKind(head.Kind)
	if head.Kind == "List" && head.APIVersion == "v1" {
		r.list(doc, node, prefix, raw, head.Items)
		return
	}
	if kinds.BuiltIn().Serving(gvk) == nil {
		// The words are those of kubectl for a kind that the server does not have.
		r.failAt(doc, node, kindTry(gvk), "no matches for kind %q in version %q", gvk.Kind, group)
		return
	}
	r.typed(doc, node, prefix, raw, head, gvk)
}

// list reads the items of a List, each like a document of its own.
func (r *manifestReader) list(doc *manifestDocument, node *yaml.Node, prefix string, raw []byte,
	items []json.RawMessage) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) == nil {
		for _, name := range []string{"apiVersion", "kind", "metadata", "items"} {
			delete(fields, name)
		}
	}
	for _, name := range sortedKeys(fields) {
		key, _ := fieldNode(node, name)
		r.failAt(doc, key, "items", "unknown field %q", prefix+name)
	}
	for i, item := range items {
		if r.errs.full() {
			return
		}
		name := itemPath("items", i)
		key, _ := fieldNode(node, name)
		r.object(doc, key, prefix+name+".", item)
	}
}

// strictDecoder is what the API server uses for fieldValidation=Strict.
var strictDecoder = jsonserializer.NewSerializerWithOptions(jsonserializer.DefaultMetaFactory,
	scheme.Scheme, scheme.Scheme, jsonserializer.SerializerOptions{Strict: true})

// typed decodes an object of a known kind and keeps it.
func (r *manifestReader) typed(doc *manifestDocument, node *yaml.Node, prefix string, raw []byte,
	head manifestHead, gvk schema.GroupVersionKind) {
	object, _, err := strictDecoder.Decode(raw, nil, nil)
	if err != nil {
		r.decodeErrors(doc, node, prefix, gvk, err)
		return
	}
	switch {
	case head.Metadata.Name == "" && head.Metadata.GenerateName == "":
		r.failAt(doc, node, "metadata: {name: NAME}", "%s has no metadata.name", gvk.Kind)
		return
	case head.Metadata.Name == "" && !r.create:
		r.failAt(doc, node, "create instead of apply", "%s has generateName, which apply cannot use",
			gvk.Kind)
		return
	}
	untyped := &unstructured.Unstructured{}
	if err := untyped.UnmarshalJSON(raw); err != nil {
		r.failAt(doc, node, "", "%s", err)
		return
	}
	r.manifests = append(r.manifests, Manifest{
		Object:       object,
		Raw:          raw,
		Unstructured: untyped,
		GVK:          gvk,
		Position:     r.scenario.textPosition(r.path, doc.offset+node.Line, node.Column),
		Index:        len(r.manifests),
	})
}
