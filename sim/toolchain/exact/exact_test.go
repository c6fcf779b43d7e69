package exact

import (
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

var exactly = flag.Bool("exact", false, "build and run a program with the edited runtime, which takes some seconds")

func TestSeedIsHarmlessOutsideABubble(t *testing.T) {
	Seed(1)
	synctest.Test(t, func(*testing.T) { Seed(1) })
}

func TestTheBuildHasAName(t *testing.T) {
	if (Build() == "exact") != Enabled() {
		t.Errorf("build %s, but Enabled is %v", Build(), Enabled())
	}
}

func TestOneProcessorIsTakenBack(t *testing.T) {
	t.Setenv("GOMAXPROCS", "")
	before := runtime.GOMAXPROCS(0)
	restore := OneProcessor()
	if during := runtime.GOMAXPROCS(0); during != 1 {
		t.Errorf("the %s build runs on %d processors", Build(), during)
	}
	restore()
	t.Setenv("GOMAXPROCS", "2")
	restoreSecond := OneProcessor()
	if during := runtime.GOMAXPROCS(0); Enabled() && during != 1 || !Enabled() && during != before {
		t.Errorf("GOMAXPROCS=2: the %s build runs on %d processors", Build(), during)
	}
	restoreSecond()
	if after := runtime.GOMAXPROCS(0); after != before {
		t.Errorf("%d processors before, %d after", before, after)
	}
}

// TestTheExactBuild runs testdata/bubble, which prints a line for each thing that Go's runtime leaves to
// chance. With the edited runtime a seed always gives the same lines, and another seed gives others.
func TestTheExactBuild(t *testing.T) {
	if !*exactly {
		t.Skip("compiles Go's runtime: make exact-test")
	}
	dir := t.TempDir()
	edited, stock := filepath.Join(dir, "edited"), filepath.Join(dir, "stock")
	compile(t, edited, exactFlags(t, dir))
	compile(t, stock, "")

	const runs, seeds = 20, 3
	results := map[string]map[string]bool{}
	for seed := range seeds {
		first := lines(t, edited, seed)
		for name, hash := range first {
			if results[name] == nil {
				results[name] = map[string]bool{}
			}
			results[name][hash] = true
		}
		for range runs - 1 {
			for name, hash := range lines(t, edited, seed) {
				if hash != first[name] {
					t.Errorf("seed %d: %s is %s in one process and %s in another", seed, name, first[name], hash)
				}
			}
		}
	}
	for name, hashes := range results {
		if name == "sync.Map" || name == "heap" {
			continue // these are constants: which goroutine makes a sync.Map first may depend on the garbage collector
		}
		if len(hashes) < seeds {
			t.Errorf("%s: %d seeds give %d results", name, seeds, len(hashes))
		}
	}
	// The program must be able to fail.
	for name, hash := range lines(t, stock, 0) {
		if results[name][hash] {
			t.Errorf("%s: the stock runtime gives what the edited one gives", name)
		}
	}
}

// lines runs a program and returns what it printed: a name and a hash on each line.
func lines(t *testing.T, program string, seed int) map[string]string {
	t.Helper()
	result := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(execute(t, program, strconv.Itoa(seed))), "\n") {
		name, hash, _ := strings.Cut(line, ": ")
		result[name] = hash
	}
	return result
}

// TestTheExactBuildNamesQueues runs testdata/queues: a queue without a name has that of the function that makes it.
func TestTheExactBuildNamesQueues(t *testing.T) {
	if !*exactly {
		t.Skip("compiles Go's runtime: make exact-test")
	}
	dir := t.TempDir()
	program, stock := filepath.Join(dir, "queues"), filepath.Join(dir, "stock")
	compileProgram(t, "./testdata/queues", program, exactFlags(t, dir, "-queues"))
	var want strings.Builder
	for _, name := range []string{"main.newController", "named", "main.main.func2"} {
		for _, what := range []string{"added", "taken", "done", "delayed"} {
			want.WriteString(name + " " + what + "\n")
		}
	}
	if got := execute(t, program); got != want.String() {
		t.Errorf("got\n%swant\n%s", got, want.String())
	}
	compileProgram(t, "./testdata/queues", stock, "")
	if got := execute(t, stock); got != "named added\nnamed taken\nnamed done\nnamed delayed\n" {
		t.Errorf("without the edits:\n%s", got)
	}
}

