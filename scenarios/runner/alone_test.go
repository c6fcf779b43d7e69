package runner

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/kubestep/kubestep/scenarios/library"
)

// played is what a run of a shipped scenario gave.
type played struct {
	Hash string
	// OpenInStock names the controllers whose order is open in the stock build.
	OpenInStock []string
}

// aloneFile and aloneDir name the scenario that TestAlone plays, and where it writes what it gave.
const aloneFile, aloneDir = "KUBESTEP_ALONE_FILE", "KUBESTEP_ALONE_DIR"

// playAlone is playText in a process of its own, which is what the exact build makes its promise for.
func playAlone(t *testing.T, file string) (text string, lines []byte, result played) {
	t.Helper()
	dir := t.TempDir()
	child := exec.Command(os.Args[0], "-test.run=^TestAlone$")
	child.Env = append(os.Environ(), aloneFile+"="+file, aloneDir+"="+dir)
	if out, err := child.CombinedOutput(); err != nil {
		t.Fatalf("%s alone: %v\n%s", file, err, out)
	}
	var parts [3][]byte
	for i, name := range []string{"text", "lines", "played"} {
		part, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		parts[i] = part
	}
	if err := json.Unmarshal(parts[2], &result); err != nil {
		t.Fatal(err)
	}
	return string(parts[0]), parts[1], result
}

// TestAlone is the process that playAlone starts.
func TestAlone(t *testing.T) {
	file, dir := os.Getenv(aloneFile), os.Getenv(aloneDir)
	if file == "" {
		t.Skip("it plays what another test tells it to")
	}
	scenario, err := library.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	text, lines, result := playText(t, scenario)
	encoded, err := json.Marshal(result)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"text": []byte(text), "lines": lines, "played": encoded} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
