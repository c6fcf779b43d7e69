package playground_test

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/web/playground"
)

var every = flag.Bool("every", false, "run every scenario that comes with kubestep in WebAssembly, not only the lessons")

// site is the folder that make web builds, unless it is absent or of another commit.
func site(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../../../bin/web")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "engine.json"))
	if err != nil {
		t.Skip("the playground is not built: make web-test builds it and runs this test")
	}
	var engine playground.Engine
	if err := json.Unmarshal(text, &engine); err != nil {
		t.Fatal(err)
	}
	commit, _ := exec.Command("git", "rev-parse", "--short=12", "HEAD").Output()
	if engine.Commit != strings.TrimSpace(string(commit)) {
		t.Skipf("the playground in %s is of commit %s: make web-test builds it again and runs this test", dir, engine.Commit)
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("there is no node")
	}
	return dir
}

// worker is the worker of the playground in node.
type worker struct {
	t       *testing.T
	in      *json.Encoder
	answers *bufio.Scanner
}

// answer is any message of the worker.
type answer struct {
	Type    string
	ID      int
	Name    string
	Hash    string
	Verdict string
	Message string
	Try     string
	Errors  []playground.Problem
	Equal   bool
	Text    string
	Size    int
	Memory  int
	// Ms is the real time and CPU the processor time, in milliseconds; RSS is the memory of the whole process.
	Ms, CPU int
	RSS     int
}

// start starts the worker and waits until it has loaded the engine.
func start(t *testing.T) *worker {
	t.Helper()
	command := exec.CommandContext(context.WithoutCancel(t.Context()), "node", "testdata/node.mjs", site(t))
	command.Stderr = os.Stderr
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_, _ = in.Write([]byte("end\n"))
		if err := command.Wait(); err != nil {
			t.Errorf("node: %v", err)
		}
	})
	answers := bufio.NewScanner(out)
	answers.Buffer(nil, 64<<20)
	w := &worker{t, json.NewEncoder(in), answers}
	if ready := w.next(); ready.Type != "ready" {
		t.Fatalf("the engine is not loaded: %+v", ready)
	}
	return w
}

// next is the next answer that is not about progress.
func (w *worker) next() answer {
	w.t.Helper()
	for w.answers.Scan() {
		var a answer
		if err := json.Unmarshal(w.answers.Bytes(), &a); err != nil {
			w.t.Fatalf("%q: %v", w.answers.Text(), err)
		}
		if a.Type != "loading" && a.Type != "progress" {
			return a
		}
	}
	w.t.Fatalf("the worker has ended: %v", w.answers.Err())
	return answer{}
}

// ask sends a request and waits for the answer.
func (w *worker) ask(request map[string]any) answer {
	w.t.Helper()
	if err := w.in.Encode(request); err != nil {
		w.t.Fatal(err)
	}
	return w.next()
}

// TestTheHashesInWebAssembly runs the lessons in WebAssembly: each trace hash is the one that is recorded for all machines. Upstream's
// kubelet needs Linux, and so the playground has no lessons with it.
func TestTheHashesInWebAssembly(t *testing.T) {
	w := start(t)
	files, err := library.Files()
	if err != nil {
		t.Fatal(err)
	}
	hashes := library.Hashes()
	for i, file := range files {
		if !*every && !strings.HasPrefix(file, "lessons/") {
			continue
		}
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		a := w.ask(map[string]any{"type": "run", "id": i, "name": name})
		if library.NeedsKubelet(file) {
			if a.Type == "result" {
				t.Errorf("%s runs with a kubelet that a browser cannot have", name)
			}
			continue
		}
		if a.Type != "result" || a.Hash != hashes[name].Trace {
			t.Errorf("%s: %s %s %s, want %s", name, a.Type, a.Hash, a.Message, hashes[name].Trace)
		}
		t.Logf("%-34s %5.1f s, %5.1f s of a processor, %4d MB", name, float64(a.Ms)/1000, float64(a.CPU)/1000, a.Memory/1e6)
	}
}

// TestTheWorkerAnswers each kind of request that needs the simulation, and refuses bad ones in words.
func TestTheWorkerAnswers(t *testing.T) {
	w := start(t)
	if a := w.ask(map[string]any{"type": "library", "id": 1}); a.Type != "library" || a.ID != 1 {
		t.Errorf("the library: %+v", a)
	}
	if a := w.ask(map[string]any{"type": "schema", "id": 2}); a.Type != "schema" {
		t.Errorf("the schema: %+v", a)
	}
	a := w.ask(map[string]any{"type": "validate", "id": 3, "text": "kind: Scenari\n"})
	if a.Type != "invalid" || len(a.Errors) == 0 || a.Errors[0].Line != 1 || a.Errors[0].Severity != playground.Mistake {
		t.Errorf("a wrong scenario: %+v", a)
	}
	a = w.ask(map[string]any{"type": "run", "id": 4, "text": "kind: Scenari\n"})
	if a.Type != "error" || a.Message == "" || a.Try == "" || len(a.Errors) == 0 {
		t.Errorf("a run of a wrong scenario: %+v", a)
	}
	if a := w.ask(map[string]any{"type": "dance", "id": 5}); a.Type != "error" || !strings.Contains(a.Message, "dance") {
		t.Errorf("an unknown request: %+v", a)
	}
	if a := w.ask(map[string]any{"type": "trace", "id": 6}); a.Type != "error" || a.ID != 6 || a.Try == "" {
		t.Errorf("a trace without an archive: %+v", a)
	}
}
