// Package docs_test holds the rules of the repository as tests: which package may import which, which words and
// calls are not used, and that the documentation says what the program does.
package docs_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/kubestep/kubestep/"

// layers from the bottom up; a package may import its own layer and those below.
var layers = []string{"sim", "controllers", "scenarios", "tui"}

// Only these directories may import a module with the prefix.
var onlyIn = map[string][]string{
	"k8s.io/kubernetes/":        {"controllers", "sim/apiserver", "sim/conformance", "sim/cluster/controlplane", "scenarios"},
	"github.com/charmbracelet/": {"tui"},
	"gopkg.in/yaml.v3":          {"scenarios"},
	"github.com/google/cel-go/": {"scenarios/language/expr"},
	// The command line, its frame, programs that only tests start, and those that stand for commands in containers.
	"github.com/spf13/": {"scenarios/cli", "sim/cluster/oci", "sim/cluster/program", "sim/conformance", "tui/command"},
	// The prototype is what others write over it, for a comparison.
	"k8s.io/client-go/kubernetes/fake": {"sim/apiserver", "scenarios/performance/internal/prototype"},
	// Main, whose path is that of the module, and the test binaries that are main when a script calls it.
	module + "tui/command": {"tui/command", "docs/commandline", strings.TrimSuffix(module, "/")},
}

type listed struct {
	ImportPath, Name                   string
	Imports, TestImports, XTestImports []string
	GoFiles                            []string
}

// TestLintLayers fails on an import that goes up, or into a library that another layer owns.
func TestLintLayers(t *testing.T) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", module+"...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	decoder := json.NewDecoder(strings.NewReader(string(out)))
	for decoder.More() {
		var p listed
		if err := decoder.Decode(&p); err != nil {
			t.Fatal(err)
		}
		dir := strings.TrimPrefix(p.ImportPath, module)
		for _, imported := range p.Imports {
			if below, ok := strings.CutPrefix(imported, module); ok && layer(below) > layer(dir) {
				t.Errorf("%s imports %s, which is a layer above it", dir, below)
			}
			for prefix, allowed := range onlyIn {
				if (imported == prefix || strings.HasPrefix(imported, prefix)) && !isUnderAny(dir, allowed) {
					t.Errorf("%s imports %s; only %s may", dir, imported, strings.Join(allowed, ", "))
				}
			}
			if dir == "sim/trace" && strings.HasPrefix(imported, module) && !slices.Contains([]string{"sim/trace/attempt", "sim/trace/diff", "sim/kinds", "sim/trace/review", "sim/trace/visible"}, strings.TrimPrefix(imported, module)) {
				t.Errorf("sim/trace imports %s; it knows no other package than sim/trace/attempt, sim/trace/diff, sim/kinds, sim/trace/review and sim/trace/visible", imported)
			}
		}
	}
}

// recordingNeeds are the packages, of this module or k8s.io, that sim/recording may depend on, at any depth. It looks at runs that
// are over, also where there is no simulation: in a browser, or in a page.
var recordingNeeds = []string{
	module + "sim/recording", module + "sim/trace/file/input", module + "sim/trace", module + "sim/trace/attempt", module + "sim/trace/diff", module + "sim/kinds", module + "sim/trace/review", module + "sim/trace/visible",
	module + "sim/trace/file/archive", module + "sim/trace/file/tracefile",
	"k8s.io/apimachinery/pkg/", "k8s.io/klog/v2", "k8s.io/utils/", "sigs.k8s.io/json", "sigs.k8s.io/randfill",
}

// TestLintRecording fails when sim/recording comes to depend on the simulation, on controllers, on clients or on the network.
func TestLintRecording(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", module+"sim/recording").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for dep := range strings.FieldsSeq(string(out)) {
		known := slices.ContainsFunc(recordingNeeds, func(need string) bool { return strings.HasPrefix(dep, need) })
		ours := strings.HasPrefix(dep, module) || strings.Contains(dep, "k8s.io/")
		if ours && !known || dep == "net/http" {
			t.Errorf("sim/recording depends on %s; only %s are allowed", dep, strings.Join(recordingNeeds, ", "))
		}
	}
}

// layer is the height of a directory; main is above all.
func layer(dir string) int {
	top, _, _ := strings.Cut(dir, "/")
	for i, name := range layers {
		if name == top {
			return i
		}
	}
	return len(layers)
}

