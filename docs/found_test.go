package docs_test

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/command"
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

// foundFailures is a row about a lesson whose Deployment is dropped.
var foundFailures = regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\| ([0-9]+) \\|$")

// TestFoundCountsFailures runs the lessons of which the page says after how many failures a Deployment is dropped.
func TestFoundCountsFailures(t *testing.T) {
	rows := foundFailures.FindAllStringSubmatch(foundPage(t), -1)
	if len(rows) == 0 {
		t.Fatal("the page has no such rows")
	}
	for _, row := range rows {
		var out, errs bytes.Buffer
		args := []string{"run", row[1], "--faults", "flaky-api", "--seed", "7", "-o", "summary"}
		if command.Main(args, command.Options{In: strings.NewReader(""), Out: &out, Err: &errs}); !regexp.MustCompile(
			fmt.Sprintf("has dropped \\S+ of its queue deployment: %s failed in a row", row[2])).MatchString(out.String()) {
			t.Errorf("%s does not drop its Deployment after %s failures:\n%s%s", row[1], row[2], out.String(), errs.String())
		}
	}
}

// shownPlace is what the page about sweeps shows of the place of a shipped scenario.
var shownPlace = regexp.MustCompile(`place ([0-9]+): ([^\n]*?), \.\.\.\n(?s:.*?)show it: kubestep run ([a-z-]+) --seed 1 --place ([0-9]+)\n`)

// TestExplorationShowsAPlace makes the run of that place, and not of all others.
func TestExplorationShowsAPlace(t *testing.T) {
	page, err := os.ReadFile("explanation/exploration.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := shownPlace.FindSubmatch(page)
	if shown == nil || string(shown[1]) != string(shown[4]) {
		t.Fatalf("the page shows no place: %q", shown)
	}
	var out, errs bytes.Buffer
	command.Main([]string{"run", string(shown[3]), "--seed", "1", "--place", string(shown[1]), "-o", "summary"},
		command.Options{In: strings.NewReader(""), Out: &out, Err: &errs})
	if want := "FAILED not-stuck"; !strings.Contains(out.String(), want) || !strings.Contains(out.String(), string(shown[2])) {
		t.Errorf("%s does not have %s and %q:\n%s%s", shown[3], want, shown[2], out.String(), errs.String())
	}
}

var (
	// orderedBlock is the scenario of the page about sweeps whose laws it shows, and orderedEnd when its run changes for the last time.
	orderedBlock = regexp.MustCompile("(?s)```yaml ordered.yaml\n(.*?)```")
	orderedEnd   = regexp.MustCompile(`statefulsets/web changes for the last time at [0-9.]+s, and not at ([0-9.]+)s`)
)

// TestExplorationShowsAScenario makes the run of the scenario that the page shows: it ends when the page says.
func TestExplorationShowsAScenario(t *testing.T) {
	page, err := os.ReadFile("explanation/exploration.md")
	if err != nil {
		t.Fatal(err)
	}
	block, end := orderedBlock.FindSubmatch(page), orderedEnd.FindSubmatch(page)
	if block == nil || end == nil {
		t.Fatal("the page does not show ordered.yaml and its laws")
	}
	scenario, err := format.Parse("ordered.yaml", block[1], verb.All)
	if err != nil {
		t.Fatal(err)
	}
	last := time.Duration(0)
	_, err = runner.Run(scenario, runner.RunOptions{Sinks: []trace.Sink{func(record *trace.Record, _ []byte) {
		if r := record.Request; r != nil && r.Resource == "statefulsets.apps" && len(r.Writes) > 0 {
			last = record.At
		}
	}}})
	if at := trace.Seconds(last); err != nil || at != string(end[1])+"s" {
		t.Errorf("it changes for the last time at %s, and the page says %ss: %v", at, end[1], err)
	}
}

// TestExplorationShowsWhatIsTested holds the scenarios of the page, and what it says that comes of them, to those that are tested.
func TestExplorationShowsWhatIsTested(t *testing.T) {
	page, err := os.ReadFile("explanation/exploration.md")
	if err != nil {
		t.Fatal(err)
	}
	script, err := txtar.ParseFile("commandline/manyruns/testdata/pairs.txtar")
	if err != nil {
		t.Fatal(err)
	}
	oneAlone, err := os.ReadFile("../scenarios/explore/sweep/testdata/one-alone.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, shown := range append(script.Files, txtar.File{Name: "one-alone.yaml", Data: oneAlone}) {
		if block := "```yaml " + shown.Name + "\n" + string(shown.Data) + "```\n"; !strings.Contains(string(page), block) {
			t.Errorf("the page does not show %s as it is tested:\n%s", shown.Name, block)
		}
	}
	for _, expected := range regexp.MustCompile(`(?m)^stdout '(.*)'$`).FindAllStringSubmatch(string(script.Comment), -1) {
		line := regexp.MustCompile("(?m)^    " + strings.TrimPrefix(expected[1], "^"))
		if !line.Match(page) {
			t.Errorf("the page has no line that the script expects: %s", line)
		}
	}
}