// A platform is one that a program is compiled for, and what runs it: nothing if it is this one.
type platform struct{ os, arch, runs string }

var here = platform{}

// platforms are those that the trace hashes are the same on.
var platforms = map[string]platform{
	"arm64": {"linux", "arm64", "qemu-aarch64"},
	"wasm":  {"js", "wasm", "node"},
}

func (p platform) env() []string {
	if p == here {
		return nil
	}
	return []string{"GOOS=" + p.os, "GOARCH=" + p.arch}
}

// command runs a program of the platform.
func (p platform) command(t *testing.T, program string) []string {
	t.Helper()
	switch p.arch {
	case "":
		return []string{program}
	case "wasm":
		return []string{filepath.Join(strings.TrimSpace(execute(t, "go", "env", "GOROOT")), "lib", "wasm", "go_js_wasm_exec"), program}
	}
	return []string{p.runs, program}
}

// available skips the test if nothing here runs programs of the platform.
func (p platform) available(t *testing.T) {
	t.Helper()
	if p == here {
		return
	}
	if _, err := exec.LookPath(p.runs); err != nil {
		t.Skip(err)
	}
}

// everywhere are the lines of testdata/bubble that are the same on all platforms. Addresses are not.
func everywhere(text string) string {
	kept := ""
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "heap: ") {
			kept += line
		}
	}
	return kept
}

// TestOneRuntimeEverywhere compares what the program prints on several architectures, where this machine can run them.
func TestOneRuntimeEverywhere(t *testing.T) {
	if !*exactly {
		t.Skip("compiles Go's runtime: make exact-test")
	}
	dir := t.TempDir()
	flags := exactFlags(t, dir)
	native := filepath.Join(dir, "native")
	compile(t, native, flags)
	want := everywhere(execute(t, native, "7"))
	t.Run("without AES", func(t *testing.T) {
		t.Setenv("GODEBUG", "cpu.aes=off")
		if got := everywhere(execute(t, native, "7")); got != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
	})
	for name, platform := range platforms {
		t.Run(name, func(t *testing.T) {
			platform.available(t)
			program := filepath.Join(dir, name)
			compile(t, program, flags, platform.env()...)
			command := append(platform.command(t, program), "7")
			if got := everywhere(execute(t, command[0], command[1:]...)); got != want {
				t.Errorf("got\n%swant\n%s", got, want)
			}
		})
	}
}

// TestWaitsForMutexes runs testdata/mutexes: a wait for a mutex is durable while somebody in the bubble holds it, and those who wait
// get it in an order that is a function of the seed. While somebody outside holds it, no virtual time passes.
func TestWaitsForMutexes(t *testing.T) {
	if !*exactly {
		t.Skip("compiles Go's runtime: make exact-test")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "mutexes")
	compileProgram(t, "./testdata/mutexes", program, exactFlags(t, dir))
	const want = `condition: all had it, 21s
handed over: in the order of requests, 1s
held: locked, 1m0s
interrupted: locked, 1m0s
listed: sync.Mutex.Lock (durable), 1m0s
once: once, 1s
outside: locked, 0s
outside first, then inside: all had it, 10s
outside reads: locked, 0s
outside reads beside inside: locked, 1m0s
outside tries to read: locked, 0s
outside tries: locked, 0s
outside waits: all had it, 20s
outside writes: locked, 0s
overtaken: locked, 1m0s
`
	const runs, seeds = 20, 3
	crowds := map[string]bool{}
	for seed := range seeds {
		var first string
		for run := range runs {
			t.Setenv("GOMAXPROCS", strconv.Itoa(1+run%2))
			got := execute(t, program, strconv.Itoa(seed))
			if first == "" {
				first = got
			}
			if got != first {
				t.Errorf("seed %d: one process prints\n%sanother\n%s", seed, first, got)
			}
		}
		for line := range strings.Lines(want) {
			if !strings.Contains(first, strings.TrimSuffix(line, "\n")+", ") {
				t.Errorf("seed %d: no line %sin\n%s", seed, line, first)
			}
		}
		for line := range strings.Lines(first) {
			if strings.HasPrefix(line, "crowd: all had it, ") || strings.HasPrefix(line, "readers and writers: all had it, ") {
				crowds[line] = true
			}
		}
	}
	if len(crowds) != 2*seeds {
		t.Errorf("%d seeds give\n%v", seeds, crowds)
	}
}

