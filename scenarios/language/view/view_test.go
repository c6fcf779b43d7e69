package view_test

import (
	"slices"
	"testing"

	"github.com/kubestep/kubestep/scenarios/language/view"
)

// TestViewsAreToldApart holds that each view has a word and a key of its own, and that those of a page are its tabs, which scenarios ask for.
func TestViewsAreToldApart(t *testing.T) {
	words, keys := map[string]bool{}, map[string]bool{}
	for _, v := range view.All {
		if words[v.Word] || keys[v.Key] || v.Name == "" || v.About == "" {
			t.Errorf("%+v: its word or key is that of another view, or it lacks a name", *v)
		}
		words[v.Word], keys[v.Key] = true, true
		if tab := (view.Tab{Word: v.Word, Name: v.Name, Key: v.Key}); v.Page != slices.Contains(view.Tabs(), tab) || v.Page != slices.Contains(view.Directed(), v.Word) {
			t.Errorf("view %s: not every view of a page, and no other, is a tab that a scenario can ask for", v.Word)
		}
		if view.Named(v.Word) != v {
			t.Errorf("view %s is not found by its word", v.Word)
		}
	}
}
