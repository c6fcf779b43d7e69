package docs_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios"
)

// goBlock is a program, or a test, in a how-to.
var goBlock = regexp.MustCompile("(?s)```go (main|test)\n(.*?)```")

// TestGoInHowTosCompiles type-checks every program and test in the how-tos.
func TestGoInHowTosCompiles(t *testing.T) {
	files, err := filepath.Glob("howto/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d how-tos, %v", len(files), err)
	}
	// The packages are written to a folder of their own, whose name the go command passes over elsewhere.
	root, err := os.MkdirTemp(".", "_howto")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(root) })
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

// TestTheJobOfASweep asks the API server whether it takes the manifest of the how-to.
func TestTheJobOfASweep(t *testing.T) {
	page, err := os.ReadFile("howto/sweep-on-a-cluster.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```yaml\n(apiVersion: batch/v1.*?)```").FindSubmatch(page)
	if block == nil {
		t.Fatal("the page has no Job")
	}
	text := "apiVersion: kubestep.dev/v1alpha1\nkind: Scenario\nmetadata: {name: sweep}\nspec:\n  title: A sweep\n  steps:\n  - create: |\n" +
		regexp.MustCompile("(?m)^").ReplaceAllString(strings.TrimRight(string(block[1]), "\n"), "      ") + "\n"
	scenario, err := scenarios.Parse("sweep.yaml", []byte(text))
	if err == nil {
		err = scenarios.Validate(scenario)
	}
	if err != nil {
		t.Error(err)
	}
}
