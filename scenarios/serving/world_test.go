package serving

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kubestep/kubestep/sim/network/live"
)

// TestWorld: a scenario that is only a cluster is served with what a user expects of one, and any other as it is.
func TestWorld(t *testing.T) {
	for spec, want := range map[string]string{
		"steps: []": "Never completes, OnFailure completes, runs; controllers *; RBAC; starts now",
		"steps: [], cluster: {systemObjects: false}":                "Never completes, OnFailure completes, runs; controllers *; RBAC; no system objects; starts now",
		"steps: [], cluster: {authorization: {mode: AlwaysAllow}}":  "Never completes, OnFailure completes, runs; controllers *; AlwaysAllow; starts now",
		"steps: [], cluster: {pods: [{ready: 1s}]}":                 "runs; controllers *; RBAC; starts now",
		"steps: [], kubernetes: {controllers: [-job-controller]}":   "Never completes, OnFailure completes, runs; controllers -job-controller; RBAC; starts now",
		"steps: [{note: Hello}], start: '2026-03-29T00:00:00Z'":     "runs; controllers ; ",
		"steps: [], start: '2026-03-29T00:00:00Z', timeZone: 'UTC'": "Never completes, OnFailure completes, runs; controllers *; RBAC",
	} {
		file := filepath.Join(t.TempDir(), "world.yaml")
		text := "apiVersion: kubestep.dev/v1alpha1\nkind: Scenario\nmetadata: {name: world}\nspec: {title: A cluster, " + spec + "}\n"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := (&Options{Steps: AllSteps}).world(file, live.Pace{Speed: 1})
		if err != nil {
			t.Errorf("%s: %v", spec, err)
			continue
		}
		var rules []string
		for _, rule := range s.Spec.Cluster.Pods {
			does := "runs"
			if rule.Complete != nil {
				does = "completes"
			}
			rules = append(rules, strings.TrimSpace(rule.Match.RestartPolicy+" "+does))
		}
		got := strings.Join(rules, ", ") + "; controllers " + strings.Join(s.Spec.Kubernetes.Controllers, ",") +
			"; " + s.Spec.Cluster.Authorization.Mode
		if !s.Spec.Cluster.SystemObjects && strings.Contains(spec, "steps: []") {
			got += "; no system objects"
		}
		if time.Since(s.Spec.Start) < time.Minute {
			got += "; starts now"
		}
		if got != want {
			t.Errorf("%s: %s, want %s", spec, got, want)
		}
		if !s.Spec.Cluster.CustomResources || !s.Spec.Cluster.ManagedFields || s.Spec.Cluster.KubeletDetails != strings.Contains(spec, "steps: []") {
			t.Errorf("%s: without custom resources or managed fields", spec)
		}
	}
}
