package manifest

import (
	"cmp"
	"encoding/json"
	"io"
	"reflect"
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"
	corev1 "k8s.io/api/core/v1"
	extensions "k8s.io/apiextensions-apiserver/pkg/apiserver"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	jsonserializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/sim/kinds"
)

// Manifest is one object of an apply or create step.
type Manifest struct {
	Object       runtime.Object             // typed, in the version that the manifest names; Unstructured if it is Custom
	Raw          []byte                     // JSON
	Unstructured *unstructured.Unstructured // the same without types
	GVK          schema.GroupVersionKind
	Position     source.Position // where the object starts in the scenario file
	Index        int             // place in the step, from 0; the items of a List count one by one

	kind  *kinds.Kind
	place func(field string) source.Position
}

// Field is where a field of the object is in the scenario file, or the nearest field above it that the manifest has.
func (m Manifest) Field(path string) source.Position { return m.place(path) }

// Read reads the manifests of a step: any number of YAML documents, strictly, so that a field
// that Kubernetes does not know and a field that is duplicate are errors, in upstream's words.
// Lists are taken apart. path is that of the field that holds the text.
//
// Nothing is defaulted or validated beyond that, which is the API server's business. What could be read is returned
// together with the ErrorList of what is wrong.
func Read(table *kinds.Table, file *source.File, path, text string) ([]Manifest, error) {
	r := &manifestReader{table: table, file: file, path: path}
	for _, doc := range splitDocuments(text) {
		if !r.errs.IsFull() {
			r.document(doc)
		}
	}
	if len(r.errs) == 0 && len(r.manifests) == 0 {
		r.fail(1, "a manifest with apiVersion, kind and metadata.name", "contains no manifest")
	}
	return r.manifests, r.errs.Err()
}

// Target names the object.
func (m Manifest) Target() notation.Target {
	namespace := ""
	if m.kind.Namespaced {
		namespace = cmp.Or(m.Unstructured.GetNamespace(), metav1.NamespaceDefault)
	}
	return notation.NewTarget(m.kind, namespace, m.Unstructured.GetName())
}

// IsCustom reports whether the object has no Go type: a custom resource, or a definition of one.
func (m Manifest) IsCustom() bool { return !Scheme.Recognizes(m.GVK) }

// manifestReader collects the objects and errors of one step.
type manifestReader struct {
	table     *kinds.Table
	file      *source.File
	path      string
	manifests []Manifest
	errs      source.ErrorList
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
	at := r.file.TextPosition(r.path, line, 0)
	r.errs = append(r.errs, r.file.Place(source.Problem(try, format, args...), r.path, at))
}

// failAt reports an error at a node of a document.
func (r *manifestReader) failAt(doc *manifestDocument, node *yaml.Node,
	try, format string, args ...any) {
	at := r.file.TextPosition(r.path, doc.offset+node.Line, node.Column)
	r.errs = append(r.errs, r.file.Place(source.Problem(try, format, args...), r.path, at))
}

// document reads one YAML document twice: as nodes, which know their lines, and as upstream does.
func (r *manifestReader) document(doc *manifestDocument) {
	var node yaml.Node
	switch err := source.DecodeNode(yaml.NewDecoder(strings.NewReader(doc.text.String())), &node); {
	case err == io.EOF:
		return
	case err != nil:
		e := source.SyntaxError(err, doc.text.String())
		r.fail(doc.offset+e.Line, e.Try, "%s", e.Message)
		return
	}
	if err := source.CheckAliases(&node); err != nil {
		r.failAt(doc, &yaml.Node{Line: err.Line, Column: err.Column}, err.Try, "%s: %s", err.Path, err.Message)
		return
	}
	if len(node.Content) == 0 || node.Content[0].ShortTag() == "!!null" {
		return
	}
	doc.root = node.Content[0]
	if doc.root.Kind != yaml.MappingNode {
		r.failAt(doc, doc.root, `write the manifests below "apply: |"`,
			"a manifest must be a mapping, not %s", source.Described(doc.root))
		return
	}
	raw, err := manifestJSON(doc.text.String(), sigsyaml.YAMLToJSONStrict)
	if err != nil {
		var again structure
		again.duplicates(doc.root, nil)
		if len(again.mistakes) == 0 {
			r.conversionErrors(doc, err)
			return
		}
		r.mistakes(doc, again.mistakes)
		// The rest of the document may be wrong as well.
		if raw, err = manifestJSON(doc.text.String(), sigsyaml.YAMLToJSON); err != nil {
			return
		}
	}
	r.object(doc, doc.root, "", raw)
}

