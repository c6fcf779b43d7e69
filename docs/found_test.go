package docs_test

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const foundFile = "reference/found.md"

var (
	// foundRun is a command of the page, and foundCitation what it says about a line of upstream.
	foundRun      = regexp.MustCompile("(?m)^    kubestep run ([a-z0-9-]+)$")
	foundCitation = regexp.MustCompile("`(\\w+)` in\\s`([\\w./]+\\.go):([0-9]+)`")
	foundRow      = regexp.MustCompile("(?m)^\\| \\[.*\\| `([a-z0-9-]+)` \\| `([a-z0-9-]+)` \\|$")
)

// TestFoundNamesTheGallery holds the page to the gallery: each find has a scenario of a bug, a control of it, a link to both, a
// command, and a text to paste.
func TestFoundNamesTheGallery(t *testing.T) {
	page := foundPage(t)
	bugs := map[string]galleryScenario{}
	for _, bug := range galleryScenarios(t) {
		bugs[bug.Metadata.Name] = bug
	}
	var commands []string
	for _, found := range foundRun.FindAllStringSubmatch(page, -1) {
		commands = append(commands, found[1])
	}
	rows := foundRow.FindAllStringSubmatch(page, -1)
	if len(rows) == 0 {
		t.Fatal("the page has no table of finds")
	}
	for _, row := range rows {
		scenario, control := bugs[row[1]], bugs[row[2]]
		if scenario.Scenario == nil || control.Scenario == nil {
			t.Errorf("%s or %s is not in the gallery", row[1], row[2])
			continue
		}
		if scenario.status() != "open" || control.status() != "control" {
			t.Errorf("%s has the status %s, and %s %s", row[1], scenario.status(), row[2], control.status())
		}
		if !strings.Contains(control.Spec.About, "`"+row[1]+"`") {
			t.Errorf("%s does not name %s, whose control it is", row[2], row[1])
		}
		for _, each := range []galleryScenario{scenario, control} {
			if !strings.Contains(page, "](../../scenarios/"+each.file+")") {
				t.Errorf("the page has no link to %s", each.file)
			}
		}
		if !slices.Contains(commands, row[1]) {
			t.Errorf("the page does not say how to run %s", row[1])
		}
	}
	if sections, texts := strings.Count(page, "\n## "), strings.Count(page, "\n```text\nTitle: "); sections != len(rows) || texts != len(rows) {
		t.Errorf("%d finds are in the table, %d have a section, and %d a text to paste", len(rows), sections, texts)
	}
}

// TestFoundCitesUpstreamsLines looks up each line that the page names, in the version that it is about.
func TestFoundCitesUpstreamsLines(t *testing.T) {
	roots := map[string]string{}
	citations := foundCitation.FindAllStringSubmatch(foundPage(t), -1)
	if len(citations) == 0 {
		t.Fatal("the page names no line")
	}
	for _, found := range citations {
		name, file := found[1], found[2]
		source, err := os.ReadFile(upstreamFile(t, roots, "", file))
		if err != nil {
			t.Error(err)
			continue
		}
		lines := strings.Split(string(source), "\n")
		number, err := strconv.Atoi(found[3])
		if err != nil || number < 1 || number > len(lines) || !regexp.MustCompile(`\b`+name+`\b`).MatchString(lines[number-1]) {
			t.Errorf("line %s of %s has no %s", found[3], file, name)
		}
	}
}

func foundPage(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile(foundFile)
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}
