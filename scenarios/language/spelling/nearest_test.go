package spelling

import "testing"

func TestNearest(t *testing.T) {
	verbs := []string{"apply", "create", "patch", "scale", "set-image", "rollout", "delete", "label", "wait", "note"}
	names := []string{"availableReplicas", "replicas", "readyReplicas", "pod", "pods", "job"}
	for _, test := range []struct {
		word  string
		known []string
		want  string
	}{
		{"set_image", verbs, "set-image"},
		{"setImage", verbs, "set-image"},
		{"aply", verbs, "apply"},
		{"scael", verbs, "scale"},
		{"ev", []string{"web"}, ""},
		{"zebra", verbs, ""},
		{"availablereplicas", names, "availableReplicas"},
		{"avialableReplicas", names, "availableReplicas"},
		{"replica", names, "replicas"},
		{"pdos", names, "pods"},
		{"jbo", names, "job"},
		{"bop", names, ""},
		{"x", names, ""},
		{"", names, ""},
	} {
		if got := Nearest(test.word, test.known); got != test.want {
			t.Errorf("%q: got %q, want %q", test.word, got, test.want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"kitten", "sitting", 3}, {"scale", "scael", 1}, {"abcdefgh", "", 5}} {
		if got := Distance(test.a, test.b, 5); got != test.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", test.a, test.b, got, test.want)
		}
	}
}