func (r *manifestReader) mistakes(doc *manifestDocument, found []mistake) {
	for _, m := range found {
		if r.errs.IsFull() {
			return
		}
		r.failAt(doc, m.node, m.try, "%s", m.message)
	}
}

// manifestJSON converts as kubectl does.
func manifestJSON(text string, convert func([]byte) ([]byte, error)) (raw []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = source.Problem("plain YAML without anchors", "cannot be read as YAML: %v", p)
		}
	}()
	return convert([]byte(text))
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
	if found := typeMistakes(node, prefix, raw); len(found) > 0 {
		r.mistakes(doc, found)
		return
	}
	switch {
	case head.APIVersion == "" && head.Kind == "" && headErr != nil:
		r.failAt(doc, node, "a manifest with apiVersion, kind and metadata.name", "is not a manifest")
		return
	case head.Kind == "":
		r.failAt(doc, node, "kind: Deployment", "kind is missing")
		return
	case head.APIVersion == "":
		r.failAt(doc, node, notation.KindTry(r.table, schema.GroupVersionKind{Kind: head.Kind}), "apiVersion is missing")
		return
	case err != nil:
		r.failAt(doc, node, notation.KindTry(r.table, schema.GroupVersionKind{Kind: head.Kind}), "%s", err)
		return
	}
	gvk := group.WithKind(head.Kind)
	if head.Kind == "List" && head.APIVersion == "v1" {
		r.list(doc, node, prefix, raw, head.Items)
		return
	}
	kind := r.table.Serving(gvk)
	if kind == nil {
		// The words are those of kubectl for a kind that the server does not have.
		r.failAt(doc, node, notation.KindTry(r.table, gvk), "no matches for kind %q in version %q", gvk.Kind, group)
		return
	}
	r.typed(doc, node, prefix, raw, head, gvk, kind)
}

// list reads the items of a List, each like a document of its own.
func (r *manifestReader) list(doc *manifestDocument, node *yaml.Node, prefix string, raw []byte,
	items []json.RawMessage) {
	r.mistakes(doc, structureMistakes(reflect.TypeFor[corev1.List](), "", node, prefix, raw))
	for i, item := range items {
		if r.errs.IsFull() {
			return
		}
		name := source.Item("items", i)
		key, _ := fieldNode(node, name)
		r.object(doc, key, prefix+name+".", item)
	}
}

// strictDecoder is what the API server uses for fieldValidation=Strict.
var strictDecoder = jsonserializer.NewSerializerWithOptions(jsonserializer.DefaultMetaFactory,
	Scheme, Scheme, jsonserializer.SerializerOptions{Strict: true})

// definitionDecoder is the same for definitions, whose types the scheme of clients does not have.
var definitionDecoder = jsonserializer.NewSerializerWithOptions(jsonserializer.DefaultMetaFactory,
	extensions.Scheme, extensions.Scheme, jsonserializer.SerializerOptions{Strict: true})

// decode reads an object strictly. What has no Go type has the schema of its definition, which the API server looks at.
func decode(raw []byte, gvk schema.GroupVersionKind) (runtime.Object, error) {
	switch {
	case Scheme.Recognizes(gvk):
		object, _, err := strictDecoder.Decode(raw, nil, nil)
		return object, err
	case extensions.Scheme.Recognizes(gvk):
		if _, _, err := definitionDecoder.Decode(raw, nil, nil); err != nil {
			return nil, err
		}
	}
	object := &unstructured.Unstructured{}
	return object, object.UnmarshalJSON(raw)
}

// typed decodes an object of a known kind and keeps it.
func (r *manifestReader) typed(doc *manifestDocument, node *yaml.Node, prefix string, raw []byte,
	head manifestHead, gvk schema.GroupVersionKind, kind *kinds.Kind) {
	object, err := decode(raw, gvk)
	if err != nil {
		r.decodeErrors(doc, node, prefix, gvk, raw, err)
		return
	}
	switch {
	case head.Metadata.Name == "" && head.Metadata.GenerateName == "":
		r.failAt(doc, node, "metadata: {name: NAME}", "%s has no metadata.name", gvk.Kind)
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
		kind:         kind,
		Position:     r.file.TextPosition(r.path, doc.offset+node.Line, node.Column),
		Index:        len(r.manifests),
		place: func(field string) source.Position {
			at := node
			if found, _ := fieldNode(node, field); found != nil {
				at = found
			}
			return r.file.TextPosition(r.path, doc.offset+at.Line, at.Column)
		},
	})
}
