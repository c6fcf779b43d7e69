package notation

import "testing"

func TestParseTarget(t *testing.T) {
	for _, test := range []struct {
		text string
		want Target
	}{
		{"deployment/web", Target{"default", "deployment", "web"}},
		{"Deploy/web", Target{"default", "deploy", "web"}},
		{"shop/deployments.apps/web", Target{"shop", "deployments.apps", "web"}},
		{"node/node-1", Target{"", "node", "node-1"}},
		{"ns/shop", Target{"", "ns", "shop"}},
		{"clusterrole/system:node", Target{"", "clusterrole", "system:node"}},
		{"pod/deployment", Target{"default", "pod", "deployment"}},
	} {
		got, err := ParseTarget(test.text)
		if err != nil || got != test.want {
			t.Errorf("ParseTarget(%q) = %v, %v, want %v", test.text, got, err, test.want)
		}
		again, err := ParseTarget(got.String())
		if err != nil || again != got {
			t.Errorf("ParseTarget(%q) = %v, %v, want %v", got, again, err, got)
		}
	}
	got, err := ParseTargetKind("shop/pods")
	if want := (Target{"shop", "pods", ""}); err != nil || got != want || got.String() != "shop/pods" {
		t.Errorf("ParseTargetKind = %v, %v, want %v", got, err, want)
	}
}

func TestParseWait(t *testing.T) {
	web := Target{"default", "deployment", "web"}
	for _, text := range []string{"rollout deployment/web", "  rollout status deployment/web"} {
		got, err := ParseWait(text)
		if err != nil || got.Rollout == nil || *got.Rollout != web {
			t.Errorf("ParseWait(%q) = %v, %v", text, got, err)
		}
	}
	if got, err := ParseWait("delete deployment/web"); err != nil || *got.Delete != web {
		t.Errorf("ParseWait = %v, %v", got, err)
	}
	if got, err := ParseWait("quiet 1m30s"); err != nil || got.Quiet.String() != "1m30s" {
		t.Errorf("ParseWait = %v, %v", got, err)
	}
	conditions := []string{"a in b", "size(pods()) == 3", "rollouts == 3", "!quiet", "a\n&& b"}
	for _, text := range conditions {
		if got, err := ParseWait(text); err != nil || got.Condition != text {
			t.Errorf("ParseWait(%q) = %v, %v", text, got, err)
		}
	}
}
