package exact

import (
	"flag"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
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
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	if Promise() != "stock" {
		t.Errorf("two processors promise %s", Promise())
	}
	runtime.GOMAXPROCS(1)
	if Promise() != Build() {
		t.Errorf("one processor promises %s in the %s build", Promise(), Build())
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
	overlay := filepath.Join(dir, "overlay")
	execute(t, "go", "run", "./overlay", "-o", overlay)
	edited, stock := filepath.Join(dir, "edited"), filepath.Join(dir, "stock")
	execute(t, "go", "build", "-tags", "kubestep_exact", "-overlay", filepath.Join(overlay, "overlay.json"),
		"-o", edited, "./testdata/bubble")
	execute(t, "go", "build", "-o", stock, "./testdata/bubble")

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
		name, hash, _ := strings.Cut(line, " ")
		result[name] = hash
	}
	return result
}

func execute(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}
