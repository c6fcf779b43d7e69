package main

import (
	"testing"

	"github.com/kubestep/kubestep/sim/conformance/score"
)

// TestResume takes over the results of the same version of Kubernetes only.
func TestResume(t *testing.T) {
	one, two := score.Test{Package: "job", Name: "TestOne"}, score.Test{Package: "job", Name: "TestTwo"}
	before := []*result{{Test: one, State: "pass", Kubernetes: "v1.37.2"}, {Test: two, State: "pass", Kubernetes: "v1.36.3"}}
	results := earlier(before, []score.Test{two, one}, "v1.37.2")
	if results[0] != nil || results[1] == nil {
		t.Error(results)
	}
}
