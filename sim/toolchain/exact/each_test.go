package exact

import (
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

var (
	each    = flag.Bool("each", false, "leave out each edit of the runtime in turn, which compiles the runtime that often (half an hour)")
	oneEdit = flag.Int("edit", 0, "leave out the edit of this number alone (go run ./overlay -list)")
)

// TestEachEditIsNoticed leaves each edit out and expects that the experiment that it names does something else, or that nothing compiles.
func TestEachEditIsNoticed(t *testing.T) {
	if !*each && *oneEdit == 0 {
		t.Skip("compiles Go's runtime once for each edit: -each, or -edit NUMBER")
	}
	whole, all := map[string]string{}, t
	for line := range strings.Lines(execute(t, "go", "run", "./overlay", "-list")) {
		fields := strings.SplitN(strings.TrimSpace(line), "\t", 4)
		number, file, proof, why := fields[0], fields[1], fields[2], fields[3]
		if *oneEdit != 0 && number != strconv.Itoa(*oneEdit) {
			continue
		}
		t.Run(number+" "+file, func(t *testing.T) {
			program, name, experiment := strings.Cut(proof, "/")
			if !experiment || program == "platform" {
				program, name = "bubble", ""
			}
			flags := exactFlags(t, t.TempDir(), "-without", number)
			path, out, err := build(t, program, flags)
			switch {
			case proof == "compile" && err != nil:
			case proof == "compile":
				t.Errorf("it compiles without the edit: %s", why)
			case err != nil:
				t.Logf("nothing compiles without it, though %s is to prove it:\n%s", proof, out)
			case name == "":
				t.Skipf("%s: not tried on this platform", proof)
			default:
				if whole[program] == "" {
					if whole[program], _, err = build(all, program, exactFlags(all, all.TempDir())); err != nil {
						t.Fatal(err)
					}
				}
				if !noticed(t, whole[program], path, name) {
					t.Errorf("%s is the same without the edit: %s", proof, why)
				}
			}
		})
	}
}

// noticed reports whether an experiment differs between two programs, in some of a few runs with a few seeds.
func noticed(t *testing.T, whole, without, name string) bool {
	t.Helper()
	for run := range 12 {
		seed := strconv.Itoa(run % 3)
		got, err := tried(t, without, seed, name)
		if name == "storm" { // no function of the seed: it fails, or never ends
			if err != nil || !strings.HasPrefix(got, "storm: all had it, ") {
				t.Logf("seed %s: %.300s, %v", seed, got, err)
				return true
			}
			continue
		}
		if want := execute(t, whole, seed, name); err != nil || got != want {
			t.Logf("seed %s: %.300s, %v; want %s", seed, got, err, want)
			return true
		}
	}
	return false
}

// tried runs a program that may never end.
func tried(t *testing.T, program string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, program, args...).CombinedOutput()
	return string(out), err
}

// build compiles a program of testdata, which may fail.
func build(t *testing.T, program, flags string) (path, out string, err error) {
	t.Helper()
	dir, err := os.MkdirTemp("", "kubestep-exact")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	path = filepath.Join(dir, program)
	cmd := exec.Command("go", "build", "-o", path, "./testdata/"+program)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS="+flags)
	text, err := cmd.CombinedOutput()
	return path, string(text), err
}
