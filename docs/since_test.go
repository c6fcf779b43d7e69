package docs_test

import (
	"cmp"
	"slices"
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

// since is the oldest measured minor version from which on a scenario passes, and except are the versions after it with which it
// does not. since is empty if the scenario passes with the oldest version.
func since(name string) (since string, except []string) {
	all := library.Measurements()
	passing := controllers.KubernetesVersion
	for _, m := range all {
		switch {
		case m.Passes(name):
			passing = m.Kubernetes
		case minorOf(m.Kubernetes) != minorOf(passing) && failsFrom(all, m.Kubernetes, name):
			return minorOf(passing), except
		default:
			except = append(except, m.Kubernetes)
		}
	}
	return "", except
}

// failsFrom reports whether a scenario fails with a version and with all older ones.
func failsFrom(all []library.Measured, version, name string) bool {
	older := slices.IndexFunc(all, func(m library.Measured) bool { return m.Kubernetes == version })
	return !slices.ContainsFunc(all[older:], func(m library.Measured) bool { return m.Passes(name) })
}

// sinceText is the same in one cell of a table.
func sinceText(name string) string {
	since, except := since(name)
	text := cmp.Or(since, "all")
	if len(except) > 0 {
		text += " but " + strings.ReplaceAll(strings.Join(except, ", "), "v", "")
	}
	return text
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
		excepted := annotation.Excepted(s.Metadata.Annotations[annotation.Except])
		if since, except := since(s.Metadata.Name); said != since || !slices.Equal(excepted, except) {
			t.Errorf("%s: %s is %q and %s is %q, and measured are %q and %q: docs/versions.sh",
				file, annotation.Since, said, annotation.Except, excepted, since, except)
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
