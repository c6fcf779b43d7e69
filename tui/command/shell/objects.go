package shell

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// objects are those in the manifests of the scenario that the first argument names. Those that controllers create, such as Pods,
// have their names in a run only, and completion must not take as long as one.
func objects(r request) ([]string, cobra.ShellCompDirective) {
	var all []string
	namespace, _ := r.cmd.Flags().GetString("namespace")
	namespace = cmp.Or(namespace, metav1.NamespaceDefault)
	for _, o := range manifests(r.args) {
		if own := o.GetNamespace(); own == "" || own == namespace {
			all = append(all, strings.ToLower(o.GetKind())+"/"+o.GetName())
		}
	}
	slices.Sort(all)
	return beginning(slices.Compact(all), r.typed), cobra.ShellCompDirectiveNoFileComp
}

// namespaces are those of these objects.
func namespaces(r request) ([]string, cobra.ShellCompDirective) {
	var all []string
	for _, o := range manifests(r.args) {
		if o.GetNamespace() != "" {
			all = append(all, o.GetNamespace())
		}
	}
	slices.Sort(all)
	return beginning(slices.Compact(all), r.typed), cobra.ShellCompDirectiveNoFileComp
}

// manifests are the objects that a scenario has from the start, and those of its steps. In a trace, there are none.
func manifests(args []string) (all []*unstructured.Unstructured) {
	if len(args) == 0 {
		return nil
	}
	scenario, err := runner.Open(args[0])
	if err != nil {
		return nil
	}
	texts := []string{scenario.Spec.Cluster.Objects}
	for _, step := range scenario.Spec.Steps {
		if v, ok := step.Verb.(verb.Manifester); ok {
			texts = append(texts, *v.Manifests())
		}
	}
	for _, text := range texts {
		all = append(all, named(scenario, text)...)
	}
	return all
}

// named are the objects of a text with a name. As kubectl does, it puts them into the namespace default.
func named(scenario *format.Scenario, text string) (all []*unstructured.Unstructured) {
	decoder := utilyaml.NewYAMLOrJSONDecoder(strings.NewReader(text), 4096)
	for {
		o := &unstructured.Unstructured{}
		if decoder.Decode(&o.Object) != nil {
			return all
		}
		if kind := scenario.Kinds().Serving(o.GroupVersionKind()); kind == nil || o.GetName() == "" {
			continue
		} else if kind.Namespaced && o.GetNamespace() == "" {
			o.SetNamespace(metav1.NamespaceDefault)
		}
		all = append(all, o)
	}
}
