package docs_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// goMod is what go mod edit -json says of a go.mod.
type goMod struct {
	Require []struct{ Path, Version string }
	Replace []any
	Exclude []any
}

func readGoMod(t *testing.T, file string) (mod goMod) {
	t.Helper()
	if err := json.Unmarshal(output(t, "go", "mod", "edit", "-json", file), &mod); err != nil {
		t.Fatal(err)
	}
	return mod
}

func output(t *testing.T, name string, args ...string) []byte {
	t.Helper()
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		t.Fatalf("%s %s: %v", name, strings.Join(args, " "), err)
	}
	return out
}

// TestModules keeps two commands working that need other things of go.mod. go install ...@version refuses a go.mod with
// replacements or exclusions. go list -m all fails when a module is required only in a version that does not exist:
// k8s.io/kubernetes requires those of its own repository as v0.0.0.
func TestModules(t *testing.T) {
	ours := readGoMod(t, filepath.Join("..", "go.mod"))
	if len(ours.Replace) > 0 || len(ours.Exclude) > 0 {
		t.Errorf("go install ...@version refuses a go.mod with replace %v and exclude %v", ours.Replace, ours.Exclude)
	}
	const main, none = "k8s.io/kubernetes", "v0.0.0"
	real, staged := map[string]bool{}, []string{}
	modules := []string{"list", "-m", "-f", "{{.Path}} {{.GoMod}}"}
	for _, required := range ours.Require {
		real[required.Path] = true
		if strings.HasPrefix(required.Path, "k8s.io/") {
			modules = append(modules, required.Path)
		}
	}
	for _, line := range strings.Split(strings.TrimSpace(string(output(t, "go", modules...))), "\n") {
		path, file, _ := strings.Cut(line, " ")
		for _, required := range readGoMod(t, file).Require {
			if required.Version != none {
				real[required.Path] = true
			} else if path == main {
				staged = append(staged, required.Path)
			}
		}
	}
	for _, path := range staged {
		if !real[path] {
			t.Errorf("nothing requires %s but %s, as %s: see controllers/modules.go", path, main, none)
		}
	}
	if len(staged) == 0 {
		t.Errorf("%s requires no module as %s any more: controllers/modules.go can go", main, none)
	}
}

// TestAModuleThatRequiresKubestep does what the author of a controller does first: a module with one test, go mod tidy, go vet. Tidying
// looks at the files of all build tags, so a file for another version of Kubernetes must not import a package that the main version
// lacks: the module would move to a version of k8s.io that has it, or tidying would fail.
func TestAModuleThatRequiresKubestep(t *testing.T) {
	if strings.Contains(os.Getenv("GOFLAGS"), "-modfile") {
		t.Skip("another version of Kubernetes has a go.mod of its own")
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir, name := t.TempDir(), strings.TrimSuffix(module, "/")
	for file, text := range map[string]string{
		"go.mod": "module example.com/mine\n\ngo 1.26.0\n\nrequire " + name + " v0.0.0\n\nreplace " + name + " => " + root + "\n",
		"mine_test.go": `package mine

import (
	"testing"

	"github.com/kubestep/kubestep/scenarios/scenariotest"
)

func TestCreate(t *testing.T) { scenariotest.Run(t, "create") }
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"mod", "tidy"}, {"vet", "./..."}} {
		command := exec.Command("go", args...)
		command.Dir = dir
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	versions := map[string]string{}
	for _, required := range readGoMod(t, filepath.Join(root, "go.mod")).Require {
		versions[required.Path] = required.Version
	}
	kubernetes := 0
	for _, required := range readGoMod(t, filepath.Join(dir, "go.mod")).Require {
		if !strings.HasPrefix(required.Path, "k8s.io/") {
			continue
		}
		kubernetes++
		if version := versions[required.Path]; required.Version != version {
			t.Errorf("%s moved from %s to %s", required.Path, version, required.Version)
		}
	}
	if kubernetes == 0 {
		t.Error("go mod tidy requires no module of Kubernetes: this test compares nothing")
	}
}
