// Package howto_test runs the programs, tests and scenarios that the how-tos show.
package howto_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/verdict/liveness"
)

// goBlock is a program, or a test, in a how-to.
var goBlock = regexp.MustCompile("(?s)```go (main|test)\n(.*?)```")

// fileBlock is a file of a how-to that is run; textBlock is what its test prints when it fails.
var (
	fileBlock = regexp.MustCompile("(?s)```go ([a-z_]+\\.go)\n(.*?)```")
	textBlock = regexp.MustCompile("(?s)```text\n(.*?)```")
)

// TestHowTosThatRun runs the files of a how-to: their first version fails with the lines that the page shows, and the one
// with the files that come again passes.
func TestHowTosThatRun(t *testing.T) {
	for _, page := range []string{"test-your-own-controller-under-faults.md", "test-with-a-control-plane.md"} {
		t.Run(page, func(t *testing.T) { runHowTo(t, page) })
	}
}

func runHowTo(t *testing.T, page string) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	dir := folder(t, filepath.Base(page[:len(page)-len(".md")]))
	write := func(block [][]byte) {
		if err := os.WriteFile(filepath.Join(dir, string(block[1])), block[2], 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var again [][][]byte
	seen := map[string]bool{}
	for _, block := range fileBlock.FindAllSubmatch(text, -1) {
		if name := string(block[1]); seen[name] {
			again = append(again, block)
		} else {
			seen[name] = true
			write(block)
		}
	}
	out, err := exec.Command("go", "test", "./"+dir).CombinedOutput()
	if err == nil || len(again) == 0 {
		t.Fatalf("the first version passes, and %d files come again", len(again))
	}
	for line := range strings.Lines(string(textBlock.FindSubmatch(text)[1])) {
		if !strings.Contains(string(out), strings.TrimSpace(line)) {
			t.Errorf("the output lacks %q:\n%s", line, out)
		}
	}
	for _, block := range again {
		write(block)
	}
	if out, err := exec.Command("go", "test", "./"+dir).CombinedOutput(); err != nil {
		t.Errorf("the last version fails: %v\n%s", err, out)
	}
}

// folder makes a folder for packages, whose name the go command passes over elsewhere. The name is always the same, so that
// a package that did not change is not compiled again.
func folder(t *testing.T, name string) string {
	t.Helper()
	dir := "_howto-" + name
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// TestGoInHowTosCompiles type-checks every program and test in the how-tos.
func TestGoInHowTosCompiles(t *testing.T) {
	files, err := filepath.Glob("*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d how-tos, %v", len(files), err)
	}
	root := folder(t, "all")
	var packages []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for n, block := range goBlock.FindAllSubmatch(text, -1) {
			name := map[string]string{"main": "main.go", "test": "mine_test.go"}[string(block[1])]
			dir := filepath.Join(root, fmt.Sprintf("%s-%d", filepath.Base(file[:len(file)-len(".md")]), n+1))
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), block[2], 0o644); err != nil {
				t.Fatal(err)
			}
			packages = append(packages, "./"+dir)
		}
	}
	if len(packages) == 0 {
		t.Skip("no how-to has Go in it")
	}
	args := append([]string{"vet"}, packages...)
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Errorf("go vet: %v\n%s", err, out)
	}
}

// TestTheScenariosOfHowTos runs the scenarios in the how-tos.
func TestTheScenariosOfHowTos(t *testing.T) {
	page, err := os.ReadFile("custom-resources.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```yaml scenario\n(.*?)```").FindAllSubmatch(page, -1)
	if len(blocks) == 0 {
		t.Fatal("the page has no scenario")
	}
	for _, block := range blocks {
		scenario, err := format.Parse("farms.yaml", block[1], verb.All)
		if err != nil {
			t.Fatal(err)
		}
		outcome, err := runner.Run(scenario, runner.RunOptions{})
		if err != nil || outcome.Result != "pass" {
			t.Errorf("%v, %v", outcome, err)
		}
	}
}

// TestVerdictsAreDefined: the how-to about why defines the verdicts as the package does that finds them.
func TestVerdictsAreDefined(t *testing.T) {
	page, err := os.ReadFile("why-is-nothing-happening.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, verdict := range []liveness.Verdict{liveness.Held, liveness.Waiting, liveness.Working, liveness.Stuck} {
		if row := fmt.Sprintf("| %s | %s |", verdict, verdict.Meaning()); !strings.Contains(string(page), row) {
			t.Errorf("the page lacks %s", row)
		}
	}
}
