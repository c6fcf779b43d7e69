package upstream

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// source is a package of tests, the package that it imports, and one that it leaves where it is.
var source = map[string]string{
	"test/integration/sample/sample_test.go": `package sample

import (
	"testing"

	"k8s.io/apimachinery/pkg/util/wait"
	kubeapiservertesting "k8s.io/kubernetes/cmd/kube-apiserver/app/testing"
	"k8s.io/kubernetes/test/integration/sample/part"
	"k8s.io/kubernetes/test/utils/image"
)

func TestMain(m *testing.M) {}

func TestOne(t *testing.T) { part.Run(t, wait.NeverStop) }

func TestHelper(t *testing.T, name string) {}
`,
	"test/integration/sample/testdata/run.sh": "#!/bin/sh\n",
	"test/integration/sample/part/part.go":    "package part\n\nimport \"testing\"\n\nfunc Run(t *testing.T, stop <-chan struct{}) {}\n",
}

// TestWrite copies the package with its imports replaced, and writes its table and the program.
func TestWrite(t *testing.T) {
	from, root, into := t.TempDir(), t.TempDir(), t.TempDir()
	writeAll(t, from, source)
	writeAll(t, root, map[string]string{"go.mod": "module github.com/kubestep/kubestep\n\ngo 1.26.0\n", "go.sum": ""})
	for range 2 {
		if err := Write(Sources{"k8s.io/kubernetes": from}, root, filepath.Join(root, "go.mod"), into, []string{"sample"}); err != nil {
			t.Fatal(err)
		}
	}
	for name, wants := range map[string][]string{
		"test/integration/sample/sample_tests.go": {
			`"github.com/kubestep/kubestep/sim/conformance/testing"`,
			`kubeapiservertesting "github.com/kubestep/kubestep/sim/conformance/server"`,
			`"kubestep.invalid/conformance/test/integration/sample/part"`, `"k8s.io/kubernetes/test/utils/image"`,
			"part.Run(t, make(chan struct{}))",
		},
		"test/integration/sample/part/part.go": {`"github.com/kubestep/kubestep/sim/conformance/testing"`},
		"test/integration/sample/table.go":     {"package sample", "\t\"TestOne\": TestOne,\n}"},
		"main.go":                              {`p0 "kubestep.invalid/conformance/test/integration/sample"`, `"sample": p0.ConformanceTests`},
		"go.mod":                               {"module kubestep.invalid/conformance", "go 1.26.0", "replace github.com/kubestep/kubestep => " + root},
	} {
		text, err := os.ReadFile(filepath.Join(into, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s lacks %q:\n%s", name, want, text)
			}
		}
	}
	info, err := os.Stat(filepath.Join(into, "test/integration/sample/testdata/run.sh"))
	if err != nil || info.Mode()&0o100 == 0 {
		t.Errorf("the script of the test data is not executable: %v", err)
	}
}

// TestWriteAgain copies one version of Kubernetes where another one was: what is left is what a new folder has, and the files beside
// the copies.
func TestWriteAgain(t *testing.T) {
	root, into := t.TempDir(), t.TempDir()
	writeAll(t, root, map[string]string{"go.mod": "module github.com/kubestep/kubestep\n\ngo 1.26.0\n", "go.sum": ""})
	const sample = "test/integration/sample/"
	older, newer := t.TempDir(), t.TempDir()
	writeAll(t, older, source)
	writeAll(t, newer, source)
	// The newer version has renamed a file, and imports another package.
	writeAll(t, older, map[string]string{
		sample + "before_test.go":       "package sample\n\nimport (\n\t\"testing\"\n\n\t_ \"k8s.io/kubernetes/test/utils/ktesting\"\n)\n\nfunc TestTwo(t *testing.T) {}\n",
		sample + "testdata/old/data":    "old\n",
		"test/utils/ktesting/before.go": "package ktesting\n",
	})
	writeAll(t, newer, map[string]string{sample + "after_test.go": "package sample\n\nimport \"testing\"\n\nfunc TestTwo(t *testing.T) {}\n"})
	write := func(from, into string) {
		t.Helper()
		if err := Write(Sources{"k8s.io/kubernetes": from}, root, filepath.Join(root, "go.mod"), into, []string{"sample"}); err != nil {
			t.Fatal(err)
		}
	}
	write(older, into)
	beside := map[string]string{"conformance": "the program", "results.jsonl": "{}\n", "logs/sample-TestTwo.log": "a log\n"}
	writeAll(t, into, beside)
	write(newer, into)
	fresh := t.TempDir()
	write(newer, fresh)
	writeAll(t, fresh, beside)
	if got, want := all(t, into), all(t, fresh); !slices.Equal(got, want) {
		t.Errorf("after an older version, the folder has\n%s\nand a new folder\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestWriteAnotherVersion makes the module of the tests from the module file of another version of Kubernetes, whose modules win over
// the newer ones that kubestep's go.mod requires.
func TestWriteAnotherVersion(t *testing.T) {
	from, root, into := t.TempDir(), t.TempDir(), t.TempDir()
	writeAll(t, from, source)
	const first = "module github.com/kubestep/kubestep\n\ngo 1.26.0\n\nrequire (\n\tk8s.io/kubernetes "
	writeAll(t, root, map[string]string{
		"go.mod": first + "v1.37.2\n)\n", "go.sum": "", "kubernetes-1.36.mod": first + "v1.36.3 // indirect\n)\n", "kubernetes-1.36.sum": "sums\n",
	})
	err := Write(Sources{"k8s.io/kubernetes": from}, root, filepath.Join(root, "kubernetes-1.36.mod"), into, []string{"sample"})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(into, "go.mod"))
	sums, _ := os.ReadFile(filepath.Join(into, "go.sum"))
	if err != nil || !strings.Contains(string(text), "\nreplace k8s.io/kubernetes => k8s.io/kubernetes v1.36.3\n") || string(sums) != "sums\n" {
		t.Errorf("%v\n%s\n%s", err, text, sums)
	}
}

// writeAll writes files with these texts below a folder.
func writeAll(t *testing.T, dir string, texts map[string]string) {
	t.Helper()
	for name, text := range texts {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// all lists the files and folders below a folder.
func all(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, _ fs.DirEntry, err error) error {
		names = append(names, name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// TestWriteUnknownPackage says which package is missing.
func TestWriteUnknownPackage(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"go.mod", "go.sum"} {
		if err := os.WriteFile(filepath.Join(root, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	sources := Sources{"k8s.io/kubernetes": t.TempDir()}
	err := Write(sources, root, filepath.Join(root, "go.mod"), t.TempDir(), []string{"absent"})
	if err == nil || !strings.Contains(err.Error(), "absent") {
		t.Errorf("the error is %v", err)
	}
}

// TestModuleFile takes the module file of another version of Kubernetes from the flags, which the program of the tests is compiled with.
func TestModuleFile(t *testing.T) {
	file, rest := ModuleFile("-trimpath -tags=kubernetes_before_1_37 -modfile=/k/kubernetes-1.36.mod -overlay=o.json")
	if file != "/k/kubernetes-1.36.mod" || rest != "-trimpath -tags=kubernetes_before_1_37 -overlay=o.json" {
		t.Errorf("%q, %q", file, rest)
	}
	if file, rest = ModuleFile("-trimpath"); file != "" || rest != "-trimpath" {
		t.Errorf("%q, %q", file, rest)
	}
}
