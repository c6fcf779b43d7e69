// Package definition reads the CustomResourceDefinitions in manifests before anything runs: which kinds they add to the table,
// and what the API server would say of them, and of an object of such a kind, in upstream's words.
package definition

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/apimachinery/pkg/version"

	"github.com/kubestep/kubestep/sim/kinds"
)

// Definition is a CustomResourceDefinition.
type Definition = apiextensionsv1.CustomResourceDefinition

// Kind is the row of definitions themselves. Only servers that serve custom resources have it.
var Kind = kinds.Kind{
	Group: apiextensionsv1.GroupName, Versions: []string{"v1"}, Kind: "CustomResourceDefinition",
	Resource: "customresourcedefinitions", Singular: "customresourcedefinition", ShortNames: []string{"crd", "crds"},
	Categories: []string{"api-extensions"}, Subresources: []string{"status"},
}

// Read finds the definitions in manifests. What cannot be read is left to others to report.
func Read(texts ...string) []*Definition {
	var found []*Definition
	for _, text := range texts {
		if !strings.Contains(text, Kind.Kind) {
			continue
		}
		decoder := utilyaml.NewYAMLOrJSONDecoder(strings.NewReader(text), 4096)
		for {
			var raw runtime.RawExtension
			if decoder.Decode(&raw) != nil {
				break
			}
			found = append(found, of(raw.Raw)...)
		}
	}
	return found
}

// of reads a document: a definition, or a List with some.
func of(raw []byte) []*Definition {
	var list struct {
		metav1.TypeMeta `json:",inline"`
		Items           []runtime.RawExtension `json:"items"`
	}
	if err := utilyaml.Unmarshal(raw, &list); err != nil {
		return nil
	}
	if list.Kind == "List" {
		var found []*Definition
		for _, item := range list.Items {
			found = append(found, of(item.Raw)...)
		}
		return found
	}
	out := &Definition{}
	if list.Kind != Kind.Kind || utilyaml.Unmarshal(raw, out) != nil || len(served(out)) == 0 {
		return nil
	}
	return []*Definition{out}
}

// tables are those of the manifests that were asked for: a definition can have a hundred thousand characters.
var tables sync.Map // the manifests -> func() *kinds.Table

// Table is the table of Kubernetes' own kinds, and of those that manifests define. Of a kind that two of them define, it has the
// row of the last.
func Table(texts ...string) *kinds.Table {
	texts = slices.DeleteFunc(slices.Clone(texts), func(text string) bool { return !strings.Contains(text, Kind.Kind) })
	if len(texts) == 0 {
		return kinds.BuiltIn()
	}
	found, _ := tables.LoadOrStore(strings.Join(texts, "\n---\n"), sync.OnceValue(func() *kinds.Table { return tableOf(Read(texts...)) }))
	return found.(func() *kinds.Table)()
}

func tableOf(definitions []*Definition) *kinds.Table {
	rows := []kinds.Kind{Kind}
	for _, d := range definitions {
		row := rowOf(d)
		rows = slices.DeleteFunc(rows, func(k kinds.Kind) bool { return k.GroupResource() == row.GroupResource() })
		rows = append(rows, row)
	}
	return kinds.BuiltIn().With(rows...)
}

func rowOf(d *Definition) kinds.Kind {
	names := d.Spec.Names
	row := kinds.Kind{
		Group: d.Spec.Group, Versions: served(d), Kind: names.Kind, Resource: names.Plural,
		Singular:   cmp.Or(names.Singular, strings.ToLower(names.Kind)),
		ShortNames: names.ShortNames, Categories: names.Categories, Namespaced: d.Spec.Scope == apiextensionsv1.NamespaceScoped,
	}
	for _, v := range d.Spec.Versions {
		if v.Name != row.Versions[0] || v.Subresources == nil {
			continue
		}
		if v.Subresources.Scale != nil {
			row.Subresources = append(row.Subresources, "scale")
		}
		if v.Subresources.Status != nil {
			row.Subresources = append(row.Subresources, "status")
		}
	}
	return row
}

// served are the versions that the API server serves, the preferred one first.
func served(d *Definition) []string {
	var names []string
	for _, v := range d.Spec.Versions {
		if v.Served {
			names = append(names, v.Name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return version.CompareKubeAwareVersionStrings(b, a) })
	return names
}

// TableIn is TableOf for objects of any types.
func TableIn(objects []runtime.Object) *kinds.Table {
	var definitions []*unstructured.Unstructured
	for _, object := range objects {
		if o, ok := object.(*unstructured.Unstructured); ok {
			definitions = append(definitions, o)
		}
	}
	return TableOf(definitions)
}

// TableOf is the table of Kubernetes' own kinds, and of those that some of the objects define.
func TableOf(objects []*unstructured.Unstructured) *kinds.Table {
	var texts []string
	for _, o := range objects {
		if o.GroupVersionKind() != Kind.GroupVersionKind() {
			continue
		}
		if text, err := o.MarshalJSON(); err == nil {
			texts = append(texts, string(text))
		}
	}
	return Table(texts...)
}