func isUnderAny(dir string, parents []string) bool {
	for _, parent := range parents {
		if dir == parent || strings.HasPrefix(dir, parent+"/") {
			return true
		}
	}
	return false
}

// ban is a pattern that code must not hold, with what to use instead.
type ban struct {
	pattern *regexp.Regexp
	instead string
	// except are the files that may, each with its reason.
	except map[string]string
}

var bans = []ban{
	{
		regexp.MustCompile(`\btime\.(Now|Since|Sleep|After|AfterFunc|NewTimer|NewTicker|Tick)\(`),
		"the engine's time, or a reason in this list",
		map[string]string{
			"sim/engine":                                      "the seam where virtual time enters, and the watchdog that needs real time",
			"controllers/external":                            "the time that a program of its own takes, outside the bubble, and its clock, in its bubble",
			"sim/conformance":                                 "runs processes, and what upstream's tests see of the bubble's clock",
			"scenarios/serving/e2e":                           "runs processes, outside the bubble",
			"sim/cluster/program":                             "how long a program takes, inside the bubble",
			"sim/network/live":                                "the clock that a simulation follows, outside the bubble",
			"scenarios/serving/internal/session/feed.go":      "the timeouts of clients' watches, outside the bubble",
			"scenarios/serving/internal/session/log.go":       "how often a log is looked at that a client follows, outside the bubble",
			"scenarios/serving/internal/session/exec.go":      "how often the output of a command goes to its client, outside the bubble",
			"scenarios/serving/address.go":                    "the validity of a certificate, outside the bubble",
			"scenarios/serving/world.go":                      "the date that clients have, outside the bubble",
			"controllers/kubelet/rest.go":                     "the loops of a kubelet, inside the bubble",
			"controllers/kubelet/rest_eviction.go":            "the virtual time at which a loop of a kubelet continues",
			"controllers/kubelet/manifests.go":                "a loop of a kubelet, inside the bubble",
			"controllers/kubelet/logind.go":                   "how long a node delays a shutdown, inside the bubble",
			"sim/cluster/oci":                                 "programs in containers, inside the bubble",
			"sim/cluster/plugins":                             "calls to plugins, inside the bubble",
			"sim/cluster/cri":                                 "a container runtime, inside the bubble",
			"controllers/kubelet/hardware.go":                 "the machine of a node, inside the bubble",
			"controllers/kubelet/hardware_before_1_37.go":     "the machine of a node, inside the bubble",
			"controllers/kubelet/server.go":                   "the age of a log, inside the bubble",
			"scenarios/serving/internal/podaccess/kubelet.go": "how often a container is looked at that a client follows, outside the bubble",
			"scenarios/serving/internal/podaccess/runtime.go": "since when a client is attached, inside the bubble",
			"scenarios/serving/timeouts.go":                   "how long clients may take, outside the bubble",
			"scenarios/serving/pacing.go":                     "how often the pace of virtual time is looked at, outside the bubble",
			"scenarios/performance/session.go":                "waits for another process, outside the bubble",
			"scenarios/performance/internal/prototype":        "a program without an engine, inside the bubble",
			"scenarios/performance/watches.go":                "clients that read slowly, outside the bubble",
			"sim/apiserver/http_frames.go":                    "whether two events arrive at one instant, inside the bubble",
			"sim/apiserver/custom_document.go":                "when a list of documents was modified, inside the bubble",
			"scenarios/serving/process.go":                    "how long a process may take to end",
			"scenarios/serving/control/stream.go":             "how often clients hear of what is new, outside the bubble",
			"tui/internal/remote":                             "how long a terminal takes to show what is new",
			"sim/apiserver/internal/admissionpolicy":          "when policies are compiled, inside the bubble",
			"sim/apiserver/custom.go":                         "how long ago a definition was established, inside the bubble",
			"sim/apiserver/memdb":                             "deadlines of objects with a time to live, inside the bubble",
			"scenarios/cli/output/progress.go":                "the progress line, outside the bubble",
			"scenarios/cli/output/exclusive.go":               "how long another program may hold a lock",
			"scenarios/explore/child/worker.go":               "a worker that is interrupted, outside the bubble",
			"scenarios/cli/output/stream.go":                  "readers that wait, outside the bubble",
			"scenarios/cli/limits":                            "watches the process, outside the bubble",
			"scenarios/cli/sandbox":                           "watches another process, outside any bubble",
			"scenarios/scenariotest/perturb_progress.go":      "the progress of many runs, outside the bubble",
			"scenarios/web/teach/server.go":                   "pages that wait for news, outside the bubble",
			"scenarios/serving/practice/reset.go":             "waits for another process, outside the bubble",
			"scenarios/runner/run.go":                         "wall seconds of the report, outside the bubble",
		},
	},
	{
		regexp.MustCompile(`\brand\.(Int|Intn|Float64|Perm|Shuffle|Seed)\(`),
		"engine.Draw or engine.Hash",
		map[string]string{},
	},
	{
		regexp.MustCompile(`\bklog\.(SetLogger|SetLoggerWithOptions|ClearLogger|CaptureState)\(`),
		"sim/process/logging: nothing guards klog's variables",
		map[string]string{"sim/process/logging": "sets the logger once"},
	},
	{regexp.MustCompile(`(?i)^package (util|utils|common|helper|helpers|misc)$`), "a package named after what it holds", nil},
	{regexp.MustCompile(`\bFIXME\b|\bXXX\b|\bTODO\b`), "an issue, or the fix", nil},
	{regexp.MustCompile(`\btestify\b|\bginkgo\b|\bgomega\b`), "table tests and go-cmp", nil},
}

