package scenariotest

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/sim/toolchain/exact"
	"github.com/kubestep/kubestep/sim/trace/file/archive"
)

// keep writes the trace of a run to the artifacts of the test, if go test keeps them (-artifacts), and says how to look at
// it. Otherwise it says how to get it for a run that failed.
func keep(t testing.TB, scenario *format.Scenario, result *Result, failed bool) {
	t.Helper()
	if artifacts := flag.Lookup("test.artifacts"); artifacts == nil || artifacts.Value.String() != "true" {
		if failed {
			t.Log("Try: go test -artifacts -outputdir DIR, which keeps the trace; kubestep open shows it")
		}
		return
	}
	dir, err := filepath.Abs(t.ArtifactDir())
	if err != nil {
		t.Error(err)
		return
	}
	path := filepath.Join(dir, fmt.Sprintf("%s-%d%s", scenario.Metadata.Name, result.Outcome.Seed, archive.Suffix))
	if err := result.write(path, scenario); err != nil {
		t.Error(err)
		return
	}
	t.Logf("kubestep open %s", path)
}

// write writes the trace as an archive.
func (r *Result) write(path string, scenario *format.Scenario) (err error) {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	writer, err := archive.NewWriter(file, archive.Header{
		Kubernetes: controllers.KubernetesVersion, Build: exact.Build(), File: scenario.Path(), Scenario: string(scenario.Source()),
		Seed: &r.Outcome.Seed,
	})
	if err != nil {
		return err
	}
	for record := range r.All() {
		if err := writer.Write(record, record.Line()); err != nil {
			return err
		}
	}
	return writer.Close(archive.End{Result: r.Outcome.Result, Virtual: r.Outcome.Virtual})
}
