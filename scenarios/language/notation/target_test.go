package notation

import (
	"testing"

	"github.com/kubestep/kubestep/sim/kinds"
)

func TestParseTarget(t *testing.T) {
	for _, test := range []struct {
		text string
		want Target
	}{
		{"deployment/web", Target{"default", "deployment", "web", kinds.BuiltIn().Named("deployment")}},
		{"Deploy/web", Target{"default", "deploy", "web", kinds.BuiltIn().Named("deploy")}},
		{"shop/deployments.apps/web", Target{"shop", "deployments.apps", "web", kinds.BuiltIn().Named("deployments.apps")}},
		{"node/node-1", Target{"", "node", "node-1", kinds.BuiltIn().Named("node")}},
		{"ns/shop", Target{"", "ns", "shop", kinds.BuiltIn().Named("ns")}},
		{"clusterrole/system:node", Target{"", "clusterrole", "system:node", kinds.BuiltIn().Named("clusterrole")}},
		{"pod/deployment", Target{"default", "pod", "deployment", kinds.BuiltIn().Named("pod")}},
	} {
		got, err := ParseTarget(kinds.BuiltIn(), test.text)
		if err != nil || got != test.want {
			t.Errorf("ParseTarget(%q) = %v, %v, want %v", test.text, got, err, test.want)
		}
		again, err := ParseTarget(kinds.BuiltIn(), got.String())
		if err != nil || again != got {
			t.Errorf("ParseTarget(%q) = %v, %v, want %v", got, again, err, got)
		}
	}
	got, err := ParseTargetKind(kinds.BuiltIn(), "shop/pods")
	if want := (Target{"shop", "pods", "", kinds.BuiltIn().Named("pods")}); err != nil || got != want || got.String() != "shop/pods" {
		t.Errorf("ParseTargetKind = %v, %v, want %v", got, err, want)
	}
}

func TestParseWait(t *testing.T) {
	web := Target{"default", "deployment", "web", kinds.BuiltIn().Named("deployment")}
	for _, text := range []string{"rollout deployment/web", "  rollout status deployment/web"} {
		got, err := ParseWait(kinds.BuiltIn(), text)
		if err != nil || got.Rollout == nil || *got.Rollout != web {
			t.Errorf("ParseWait(%q) = %v, %v", text, got, err)
		}
	}
	if got, err := ParseWait(kinds.BuiltIn(), "delete deployment/web"); err != nil || *got.Delete != web {
		t.Errorf("ParseWait = %v, %v", got, err)
	}
	if got, err := ParseWait(kinds.BuiltIn(), "quiet 1m30s"); err != nil || got.Quiet.String() != "1m30s" {
		t.Errorf("ParseWait = %v, %v", got, err)
	}
	conditions := []string{"a in b", "size(pods()) == 3", "rollouts == 3", "!quiet", "a\n&& b"}
	for _, text := range conditions {
		if got, err := ParseWait(kinds.BuiltIn(), text); err != nil || got.Condition != text {
			t.Errorf("ParseWait(%q) = %v, %v", text, got, err)
		}
	}
}
