package syncs

import "testing"

// TestRequestKey reads the key of a request from the values of its logger.
func TestRequestKey(t *testing.T) {
	for want, values := range map[string][]any{
		"default/web": {"controller", "deployment", "namespace", "default", "name", "web", reconcileID, "8c0b"},
		"node-1":      {"namespace", "", "name", "node-1"},
		"b":           {"name", "a", "name", "b"},
		"":            {reconcileID},
	} {
		if got := requestKey(values); got != want {
			t.Errorf("of %v: %q, want %q", values, got, want)
		}
	}
	if !reconciles([]any{reconcileID, "8c0b"}) || reconciles([]any{"name", "web"}) {
		t.Error("which loggers are those of requests is wrong")
	}
}
