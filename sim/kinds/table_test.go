package kinds_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/sim/kinds"
)

// TestNamed lists the ways in which kubectl lets people write a kind.
func TestNamed(t *testing.T) {
	for name, want := range map[string]string{
		"deployment": "deployments.apps", "Deployments": "deployments.apps", "deploy": "deployments.apps",
		"deployments.apps": "deployments.apps", "deployments.v1.apps": "deployments.apps",
		"endpoints": "endpoints", "po": "pods", "pods.": "pods", "pods.v1.": "pods",
		"hpa.v1.autoscaling": "horizontalpodautoscalers.autoscaling",
		// A name that two groups share means the first.
		"events": "events", "events.events.k8s.io": "events.events.k8s.io",
		"": "", ".": "", "deployment.batch": "", "deployments.v2.apps": "", "widget": "", "status": "",
	} {
		got := ""
		if k := kinds.BuiltIn().Named(name); k != nil {
			got = k.GroupResource().String()
		}
		if got != want {
			t.Errorf("Named(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestServing(t *testing.T) {
	for _, test := range []struct{ group, version, kind, want string }{
		{"apps", "v1", "Deployment", "deployments.apps"},
		{"autoscaling", "v1", "HorizontalPodAutoscaler", "horizontalpodautoscalers.autoscaling"},
		{"autoscaling", "v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers.autoscaling"},
		{"events.k8s.io", "v1", "Event", "events.events.k8s.io"},
		{"apps", "v1", "deployment", ""},
		{"extensions", "v1beta1", "Deployment", ""},
		{"", "v1", "List", ""},
	} {
		got := ""
		if k := kinds.BuiltIn().Serving(schema.GroupVersionKind{Group: test.group, Version: test.version, Kind: test.kind}); k != nil {
			got = k.GroupResource().String()
		}
		if got != test.want {
			t.Errorf("Serving(%v) = %q", test, got)
		}
	}
}

// TestWith adds the kind of a CustomResourceDefinition. The table that it is added to stays as it is.
func TestWith(t *testing.T) {
	widgets := kinds.Kind{
		Group: "example.com", Versions: []string{"v2", "v1"}, Kind: "Widget", Resource: "widgets", Singular: "widget",
		ShortNames: []string{"wg"}, Namespaced: true, Subresources: []string{"scale"},
	}
	table := kinds.BuiltIn().With(widgets)
	k := table.Named("wg")
	if k == nil || !k.Has("scale") || k.Has("status") || k.RollsOut("undo") || k.GroupVersion().String() != "example.com/v2" {
		t.Fatalf("Named = %+v", k)
	}
	if got := k.Describe("shop", "w"); got != "widget shop/w" {
		t.Error(got)
	}
	if table.Of(k.GroupResource()) != k || table.Rank(k.GroupResource()) != len(kinds.BuiltIn().All()) {
		t.Errorf("Rank = %d", table.Rank(k.GroupResource()))
	}
	if kinds.BuiltIn().Named("widget") != nil {
		t.Error("With changed the table of the built-in kinds")
	}
}

// BenchmarkNamed compares a look-up with that of apimachinery's RESTMapper.
func BenchmarkNamed(b *testing.B) {
	mapper := meta.NewDefaultRESTMapper(nil)
	for _, k := range kinds.BuiltIn().All() {
		gv := k.GroupVersion()
		mapper.AddSpecific(gv.WithKind(k.Kind), gv.WithResource(k.Resource), gv.WithResource(k.Singular), meta.RESTScopeNamespace)
	}
	b.Run("Table", func(b *testing.B) {
		for range b.N {
			if kinds.BuiltIn().Named("deployments") == nil {
				b.Fatal("deployments are unknown")
			}
		}
	})
	b.Run("RESTMapper", func(b *testing.B) {
		for range b.N {
			if _, err := mapper.ResourceFor(schema.GroupVersionResource{Resource: "deployments"}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
