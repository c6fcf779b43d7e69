package docs_test

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/sim/trace/file/input"
)

// notCommands are the programs with which kubestep is built and tested. They read and write the repository, not what users have.
var notCommands = map[string]string{
	"sim/conformance":                    "runs upstream's tests, with folders of its own",
	"scenarios/serving/e2e":              "runs upstream's tests, with folders of its own",
	"sim/toolchain/exact":                "edits copies of modules when kubestep is built",
	"sim/toolchain/versions":             "writes the repository's module files",
	"sim/simtest/golden":                 "compares results of tests with the repository's files",
	"scenarios/release":                  "makes a release",
	"scenarios/performance":              "measures the program, and writes the page about it",
	"scenarios/web/playground/assemble":  "makes the folder of the playground",
	"scenarios/web/home":                 "makes the site of the project",
	"scenarios/web/internal/browsertest": "helps tests, with files of the repository",
}

// borders are the ways to name a file, with the package that is to be used instead.
var borders = []ban{
	{
		regexp.MustCompile(`\bos\.(Open|ReadFile|DirFS|OpenRoot|ReadDir)\(|\bfilepath\.(Glob|Walk|WalkDir)\(|\b(syscall|unix)\.Open(at)?\(|\bioutil\.`),
		"sim/trace/file/input, which asks for the kind and has a budget",
		map[string]string{
			"sim/trace/file/input":                        "is the border",
			"sim/cluster/oci/files.go":                    "the files of a container, below a folder of its own",
			"controllers/kubelet/logind.go":               "a file in the folder of a node",
			"controllers/kubelet/volume.go":               "measures a volume in the folder of a node, and reads no file",
			"scenarios/cli/sandbox/sandbox_linux.go":      "names folders to the kernel, and reads none",
			"scenarios/cli/sandbox/temporary.go":          "counts what a process of this command keeps in its folder, and reads no file",
			"scenarios/cli/limits/family_linux.go":        "asks the kernel about processes of this command (proc)",
			"scenarios/explore/keyframe/host_linux.go":    "opens /dev/null",
			"scenarios/explore/builds/build.go":           "lists the folders of PATH for builds of other versions, and opens no file",
			"scenarios/explore/builds/upgrade/upgrade.go": "reads the trace that a process of this command has just written into a folder of its own",
			"scenarios/language/format/load.go":           "lists the folder of a file that is missing, for the name that was meant",
			"tui/command/shell/values.go":                 "lists folders for the completion of names",
			"scenarios/serving/internal/running":          "lists the folder with the clusters that run, and opens its files through the border",
			"scenarios/explore/shrink/gotest.go":          "lists the folder of a Go test for the name of its package",
			"scenarios/web/site/serve.go":                 "serves the folder that its user names, and nothing outside of it",
		},
	},
	{
		regexp.MustCompile(`\bos\.(Create|OpenFile|WriteFile|CreateTemp|MkdirTemp|Mkdir|MkdirAll|Rename|Symlink|Link)\(`),
		"scenarios/cli/output, which replaces nothing that is not ours",
		map[string]string{
			"sim/trace/file/input/open.go":                "opens for reading, so that a named pipe does not wait",
			"scenarios/cli/output":                        "is the way out",
			"scenarios/scenariotest/artifact.go":          "writes the trace of a test that fails, into the folder of the test",
			"scenarios/cli/sandbox/sandbox_linux.go":      "opens /dev/null",
			"scenarios/cli/sandbox/temporary.go":          "a temporary folder with a random name, for a process of this command",
			"scenarios/explore/builds/bisect/bisect.go":   "a temporary file with a random name, for a process of this command",
			"scenarios/explore/builds/upgrade/upgrade.go": "a temporary folder with a random name, for processes of this command",
			"scenarios/serving/control/tape.go":           "a temporary file without a name",
			"controllers/external/process.go":             "a temporary file without a name",
			"controllers/kubelets.go":                     "a temporary folder with a random name, for the nodes",
			"controllers/kubelet/machine.go":              "a node's part of that folder",
			"controllers/kubelet/files.go":                "a volume in the folder of a node",
			"controllers/kubelet_manifests.go":            "a file in the folder of a node",
			"sim/cluster/plugins/csi/node.go":             "the mount points of volumes in the folder of a node",
			"sim/cluster/cri/process.go":                  "the files of a container in the folder of a node",
			"sim/cluster/oci/files.go":                    "the files of a container in the folder of a node",
			"sim/cluster/cri/container.go":                "a log in the folder of a node",
			"sim/cluster/cri/print.go":                    "a log in the folder of a node",
			"controllers/signing_files.go":                "a temporary folder with a random name, for keys that upstream reads from files",
			"scenarios/explore/child/text.go":             "a temporary file with a random name, for a process of this command",
		},
	},
	{
		regexp.MustCompile(`\btracefile\.Open\(`),
		"cli.ReadTrace, which shows how far it is",
		map[string]string{
			"scenarios/cli/readtrace.go":   "shows it",
			"tui/command/convert.go":       "shows it, and makes no recording",
			"tui/internal/opener/trace.go": "hands it to the interface, whose screen shows it",
		},
	},
	{
		regexp.MustCompile(`\bclientcmd\.`),
		"control.ReadKubeconfig: client-go starts programs and sends files that a kubeconfig names",
		nil,
	},
}

// TestLintBorder finds every way to open or to write a file that somebody names, other than the two packages for that.
func TestLintBorder(t *testing.T) {
	used := map[string]bool{}
	eachGoFile(t, func(path string, lines []string) {
		if strings.HasSuffix(path, "_test.go") || isUnderAny(path, slices.Collect(maps.Keys(notCommands))) || strings.HasPrefix(path, "docs/") {
			return
		}
		for n, line := range lines {
			for i, b := range borders {
				if strings.HasPrefix(strings.TrimSpace(line), "//") || !b.pattern.MatchString(line) {
					continue
				}
				if !b.excepts(path) {
					t.Errorf("%s:%d: %s (instead: %s)", path, n+1, strings.TrimSpace(line), b.instead)
				}
				for allowed := range b.except {
					used[strconv.Itoa(i)+allowed] = used[strconv.Itoa(i)+allowed] || isUnderAny(path, []string{allowed})
				}
			}
		}
	})
	for i, b := range borders {
		for allowed := range b.except {
			if !used[strconv.Itoa(i)+allowed] {
				t.Errorf("%s needs no exception from %s any more", allowed, b.pattern)
			}
		}
	}
}

// TestThreatModel fails when the page does not have a kind of input with its budget.
func TestThreatModel(t *testing.T) {
	page, err := os.ReadFile("explanation/threat-model.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range input.Rows {
		if row.Budget == 0 {
			continue // kubestep writes it, and does not read it
		}
		want := "| " + row.Name + " | " + budget(row.Budget) + " |"
		if !strings.Contains(string(page), want) {
			t.Errorf("docs/explanation/threat-model.md has no row %q", want)
		}
	}
}

// budget is a size in the words of the page.
func budget(bytes int64) string {
	for _, unit := range []struct {
		name string
		size int64
	}{{" GiB", 1 << 30}, {" MiB", 1 << 20}, {" KiB", 1 << 10}} {
		if bytes >= unit.size {
			return strconv.FormatInt(bytes/unit.size, 10) + unit.name
		}
	}
	return strconv.FormatInt(bytes, 10) + " bytes"
}
