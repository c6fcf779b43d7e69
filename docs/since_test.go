package docs_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	utilversion "k8s.io/apimachinery/pkg/util/version"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/language/annotation"
	"github.com/kubestep/kubestep/scenarios/library"
)

// measuredVersions lists the versions with which all scenarios ran, from newer to older ones.
func measuredVersions() string {
	all := []string{controllers.KubernetesVersion}
	for _, m := range library.Measurements() {
		all = append(all, m.Kubernetes)
	}
	slices.SortStableFunc(all, func(a, b string) int {
		order, err := utilversion.MustParseGeneric(b).Compare(a)
		if err != nil {
			panic(err)
		}
		return order
	})
	return strings.Join(all, ", ")
}

// since is the oldest measured minor version from which on a scenario passes, and except are the versions after it with which it
// does not. since is empty if the scenario passes with the oldest version. All scenarios pass with the main version.
func since(name string) (since string, except []string) {
	all := library.Measurements()
	passing := controllers.KubernetesVersion
	for _, m := range all {
		switch {
		case isNewer(m.Kubernetes) && m.Passes(name): // as the main version does
		case m.Passes(name):
			passing = m.Kubernetes
		case !isNewer(m.Kubernetes) && minorOf(m.Kubernetes) != minorOf(passing) && failsFrom(all, m.Kubernetes, name):
			return minorOf(passing), except
		default:
			except = append(except, m.Kubernetes)
		}
	}
	return "", except
}

// isNewer reports whether a version is newer than the main version.
func isNewer(version string) bool {
	return utilversion.MustParseGeneric(controllers.KubernetesVersion).LessThan(utilversion.MustParseGeneric(version))
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
