package annotation

import "testing"

func TestBefore(t *testing.T) {
	const value = "1.36 Before, no controller waits for its own writes."
	for kubernetes, want := range map[string]string{
		"v1.35.4": "it is for Kubernetes 1.36 and newer, and this is v1.35.4. Before, no controller waits for its own writes.",
		"v1.36.0": "", "v1.37.2": "", "v1.9.11": "it is for Kubernetes 1.36 and newer, and this is v1.9.11. Before, no controller waits for its own writes.",
		"": "",
	} {
		if got := Before(value, kubernetes); got != want {
			t.Errorf("%s: %q, want %q", kubernetes, got, want)
		}
	}
	if got := Before("", "v1.35.4"); got != "" {
		t.Errorf("without an annotation: %q", got)
	}
}
