package docs_test

import (
	"strings"
	"testing"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/annotation"
	"github.com/kubestep/kubestep/scenarios/library"
)

// measuredVersions lists the versions with which all scenarios ran.
func measuredVersions() string {
	all := controllers.KubernetesVersion
	for _, m := range library.Measurements() {
		all += ", " + m.Kubernetes
	}
	return all
}

// since is the oldest measured version from which on a scenario passes, without its patch level; "all" if it passes with all.
func since(name string) string {
	oldest := controllers.KubernetesVersion
	for _, m := range library.Measurements() {
		if !m.Passes(name) {
			return minorOf(oldest)
		}
		oldest = m.Kubernetes
	}
	return "all"
}

// minorOf is 1.36 for v1.36.3.
func minorOf(version string) string {
	major, rest, _ := strings.Cut(strings.TrimPrefix(version, "v"), ".")
	minor, _, _ := strings.Cut(rest, ".")
	return major + "." + minor
}

// TestSince compares what scenarios say about versions with what was measured.
func TestSince(t *testing.T) {
	files, err := library.Files()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, file := range files {
		s, err := library.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		known[s.Metadata.Name] = true
		said, _, _ := strings.Cut(s.Metadata.Annotations[annotation.Since], " ")
		if measured := since(s.Metadata.Name); said != measured && (said != "" || measured != "all") {
			t.Errorf("%s: %s is %q, and measured is %s: docs/versions.sh", file, annotation.Since, said, measured)
		}
	}
	for _, m := range library.Measurements() {
		for name := range m.Differs {
			if !known[name] {
				t.Errorf("scenarios/library/versions.txt has %s, which does not exist", name)
			}
		}
	}
}