// TestLintBans fails on words and calls that have a better replacement.
func TestLintBans(t *testing.T) {
	eachGoFile(t, func(path string, lines []string) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		for n, line := range lines {
			for _, b := range bans {
				if b.pattern.MatchString(line) && !b.excepts(path) {
					t.Errorf("%s:%d: %s (instead: %s)", path, n+1, strings.TrimSpace(line), b.instead)
				}
			}
		}
	})
}

func (b ban) excepts(path string) bool {
	for allowed := range b.except {
		if path == allowed || strings.HasPrefix(path, allowed+"/") {
			return true
		}
	}
	return false
}

// TestLintSizes fails on files and functions that hold more than one idea.
func TestLintSizes(t *testing.T) {
	const maxFile, maxFunction, maxColumns = 600, 70, 140
	eachGoFile(t, func(path string, lines []string) {
		if len(lines) > maxFile {
			t.Errorf("%s has %d lines, more than %d", path, len(lines), maxFile)
		}
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		start := -1
		for n, line := range lines {
			// A struct tag cannot be broken, and the row of a table should not be.
			row := strings.HasPrefix(strings.TrimSpace(line), "{") || strings.HasPrefix(strings.TrimSpace(line), `"`)
			if !row && !strings.Contains(line, "`") && len([]rune(strings.ReplaceAll(line, "\t", "    "))) > maxColumns {
				t.Errorf("%s:%d: longer than %d columns", path, n+1, maxColumns)
			}
			if strings.HasPrefix(line, "func ") && !strings.HasSuffix(line, "}") {
				start = n
			}
			if line == "}" && start >= 0 {
				if n-start > maxFunction {
					t.Errorf("%s:%d: a function of %d lines, more than %d", path, start+1, n-start, maxFunction)
				}
				start = -1
			}
		}
	})
}

// TestLintFormat fails on a Go file that gofmt would write otherwise.
func TestLintFormat(t *testing.T) {
	eachGoFile(t, func(path string, _ []string) {
		source, err := os.ReadFile(filepath.Join("..", path))
		if err != nil {
			t.Fatal(err)
		}
		if formatted, err := format.Source(source); err != nil {
			t.Errorf("%s: %v", path, err)
		} else if !bytes.Equal(formatted, source) {
			t.Errorf("%s is not formatted; gofmt -w %s does it", path, path)
		}
	})
}

// eachGoFile calls f with every Go file of the project.
func eachGoFile(t *testing.T, f func(path string, lines []string)) {
	t.Helper()
	eachFile(t, []string{".go"}, f)
}

// eachFile calls f with every file of the project that has one of these extensions, test data apart.
func eachFile(t *testing.T, extensions []string, f func(path string, lines []string)) {
	t.Helper()
	root := ".."
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		foreign := []string{"testdata", "bin", "node_modules", "original"}
		if entry.IsDir() && path != root && (strings.HasPrefix(name, ".") || slices.Contains(foreign, name)) {
			return filepath.SkipDir
		}
		if entry.IsDir() || !slices.Contains(extensions, filepath.Ext(path)) {
			return nil
		}
		lines, err := readLines(path)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		f(filepath.ToSlash(relative), lines)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func readLines(path string) ([]string, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var lines []string
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		lines = append(lines, scanner.Text())
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return lines, nil
}
