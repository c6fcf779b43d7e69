package trace

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCount(t *testing.T) {
	var got []string
	for _, noun := range []string{"check", "key", "fault rule", "Ingress", "NetworkPolicy", "batch", "Endpoints"} {
		got = append(got, Count(0, noun), Count(1, noun), Count(2, noun))
	}
	want := []string{
		"0 checks", "1 check", "2 checks", "0 keys", "1 key", "2 keys", "0 fault rules", "1 fault rule", "2 fault rules",
		"0 Ingresses", "1 Ingress", "2 Ingresses", "0 NetworkPolicies", "1 NetworkPolicy", "2 NetworkPolicies",
		"0 batches", "1 batch", "2 batches", "0 Endpoints", "1 Endpoints", "2 Endpoints",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
