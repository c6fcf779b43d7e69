package controllers

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
)

// startLines are the lines that the manager wrote about its start, with their controllers.
func startLines(records []*trace.Record, manager string) (lines []string, at []time.Duration) {
	for _, r := range records {
		if r.Log == nil || r.Actor != manager {
			continue
		}
		line := r.Log.Message
		for _, value := range r.Log.Values {
			if name, ok := strings.CutPrefix(value, "controller="); ok {
				line += " " + name
			}
		}
		lines, at = append(lines, line), append(at, r.At)
	}
	return lines, at
}

func TestTheStartIsToldInUpstreamsOrder(t *testing.T) {
	records, _ := play(t, 1, createWeb(1))
	lines, _ := startLines(records, ManagerName)
	want := []string{"Component configuration completed", "Starting", "Client builders created", "API server is healthy",
		"Controller context created", "Controllers selected"}
	for _, name := range Workload {
		want = append(want, "Controller built "+name)
	}
	want = append(want, "Informers started")
	if len(lines) < len(want) || !slices.Equal(lines[:len(want)], want) {
		t.Fatalf("the start:\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
	rest := lines[len(want):]
	if rest[len(rest)-1] != "Informer caches synced" {
		t.Errorf("the last line is %q", rest[len(rest)-1])
	}
	started := slices.Clone(rest[:len(rest)-1])
	slices.Sort(started)
	for i, name := range Workload {
		if started[i] != "Controller started "+name {
			t.Errorf("%q, want the start of %s", started[i], name)
		}
	}
}

// TestTheTokenControllerIsBuiltFirst holds the one order that upstream promises.
func TestTheTokenControllerIsBuiltFirst(t *testing.T) {
	records, fault, err := plane(t, Options{ManagerOptions: ManagerOptions{Controllers: []string{"*"}}}, idle)
	if fault != nil || err != nil {
		t.Fatal(fault, err)
	}
	lines, _ := startLines(records, ManagerName)
	i := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "Controller built") })
	if i < 0 || lines[i] != "Controller built serviceaccount-token-controller" {
		t.Errorf("%q is built first", lines[i])
	}
}

// TestTheStartIntervalIsJittered: each controller starts after one to two intervals, which the seed decides.
func TestTheStartIntervalIsJittered(t *testing.T) {
	var starts [2]map[string]time.Duration
	for i := range starts {
		starts[i] = map[string]time.Duration{}
		slow, err := NewConfig([]byte(`{generic: {controllerStartInterval: 10s}}`))
		if err != nil {
			t.Fatal(err)
		}
		options := Options{ManagerOptions: ManagerOptions{Config: slow}}
		records, fault, err := plane(t, options, idle)
		if fault != nil || err != nil {
			t.Fatal(fault, err)
		}
		lines, at := startLines(records, ManagerName)
		for n, line := range lines {
			if name, ok := strings.CutPrefix(line, "Controller started "); ok {
				starts[i][name] = at[n]
			}
		}
	}
	different := map[time.Duration]bool{}
	for name, at := range starts[0] {
		if at < 10*time.Second || at > 20*time.Second+startStagger || starts[1][name] != at {
			t.Errorf("%s started at %v and %v", name, at, starts[1][name])
		}
		different[at.Truncate(time.Second)] = true
	}
	if len(starts[0]) != len(Workload) || len(different) < 2 {
		t.Errorf("controllers started at %v", starts[0])
	}
}

// TestStagesStandInUpstream looks each stage's function up in the source of the module.
func TestStagesStandInUpstream(t *testing.T) {
	for _, s := range stages {
		source, err := os.ReadFile(upstreamFile(t, s.file))
		if err != nil {
			t.Error(err)
			continue
		}
		if !regexp.MustCompile(`(?m)^func (\([^)]*\) )?` + s.function + `\(`).Match(source) {
			t.Errorf("%s has no function %s", s.file, s.function)
		}
	}
}

// upstreamFile finds a file of k8s.io/kubernetes, or of another module if its name begins with one.
func upstreamFile(t *testing.T, file string) string {
	t.Helper()
	module := "k8s.io/kubernetes"
	if parts := strings.SplitN(file, "/", 3); parts[0] == "k8s.io" {
		module, file = parts[0]+"/"+parts[1], parts[2]
	}
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if root := strings.TrimSpace(string(dir)); err == nil && root != "" {
		return filepath.Join(root, filepath.FromSlash(file))
	}
	t.Skip("the module cache does not hold " + module)
	return ""
}
