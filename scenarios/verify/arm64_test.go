package verify_test

import (
	"encoding/json"
	"flag"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/kubestep/kubestep/scenarios/library"
)

// onARM64 is given by make arm64, which builds the program.
var onARM64 = flag.String("arm64", "", "run the shipped scenarios with this `PROGRAM` for linux/arm64, in qemu-aarch64")

// TestTheHashesOnARM64 runs every shipped scenario on another architecture: each trace hash is the one that is recorded for all
// machines. Qemu emulates the processor only, so this takes ten times as long as on a machine that has one.
func TestTheHashesOnARM64(t *testing.T) {
	if *onARM64 == "" {
		t.Skip("make arm64 runs this: it compiles Kubernetes for another architecture")
	}
	qemu, err := exec.LookPath("qemu-aarch64")
	if err != nil {
		if qemu, err = exec.LookPath("qemu-aarch64-static"); err != nil {
			t.Skip("there is no qemu-aarch64 (Debian: apt-get install qemu-user)")
		}
	}
	program, err := filepath.Abs(*onARM64)
	if err != nil {
		t.Fatal(err)
	}
	hashes := library.Hashes()
	for _, name := range slices.Sorted(maps.Keys(hashes)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(qemu, program, "run", name, "-o", "json")
			// A file in the folder of this test must not be taken for a scenario.
			cmd.Dir = t.TempDir()
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
