package docs_test

import (
	"slices"
	"strings"
	"testing"

	utilversion "k8s.io/apimachinery/pkg/util/version"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/language/annotation"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/library"
)

// aVersion is a version of Kubernetes, and whether a scenario passes with it.
type aVersion struct {
	kubernetes string
	passes     bool
}

// allVersions are the main version and those with which all scenarios ran, from newer to older ones. With the main version, the tests
// of package runner run all scenarios: those that do not pass with it have the status past.
func allVersions(s *format.Scenario) []aVersion {
	all := []aVersion{{controllers.KubernetesVersion, !annotation.IsPast(s.Metadata.Annotations, controllers.KubernetesVersion)}}
	for _, m := range library.Measurements() {
		if m.Differs[s.Metadata.Name] == library.Untried {
			continue
		}
		all = append(all, aVersion{m.Kubernetes, m.Passes(s.Metadata.Name)})
	}
	slices.SortStableFunc(all, func(a, b aVersion) int {
		order, err := utilversion.MustParseGeneric(b.kubernetes).Compare(a.kubernetes)
		if err != nil {
			panic(err)
		}
		return order
	})
	return all
}

// measuredVersions lists the versions with which all scenarios ran, from newer to older ones.
func measuredVersions() string {
	var names []string
	for _, v := range allVersions(&format.Scenario{}) {
		names = append(names, v.kubernetes)
	}
	return strings.Join(names, ", ")
}

// passing says with which versions a scenario passes: from the minor version since on, up to the minor version until, but not with
// the versions except between them. since is empty if it passes with the oldest version, and until if it passes with the newest one.
func passing(all []aVersion) (since, until string, except []string) {
	newest, oldest := -1, -1
	for i, v := range all {
		if v.passes && newest < 0 {
			newest = i
		}
		if v.passes {
			oldest = i
		}
	}
	if newest < 0 {
		return "none", "none", nil
	}
	for i, v := range all {
		switch minor := minorOf(v.kubernetes); {
		case v.passes:
		case i < newest && minor != minorOf(all[newest].kubernetes):
			until = minorOf(all[newest].kubernetes)
		case i > oldest && minor != minorOf(all[oldest].kubernetes):
			since = minorOf(all[oldest].kubernetes)
		default:
			except = append(except, v.kubernetes)
		}
	}
	return since, until, except
}

// passingText is the same in one cell of a table, such as "1.35 to 1.36 but 1.35.0".
func passingText(s *format.Scenario) string {
	since, until, except := passing(allVersions(s))
	text := "all"
	switch {
	case since != "" && until != "":
		text = since + " to " + until
	case since != "":
		text = "since " + since
	case until != "":
		text = "until " + until
	}
	if len(except) > 0 {
		text += " but " + strings.ReplaceAll(strings.Join(except, ", "), "v", "")
	}
	var untried []string
	for _, m := range library.Measurements() {
		if m.Differs[s.Metadata.Name] == library.Untried {
			untried = append(untried, strings.TrimPrefix(m.Kubernetes, "v"))
		}
	}
	if len(untried) > 0 {
		text += "; untried with " + strings.Join(untried, ", ")
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
		said := func(key string) string {
			version, _, _ := strings.Cut(s.Metadata.Annotations[key], " ")
			return version
		}
		excepted := annotation.Excepted(s.Metadata.Annotations[annotation.Except])
		since, until, except := passing(allVersions(s))
		if said(annotation.Since) != since || said(annotation.Until) != until || !slices.Equal(excepted, except) {
			t.Errorf("%s: since, until and except are %q, %q and %q, and measured are %q, %q and %q: docs/versions.sh",
				file, said(annotation.Since), said(annotation.Until), excepted, since, until, except)
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

// TestPassing finds the versions in what was measured.
func TestPassing(t *testing.T) {
	for _, c := range []struct {
		fails                string
		since, until, except string
	}{
		{"", "", "", ""},
		{"v1.37.2", "", "1.36", ""},
		{"v1.37.2 v1.36.3", "", "1.35", ""},
		{"v1.36.3", "", "", "v1.36.3"},
		{"v1.35.4", "", "", "v1.35.4"},
		{"v1.35.0", "", "", "v1.35.0"},
		{"v1.34.4", "1.35", "", ""},
		{"v1.35.4 v1.35.0 v1.34.4", "1.36", "", ""},
		{"v1.35.0 v1.34.4", "1.35", "", "v1.35.0"},
		{"v1.37.2 v1.36.3 v1.35.4", "", "1.35", "v1.35.4"},
		{"v1.37.2 v1.34.4", "1.35", "1.36", ""},
		{"v1.37.2 v1.36.3 v1.35.4 v1.35.0 v1.34.4", "none", "none", ""},
	} {
		var all []aVersion
		for _, version := range []string{"v1.37.2", "v1.36.3", "v1.35.4", "v1.35.0", "v1.34.4"} {
			all = append(all, aVersion{version, !strings.Contains(c.fails, version)})
		}
		if since, until, except := passing(all); since != c.since || until != c.until || strings.Join(except, " ") != c.except {
			t.Errorf("fails with %q: since %q, until %q, except %q", c.fails, since, until, except)
		}
	}
}
