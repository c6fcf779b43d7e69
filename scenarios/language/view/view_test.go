package view_test

import (
	"slices"
	"testing"

	"github.com/kubestep/kubestep/scenarios/language/view"
)

// TestViewsAreToldApart holds that each view has a word and a key of its own, and a tab that exists.
func TestViewsAreToldApart(t *testing.T) {
	words, keys := map[string]bool{}, map[string]bool{}
	for _, v := range view.All {
		if words[v.Word] || keys[v.Key] || v.Name == "" || v.About == "" {
			t.Errorf("%+v: its word or key is that of another view, or it lacks a name", *v)
		}
		words[v.Word], keys[v.Key] = true, true
		if v.Tab != "" && !slices.ContainsFunc(view.Tabs(), func(tab view.Tab) bool { return tab.Word == v.Tab }) {
			t.Errorf("view %s: a page has no tab %q", v.Word, v.Tab)
		}
		if view.Named(v.Word) != v {
			t.Errorf("view %s is not found by its word", v.Word)
		}
	}
}
