package main

import (
	"os"
	"testing"

	"github.com/kubestep/kubestep/sim/conformance/score"
)

// TestResume takes over the results of the same version of Kubernetes only, but for the half of a line that a killed run leaves.
func TestResume(t *testing.T) {
	o := &options{folder: t.TempDir(), resume: true}
	text := `{"Package":"job","Name":"TestOne","State":"pass","Kubernetes":"v1.37.2"}
{"Package":"job","Name":"TestTwo","State":"pass","Kubernetes":"v1.36.3"}
{"Package":"job","Name":"TestThree","State":"pa`
	if err := os.WriteFile(o.results(), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	tests := []score.Test{{Package: "job", Name: "TestOne"}, {Package: "job", Name: "TestTwo"}, {Package: "job", Name: "TestThree"}}
	results, err := earlier(o, tests, "v1.37.2")
	if err != nil || results[0] == nil || results[1] != nil || results[2] != nil {
		t.Errorf("%v, %v", results, err)
	}
}

// TestModuleFile takes the module file of another version of Kubernetes from the flags, which the program of the tests is compiled with.
func TestModuleFile(t *testing.T) {
	file, rest := moduleFile("-trimpath -tags=kubernetes_before_1_37 -modfile=/k/kubernetes-1.36.mod -overlay=o.json")
	if file != "/k/kubernetes-1.36.mod" || rest != "-trimpath -tags=kubernetes_before_1_37 -overlay=o.json" {
		t.Errorf("%q, %q", file, rest)
	}
	if file, rest = moduleFile("-trimpath"); file != "" || rest != "-trimpath" {
		t.Errorf("%q, %q", file, rest)
	}
}
