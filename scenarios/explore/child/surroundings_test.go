package child_test

import (
	"os"
	"path/filepath"
	"testing"
)

// machines are surroundings in which a run must not differ from one in plain surroundings. Package sim/process/machine lists what
// a run could see of its machine, and why it does not.
func machines(t *testing.T) map[string][]string {
	folder := t.TempDir()
	readOnly := filepath.Join(folder, "read-only")
	if err := os.Mkdir(readOnly, 0o555); err != nil {
		t.Fatal(err)
	}
	missing := filepath.Join(folder, "missing")
	return map[string][]string{
		"Kathmandu": {
			"TZ=Asia/Kathmandu", "ZONEINFO=" + readOnly, "TMPDIR=" + missing, "HOME=" + missing, "KUBECONFIG=" + missing,
			"LANG=tr_TR.UTF-8", "LC_ALL=tr_TR.UTF-8", "GOMAXPROCS=1",
			"KUBE_CACHE_MUTATION_DETECTOR=true", "KUBE_FEATURE_WatchListClient=false",
		},
		"St. John's": {
			"TZ=America/St_Johns", "ZONEINFO=" + missing, "TMPDIR=" + readOnly, "HOME=/", "USER=nobody",
			"LANG=ar_EG.UTF-8", "LC_ALL=ar_EG.UTF-8", "GOMAXPROCS=2", "GOGC=20",
			"GODEBUG=x509sha256skid=0,asynctimerchan=1",
		},
	}
}

// TestSurroundings runs scenarios in processes whose time zone, zone data, temporary folder, home, working directory,
// locale and number of processors differ: the hash is the same. make hashes does so with all scenarios.
func TestSurroundings(t *testing.T) {
	sample := []string{
		"reconcile-loop",          // an Event and an annotation with a date in them
		"forbid-starts-late",      // a schedule in the local time zone
		"resume-starts-at-once",   // the same, next to the whole hour
		"spring-runs-never",       // a schedule with a time zone of its own
		"certificates",            // keys that upstream reads from files
		"youngest-goes-first",     // times that decide
		"controller-manager-tour", // many controllers
	}
	plain := map[string]string{}
	for _, name := range sample {
		plain[name] = hashIn(t, name, "TZ=UTC", "GOMAXPROCS=1")
	}
	for machine, environment := range machines(t) {
		t.Run(machine, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for _, name := range sample {
				if hash := hashIn(t, name, environment...); hash != plain[name] {
					t.Errorf("%s: the hash is %s, in plain surroundings %s", name, hash, plain[name])
				}
			}
		})
	}
}

// hashIn is the trace hash of a run in a process with these variables in its environment. The run must pass.
func hashIn(t *testing.T, name string, environment ...string) string {
	t.Helper()
	r := run(name)
	r.Env = append(r.Env, environment...)
	result, err := r.Follow(t.Context(), nothing)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if result.Outcome == nil || result.Outcome.Result != "pass" || len(result.Outcome.OpenOrder) > 0 {
		t.Fatalf("%s: %+v", name, result)
	}
	return result.Hash
}