// TestTheBubbleOfAnotherProgram runs testdata/external: time passes while somebody waits for a channel from before the bubble.
func TestTheBubbleOfAnotherProgram(t *testing.T) {
	if !*exactly {
		t.Skip("compiles Go's runtime: make exact-test")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "external")
	compileProgram(t, "./testdata/external", program, exactFlags(t, dir, "-external"))
	want := "hostname: web-0\nreceive: 1h0m0s\nselect: 1h0m0s\nsend: 1h0m0s\n"
	if got := execute(t, program, "1"); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestTimeStandsStillForOthers shares mutexes with goroutines outside of the bubble, in an order that is not a function of the seed.
func TestTimeStandsStillForOthers(t *testing.T) {
	if !*exactly {
		t.Skip("compiles Go's runtime: make exact-test")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "mutexes")
	compileProgram(t, "./testdata/mutexes", program, exactFlags(t, dir))
	for seed := range 20 {
		if got := execute(t, program, strconv.Itoa(seed), "storm"); !strings.HasPrefix(got, "storm: all had it, ") {
			t.Errorf("seed %d: %s", seed, got)
		}
	}
	if got := execute(t, program, "1", "outside locks again and again"); !strings.HasPrefix(got, "outside locks again and again: all had it, 0s") {
		t.Error(got)
	}
}

// TestOthersRunBesideALoop runs a loop in a bubble that ends when somebody outside had turns. A processor's time slice is five seconds
// and it takes a few of them, so the deadline is far away from what is right, and from the quarter of an hour that it took otherwise.
func TestOthersRunBesideALoop(t *testing.T) {
	if !*exactly {
		t.Skip("compiles Go's runtime: make exact-test")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "spin")
	compileProgram(t, "./testdata/spin", program, exactFlags(t, dir))
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, program).CombinedOutput()
	if want := "ended after 3 turns\n"; err != nil || string(out) != want {
		t.Errorf("%q, %v; want %q", out, err, want)
	}
}

// exactFlags are the flags of the exact build, with an overlay below dir.
func exactFlags(t *testing.T, dir string, more ...string) string {
	t.Helper()
	args := append([]string{"run", "./overlay", "-o", filepath.Join(dir, "overlay")}, more...)
	return strings.TrimSpace(execute(t, "go", args...))
}

// compile builds the program of testdata/bubble with these flags, and no others.
func compile(t *testing.T, output, flags string, env ...string) {
	t.Helper()
	compileProgram(t, "./testdata/bubble", output, flags, env...)
}

func compileProgram(t *testing.T, program, output, flags string, env ...string) {
	t.Helper()
	cmd := exec.Command("go", "build", "-o", output, program)
	cmd.Env = append(append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS="+flags), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
}

func execute(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// TestTheExactBuildHasNodes runs testdata/node: the packages net and os answer a program of a node as SetMachine says.
func TestTheExactBuildHasNodes(t *testing.T) {
	if !*exactly {
		t.Skip("compiles Go's runtime: make exact-test")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "node")
	compileProgram(t, "./testdata/node", program, exactFlags(t, dir))
	want := `exact true
dials: true
addresses: [192.168.0.1] <nil>
opened files: /node/one
folders: 0 <nil>
files: true <nil>
links: true <nil>
made folders: <nil>
removed files: <nil>
removed folders: <nil>
renamed files: <nil>
made links: <nil>
read links: one <nil>
modes: <nil>
owners: <nil>
exits with 7
exits: <nil>
`
	if got := execute(t, program); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
