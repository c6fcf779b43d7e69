package snapshot

import "testing"

// TestLooks tells a dump from a scenario, also from one with mistakes.
func TestLooks(t *testing.T) {
	for text, want := range map[string]bool{
		"apiVersion: v1\nkind: List\nitems: []\n": true,
		"kind: Pod\napiVersion: v1\n":             true,
		"# a comment\napiVersion: example.com/v1\nkind: Rollout\n---\napiVersion: v1\nkind: Pod\n": true,
		"apiVersion: v1\nkind: PodList\n":                                                                               true,
		`{"apiVersion":"v1","kind":"List","items":[]}`:                                                                  true,
		"{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n{\"kind\": \"Pod\"}":                                         true,
		"apiVersion: kubestep.dev/v1alpha1\nkind: Scenario\nspec:\n  steps:\n  - create: |\n      kind: Pod":            false,
		"apiVersion: kubestep/v1\nkind: Scenario\n":                                                                     false,
		"apiVersion: kubestep.dev/v1alpha1\nkind: Scenaro\nspec: {}\n":                                                  false,
		"spec:\n  cluster:\n    objects: |\n      kind: Pod\n":                                                          false,
		`{"apiVersion": "kubestep.dev/v1alpha1", "kind": "Scenario", "spec": {"steps": [{"create": {"kind": "Pod"}}]}}`: false,
		"NAME   READY\n": false,
		"":               false,
	} {
		if Looks([]byte(text)) != want {
			t.Errorf("%q: want %v", text, want)
		}
	}
}
