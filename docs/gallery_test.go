package docs_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/language/annotation"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/sim/simtest/golden"
	"github.com/kubestep/kubestep/sim/toolchain/versions"
)

const galleryFile = "reference/gallery.md"

var galleryHead = `# The gallery of bugs and surprises

Bugs and surprising behavior of the controllers of Kubernetes ` + controllers.KubernetesVersion + `. Each one is a scenario that proves it. The
scenario runs in less than a second, its text explains the cause, and its checks fail if another version behaves differently. Its file
names the upstream function; ` + "`kubestep describe NAME`" + ` shows it, and ` + "`kubestep open NAME`" + ` lets you step through the run. Scenarios with the
status "control" or "fixed" show the expected behavior. [Bugs that comparisons found](found.md) says more about some of them, and
[What why says about the gallery](gallery-why.md) how well ` + "`kubestep why`" + ` explains their failures.

The column *versions* is measured: all scenarios ran with ` + measuredVersions() + `. An entry with "since" behaves differently before that version, one
with "until" after it, and "but" names single versions that do; the annotations ` + "`kubestep.dev/since`, `kubestep.dev/until` and `kubestep.dev/except`" + ` of its
file say how. "all" are all these versions.

| status | scenarios | meaning |
|---|---|---|
`

// TestGalleryIsFresh compares docs/reference/gallery.md with the scenarios in scenarios/bugs; -rewrite makes it again.
func TestGalleryIsFresh(t *testing.T) {
	bugs := galleryScenarios(t)
	var out bytes.Buffer
	out.WriteString(galleryHead)
	for _, status := range annotation.Statuses {
		count := 0
		for _, bug := range bugs {
			if bug.status() == status.Name {
				count++
			}
		}
		fmt.Fprintf(&out, "| %s | %d | %s |\n", status.Name, count, status.Doc)
	}
	group := ""
	for _, bug := range bugs {
		if bug.group != group {
			group = bug.group
			fmt.Fprintf(&out, "\n## %s\n\n| what happens | status | versions | upstream | command |\n|---|---|---|---|---|\n", group)
		}
		fmt.Fprintf(&out, "%s\n", bug.row())
	}
	golden.Page(t, galleryFile, "the annotations in scenarios/bugs", out.String())
}

// galleryScenario is a scenario of scenarios/bugs, and the folder that it is in.
type galleryScenario struct {
	*format.Scenario
	file, group string
}

func (g galleryScenario) status() string { return g.Metadata.Annotations[annotation.Status] }

func (g galleryScenario) row() string {
	var links []string
	for _, issue := range g.Metadata.Issues() {
		links = append(links, fmt.Sprintf("[%s](%s)", issueName(issue), issue))
	}
	if len(links) == 0 {
		links = []string{"-"}
	}
	title := strings.ReplaceAll(fmt.Sprintf("[%s](../../scenarios/%s). %s", g.Spec.Title, g.file,
		g.Metadata.Annotations[annotation.Summary]), "|", `\|`)
	return fmt.Sprintf("| %s | %s | %s | %s | `kubestep run %s` |",
		title, g.status(), passingText(g.Scenario), strings.Join(links, ", "), g.Metadata.Name)
}

// issueName is what people call an issue, a pull request or a KEP.
func issueName(url string) string {
	number := path.Base(url)
	if strings.Contains(url, "://kep.k8s.io/") {
		return "KEP-" + number
	}
	return "#" + number
}

func galleryScenarios(t *testing.T) []galleryScenario {
	files, err := library.Files()
	if err != nil {
		t.Fatal(err)
	}
	var bugs []galleryScenario
	for _, file := range files {
		if !strings.HasPrefix(file, "bugs/") {
			continue
		}
		scenario, err := library.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		bugs = append(bugs, galleryScenario{scenario, file, path.Base(path.Dir(file))})
	}
	return bugs
}

