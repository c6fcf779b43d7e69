package upstream

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// end is a package of end-to-end tests, one that it imports, and one that stays where it is.
var end = map[string]string{
	"test/e2e/apps/apps.go": `package apps

import (
	_ "embed"

	"k8s.io/kubernetes/test/e2e/framework"
	_ "k8s.io/kubernetes/test/e2e/manifests"
)

//go:embed e2edata/pod.yaml
var pod string

var _ = framework.Command{}.Run() + pod
`,
	"test/e2e/apps/apps_test.go":      "package apps\n",
	"test/e2e/apps/e2edata/pod.yaml":  "kind: Pod\n",
	"test/e2e/framework/framework.go": "package framework\n\ntype Command struct{}\n\nfunc (c Command) Run() string { return \"a process\" }\n",
	"test/e2e/manifests/embed.go":     "package manifests\n",
}

// TestWriteProgram copies what a program imports, but for what stays where it is, and replaces a method.
func TestWriteProgram(t *testing.T) {
	from, root, into := t.TempDir(), t.TempDir(), t.TempDir()
	writeAll(t, from, end)
	writeAll(t, root, map[string]string{"go.mod": "module github.com/kubestep/kubestep\n\ngo 1.26.0\n", "go.sum": ""})
	const tests = "k8s.io/kubernetes/test/e2e"
	copies := Copies{Module: "kubestep.invalid/e2e", Copied: []string{tests + "/"}, Kept: []string{tests + "/manifests"}}
	run := Function{
		Package: tests + "/framework", Name: "(c Command) Run", Text: []byte("package framework\n\nfunc (c Command) Run() string { return \"a function\" }\n"),
	}
	main := []byte("package main\n\nimport _ \"" + tests + "/apps\"\n\nfunc main() {}\n")
	if err := WriteProgram(Sources{"k8s.io/kubernetes": from}, root, filepath.Join(root, "go.mod"), into, main, copies, run); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"go.mod":                          "module kubestep.invalid/e2e\n",
		"main.go":                         `"kubestep.invalid/e2e/test/e2e/apps"`,
		"test/e2e/apps/apps.go":           `"kubestep.invalid/e2e/test/e2e/framework"` + "\n\t_ \"" + tests + `/manifests"`,
		"test/e2e/apps/e2edata/pod.yaml":  "kind: Pod\n",
		"test/e2e/framework/framework.go": "func (c Command) replacedRun() string",
		"test/e2e/framework/server.go":    "a function",
	} {
		text, err := os.ReadFile(filepath.Join(into, filepath.FromSlash(name)))
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v, without %q:\n%s", name, err, want, text)
		}
	}
	for _, name := range []string{"test/e2e/apps/apps_test.go", "test/e2e/manifests/embed.go"} {
		if _, err := os.Stat(filepath.Join(into, filepath.FromSlash(name))); err == nil {
			t.Errorf("%s is copied", name)
		}
	}
}
