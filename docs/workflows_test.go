package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestLintWorkflows fails on a workflow that takes an action by a name that can move, such as v4: whoever moves it could change what a release
// contains. Dependabot renews the commit and the comment behind it. It also fails on a target of make or a script that does not exist.
func TestLintWorkflows(t *testing.T) {
	makefile, err := os.ReadFile("../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../.github/workflows/*.yml")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d workflows, %v", len(files), err)
	}
	pinned := regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	uses, target := regexp.MustCompile(`(?m)^\s*-? ?uses: (.*)$`), regexp.MustCompile(`run: make ([a-z0-9-]+)`)
	script := regexp.MustCompile(`run: (\.[\w./-]+)`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range uses.FindAllStringSubmatch(string(text), -1) {
			if !pinned.MatchString(found[1]) {
				t.Errorf("%s: %s: name the commit, and the version in a comment: owner/name@COMMIT # v1.2.3", file, found[1])
			}
		}
		for _, found := range target.FindAllStringSubmatch(string(text), -1) {
			if !strings.Contains(string(makefile), "\n"+found[1]+": ") {
				t.Errorf("%s runs make %s, which the Makefile does not have", file, found[1])
			}
		}
		for _, found := range script.FindAllStringSubmatch(string(text), -1) {
			if info, err := os.Stat(filepath.Join("..", found[1])); err != nil || info.Mode()&0o100 == 0 {
				t.Errorf("%s runs %s, which is no program of this repository", file, found[1])
			}
		}
	}
}