// TestGalleryIsComplete holds every scenario of a bug to the form: it says what it is, has a note for the
// reader, and checks something; a control names what it is the control of.
func TestGalleryIsComplete(t *testing.T) {
	bugs := galleryScenarios(t)
	for _, bug := range bugs {
		about := bug.Metadata.Annotations
		for _, key := range []string{annotation.Status, annotation.Function, annotation.Summary} {
			if about[key] == "" {
				t.Errorf("%s has no annotation %s", bug.file, key)
			}
		}
		if !strings.HasSuffix(about[annotation.Summary], ".") {
			t.Errorf("%s: %s is not a sentence", bug.file, annotation.Summary)
		}
		notes := slices.ContainsFunc(bug.Spec.Steps, func(s format.Step) bool { _, ok := s.Verb.(*verb.Note); return ok })
		expects := slices.ContainsFunc(bug.Spec.Steps, func(s format.Step) bool { _, ok := s.Verb.(*verb.Expect); return ok })
		if !notes || !expects && len(bug.Spec.Checks) == 0 {
			t.Errorf("%s: has notes %t, checks or expectations %t", bug.file, notes, expects || len(bug.Spec.Checks) > 0)
		}
		if past := annotation.IsPast(about, controllers.KubernetesVersion); past != (bug.status() == "past") {
			t.Errorf("%s: the status is %s, and %s is %q", bug.file, bug.status(), annotation.Until, about[annotation.Until])
		}
		names := func(other galleryScenario) bool {
			return other.file != bug.file && strings.Contains(bug.Spec.About, "`"+other.Metadata.Name+"`")
		}
		if bug.status() == "control" && !slices.ContainsFunc(bugs, names) {
			t.Errorf("%s: about does not name the scenario that it is the control of", bug.file)
		}
	}
}

// TestGalleryNamesUpstreamsFunctions looks up what kubestep.dev/function says in upstream's code, so that a new
// version cannot leave it behind. A bug of earlier versions names what the last one with it has.
func TestGalleryNamesUpstreamsFunctions(t *testing.T) {
	roots := map[string]string{}
	for _, bug := range galleryScenarios(t) {
		file, function, found := strings.Cut(bug.Metadata.Annotations[annotation.Function], " ")
		if !found {
			t.Errorf("%s: %s is not FILE FUNCTION", bug.file, annotation.Function)
			continue
		}
		past := ""
		if bug.status() == "past" {
			past, _, _ = strings.Cut(bug.Metadata.Annotations[annotation.Until], " ")
		}
		source, err := os.ReadFile(upstreamFile(t, roots, past, file))
		if err != nil {
			t.Errorf("%s: %v", bug.file, err)
			continue
		}
		name := function[strings.LastIndex(function, ".")+1:]
		if !regexp.MustCompile(`func (\([^)]*\) )?` + name + `(\[[^\]]*\])?\(`).Match(source) {
			t.Errorf("%s: %s has no function %s", bug.file, file, name)
		}
	}
}

// upstreamFile finds a file below pkg/controller, a longer path in Kubernetes, or one of a staging module. The version is the
// main one, or one that has passed.
func upstreamFile(t *testing.T, roots map[string]string, past, file string) string {
	t.Helper()
	module, below := "k8s.io/kubernetes", file
	switch {
	case strings.HasPrefix(file, "k8s.io/"):
		words := strings.SplitN(file, "/", 3)
		module, below = path.Join(words[:2]...), words[2]
	case !strings.HasPrefix(file, "pkg/"):
		below = path.Join("pkg/controller", file)
	}
	if key := past + module; roots[key] == "" {
		args := []string{"mod", "download", "-json"}
		if past != "" {
			version, err := versions.Find(past)
			if err != nil {
				t.Fatal(err)
			}
			args = append(args, "-modfile="+filepath.Join("..", version.ModuleFile("")))
		}
		var found struct{ Dir string }
		if err := json.Unmarshal(output(t, "go", append(args, module)...), &found); err != nil {
			t.Fatal(err)
		}
		roots[key] = found.Dir
	}
	return filepath.Join(roots[past+module], filepath.FromSlash(below))
}
