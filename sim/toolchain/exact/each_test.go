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

// overlays are the flags of the overlay of each program of testdata; the others have none.
var overlays = map[string][]string{"external": {"-external"}, "queues": {"-queues"}}

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
			program, name, _ := strings.Cut(proof, "/")
			on := here
			if program == "platform" {
				program, on, name = "bubble", platforms[name], ""
			} else if program == "compile" {
				program = "bubble"
			}
			on.available(t)
			path, out, err := build(t, program, exactFlags(t, t.TempDir(), append(overlays[program], "-without", number)...), on)
			switch {
			case proof == "compile" && err != nil:
				return
			case proof == "compile":
				t.Fatalf("it compiles without the edit: %s", why)
			case err != nil:
				t.Logf("nothing compiles without it, though %s is to prove it:\n%s", proof, out)
				return
			}
			if whole[program] == "" {
				if whole[program], out, err = build(all, program, exactFlags(all, all.TempDir(), overlays[program]...), here); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
			}
			if !noticed(t, []string{whole[program]}, on.command(t, path), name) {
				t.Errorf("%s is the same without the edit: %s", proof, why)
			}
		})
	}
}

// noticed reports whether an experiment differs between two commands, in some of a few runs with a few seeds. No name means all
// experiments that are the same on all platforms.
func noticed(t *testing.T, whole, without []string, name string) bool {
	t.Helper()
	for run := range 12 {
		args := []string{strconv.Itoa(run % 3)}
		if name != "" {
			args = append(args, name)
		}
		got, err := tried(t, append(without, args...))
		if name == "storm" { // no function of the seed: it fails, or never ends
			if err != nil || !strings.HasPrefix(got, "storm: all had it, ") {
				t.Logf("seed %s: %.300s, %v", args[0], got, err)
				return true
			}
			continue
		}
		want := execute(t, whole[0], append(whole[1:], args...)...)
		if name == "" {
			got, want = everywhere(got), everywhere(want)
		}
		if err != nil || got != want {
			t.Logf("seed %s: %.300s, %v; want %s", args[0], got, err, want)
			return true
		}
	}
	return false
}

// tried runs a program that may never end.
func tried(t *testing.T, command []string) (string, error) {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, command[0], command[1:]...).CombinedOutput()
	return string(out), err
}

// build compiles a program of testdata for a platform, which may fail.
func build(t *testing.T, program, flags string, on platform) (path, out string, err error) {
	t.Helper()
	dir, err := os.MkdirTemp("", "kubestep-exact")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	path = filepath.Join(dir, program)
	cmd := exec.Command("go", "build", "-o", path, "./testdata/"+program)
	cmd.Env = append(append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS="+flags), on.env()...)
	text, err := cmd.CombinedOutput()
	return path, string(text), err
}
