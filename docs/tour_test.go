package docs_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/simtest/golden"
	"github.com/kubestep/kubestep/sim/trace"
)

// tourPage walks through upstream's code along the lines of one run.
const tourPage = "explanation/controller-manager.md"

// quoted is a line of the tour's trace, below the pattern that finds it.
var quoted = regexp.MustCompile("(?m)^<!-- line: (.+) -->\n```text\n(.*)\n```$")

// TestTheTourQuotesItsRun plays the tour and looks for every line that the page quotes: the pattern's first match must
// be the quoted one. -rewrite quotes again.
func TestTheTourQuotesItsRun(t *testing.T) {
	page, err := os.ReadFile(tourPage)
	if err != nil {
		t.Fatal(err)
	}
	lines := tourLines(t)
	now := quoted.ReplaceAllStringFunc(string(page), func(block string) string {
		m := quoted.FindStringSubmatch(block)
		pattern, err := regexp.Compile(m[1])
		if err != nil {
			t.Errorf("%s: %v", tourPage, err)
			return block
		}
		for _, line := range lines {
			if pattern.MatchString(line) {
				return strings.Replace(block, "\n"+m[2]+"\n```", "\n"+line+"\n```", 1)
			}
		}
		t.Errorf("%s: no line of the tour matches %s", tourPage, m[1])
		return block
	})
	if n := len(quoted.FindAllString(now, -1)); n < 20 {
		t.Errorf("%s quotes %d lines of its run, want a tour", tourPage, n)
	}
	if golden.IsRewriting() {
		if err := os.WriteFile(tourPage, []byte(now), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if now != string(page) {
		t.Errorf("%s quotes lines that its run no longer has; %s quotes again", tourPage, golden.Command())
	}
}

// tourLines are the lines of the tour as run -v prints them, with one space between the columns.
func tourLines(t *testing.T) []string {
	t.Helper()
	scenario, err := library.Load("controller-manager-tour")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	text := trace.NewText(&out, trace.TextOptions{Verbose: true})
	_, err = runner.Run(scenario, runner.RunOptions{Sinks: []trace.Sink{func(record *trace.Record, _ []byte) {
		if err := text.Write(record); err != nil {
			t.Error(err)
		}
	}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := text.Close(); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(out.String()) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	return lines
}

// place is a function of upstream with its file, as the page names it.
var place = regexp.MustCompile("`(\\w+)`\\s+in\\s+`([\\w./-]+\\.go)`")

// TestTheTourNamesUpstreamsFunctions looks every function that the page names up in the source of its module.
func TestTheTourNamesUpstreamsFunctions(t *testing.T) {
	page, err := os.ReadFile(tourPage)
	if err != nil {
		t.Fatal(err)
	}
	places := place.FindAllStringSubmatch(string(page), -1)
	if len(places) < 20 {
		t.Errorf("%s names %d functions, want a tour", tourPage, len(places))
	}
	roots := map[string]string{}
	for _, p := range places {
		function, module, file := p[1], "k8s.io/kubernetes", p[2]
		if parts := strings.SplitN(file, "/", 3); parts[0] == "k8s.io" {
			module, file = parts[0]+"/"+parts[1], parts[2]
		}
		if _, known := roots[module]; !known {
			dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
			if err != nil || strings.TrimSpace(string(dir)) == "" {
				t.Skipf("the module cache does not hold %s", module)
			}
			roots[module] = strings.TrimSpace(string(dir))
		}
		source, err := os.ReadFile(filepath.Join(roots[module], filepath.FromSlash(file)))
		if err != nil {
			t.Error(err)
			continue
		}
		if !regexp.MustCompile(`(?m)^func (\([^)]*\) )?` + function + `[\[(]`).Match(source) {
			t.Errorf("%s: %s has no function %s", tourPage, p[2], function)
		}
	}
}
