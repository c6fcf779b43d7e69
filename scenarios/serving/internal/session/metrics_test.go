package session_test

import (
	"strings"
	"testing"

	"github.com/kubestep/kubestep/sim/network/live"
)

// TestMetricsInASession: the groups of metrics are served although objects were written before there was a metrics-server.
func TestMetricsInASession(t *testing.T) {
	text := strings.Replace(withSteps("[]"), "managedFields: true",
		"managedFields: true, customResources: true, load: [{name: web, pods: app=web, metric: cpu, levels: [{total: 500m}]}]", 1)
	r := startOf(t, text, live.Pace{})
	groups, err := r.client(token).Discovery().ServerGroups()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, group := range groups.Groups {
		names = append(names, group.Name)
	}
	if !strings.Contains(strings.Join(names, " "), "metrics.k8s.io") {
		t.Errorf("the server has the groups %v", names)
	}
	r.end(t)
}
