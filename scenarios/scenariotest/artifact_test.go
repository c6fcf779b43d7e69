package scenariotest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/kubestep/kubestep/sim/trace/file/tracefile"
)

// TestArtifacts runs a test of this package as go test -artifacts does, and reads the trace that it keeps.
func TestArtifacts(t *testing.T) {
	dir := t.TempDir()
	out, err := exec.Command(os.Args[0], "-test.run=^TestAControllerOfOnesOwn$", "-test.v", "-test.artifacts", "-test.outputdir="+dir).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	open := regexp.MustCompile(`kubestep open (\S+)`).FindSubmatch(out)
	if open == nil {
		t.Fatalf("the test does not say where its trace is:\n%s", out)
	}
	if path := string(open[1]); filepath.Ext(path) != ".kst" || !tracefile.Is(path) {
		t.Errorf("%s is no archive of a trace", path)
	}
	file, err := os.Open(string(open[1]))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	from, err := tracefile.New(file)
	if err != nil {
		t.Fatal(err)
	}
	records := 0
	for piece := range from.Pieces(nil) {
		if piece.Err != nil {
			t.Fatal(piece.Err)
		}
		records += len(piece.Records)
	}
	if index := from.Index(); records == 0 || int64(records) != index.Records || index.Result != "pass" {
		t.Errorf("%d records, index %+v", records, index)
	}
}
