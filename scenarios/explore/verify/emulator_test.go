package verify_test

import (
	"encoding/json"
	"flag"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/kubestep/kubestep/scenarios/library"
)

// These are given by make arm64 and make windows, which build the program.
var (
	emulator = flag.String("emulator", "", "run the shipped scenarios in this `EMULATOR`: qemu-aarch64 or wine")
	program  = flag.String("program", "", "the `PROGRAM` that the emulator runs: kubestep for another platform")
)

// TestTheHashesInAnEmulator runs every shipped scenario on another architecture or operating system: each trace hash is the one that
// is recorded for all machines. Qemu emulates a processor and takes ten times as long as one. Wine has the functions of Windows only,
// and takes as long as Windows would.
func TestTheHashesInAnEmulator(t *testing.T) {
	if *program == "" {
		t.Skip("make arm64 and make windows run this: they compile Kubernetes for another platform")
	}
	path, err := filepath.Abs(*program)
	if err != nil {
		t.Fatal(err)
	}
	hashes := library.Hashes()
	for _, name := range slices.Sorted(maps.Keys(hashes)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(*emulator, path, "run", name, "-o", "json")
			// A file in the folder of this test must not be taken for a scenario.
			cmd.Dir = t.TempDir()
			// Wine says on standard error what it has not implemented.
			cmd.Env = append(os.Environ(), "WINEDEBUG=-all")
			out, err := cmd.Output()
			var verdict struct{ TraceHash string }
			if json.Unmarshal(out, &verdict) != nil {
				t.Fatalf("%v: %s", err, out)
			}
			if verdict.TraceHash != hashes[name].Trace {
				t.Errorf("hash %s, want %s", verdict.TraceHash, hashes[name].Trace)
			}
			used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
			t.Logf("%.1f s of a processor", used.Seconds())
		})
	}
}
