package healthy_test

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// TestHealthyClustersPass runs every file of testdata: each check and each invariant must hold, the run must end at rest, and no object
// may be stuck then.
func TestHealthyClustersPass(t *testing.T) {
	for _, file := range files(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			scenario, err := format.Load(file, verb.All)
			if err != nil {
				t.Fatal(err)
			}
			outcome, err := runner.Run(scenario, runner.RunOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if outcome.Error != "" {
				t.Error(outcome.Error)
			}
			for _, check := range outcome.Checks {
				if check.Result != runner.Pass {
					t.Errorf("%s: %s", check.Name, check.Message)
				}
			}
			if !outcome.Rests {
				t.Errorf("the run does not end at rest, so nothing is said of its objects; its last change was at %.1fs", outcome.SettledSeconds)
			}
			for _, unmet := range outcome.Unmet {
				if unmet.Stuck {
					t.Errorf("%s is stuck: %s", unmet.Object, unmet.Missing)
				}
			}
			for _, warning := range outcome.Warnings {
				t.Errorf("warning: %s", warning)
			}
		})
	}
}

// TestFilesSayWhatIsUnusual holds the form of the files: a comment of one line first, the name of the file in the metadata, a check of
// their own, and no invariant that is expected to break or left out.
func TestFilesSayWhatIsUnusual(t *testing.T) {
	const most = 45
	for _, file := range files(t) {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		scenario, err := format.Load(file, verb.All)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		lines := bufio.NewScanner(bytes.NewReader(source))
		lines.Scan()
		switch count := bytes.Count(source, []byte("\n")); {
		case !strings.HasPrefix(lines.Text(), "# ") || !strings.HasSuffix(lines.Text(), "."):
			t.Errorf("%s: the first line is no sentence in a comment", name)
		case scenario.Metadata.Name != name:
			t.Errorf("%s: its name is %s", name, scenario.Metadata.Name)
		case len(scenario.Spec.Checks) == 0:
			t.Errorf("%s: it has no check", name)
		case len(scenario.Spec.Invariants.Expect)+len(scenario.Spec.Invariants.Skip) > 0:
			t.Errorf("%s: a healthy cluster breaks no invariant", name)
		case count > most:
			t.Errorf("%s: %d lines, more than %d", name, count, most)
		}
	}
}

// files are those of testdata.
func files(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob("testdata/*.yaml")
	if err != nil || len(found) < 100 {
		t.Fatalf("%d scenarios of healthy clusters, %v", len(found), err)
	}
	return found
}
