package web

import (
	"encoding/json"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/web/internal/browsertest"
	"github.com/kubestep/kubestep/scenarios/web/playground"
)

// measured is the script of the test: it starts the worker and runs a lesson, twice, since the first run compiles.
const measured = `
globalThis.done = "";
const started = performance.now();
const since = () => Math.round(performance.now() - started);
const times = { hashes: [] };
const worker = new Worker("worker.js", { type: "module" });
worker.onerror = (e) => (globalThis.done = "error: " + e.message);
worker.onmessage = ({ data }) => {
  if (data.type === "ready") times.ready = since();
  if (data.type === "ready") worker.postMessage({ type: "run", id: 1, name: "create" });
  if (data.type === "error") globalThis.done = "error: " + data.message;
  if (data.type !== "result") return;
  times.hashes.push(data.hash);
  times.memory = data.memory;
  if (data.id === 1) {
    times.first = since();
    worker.postMessage({ type: "run", id: 2, name: "create" });
    return;
  }
  times.second = since();
  globalThis.done = JSON.stringify(times);
};
worker.postMessage({ type: "load", base: "./" });
`

// TestInABrowser runs a lesson in a real browser, which gets the engine compressed: the trace hash is that of every machine. It
// logs the times and the memory.
func TestInABrowser(t *testing.T) {
	s, err := Open("../../../bin/web", "--dir")
	if err != nil {
		t.Skip("the playground is not built: make web")
	}
	t.Cleanup(func() { s.root.Close() })
	var engine playground.Engine
	about, err := s.root.ReadFile("engine.json")
	if err == nil {
		err = json.Unmarshal(about, &engine)
	}
	if err != nil {
		t.Fatal(err)
	}
	if commit, _ := exec.Command("git", "rev-parse", "--short=12", "HEAD").Output(); engine.Commit != strings.TrimSpace(string(commit)) {
		t.Skipf("the playground is of commit %s: make web", engine.Commit)
	}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	tab := browsertest.Open(t, 800, 600)
	// The page itself would start a worker, too.
	tab.Do(chromedp.Navigate(server.URL + "/icon.svg"))
	tab.Do(chromedp.Evaluate(measured+"0", nil))
	tab.WillHave("globalThis.done", "r")
	done := tab.Ask("globalThis.done")
	var times struct {
		Ready, First, Second, Memory int
		Hashes                       []string
	}
	if err := json.Unmarshal([]byte(done), &times); err != nil {
		t.Fatal(done)
	}
	want := library.Hashes()["create"].Trace
	for _, hash := range times.Hashes {
		if hash != want {
			t.Errorf("the trace hash is %s, not %s", hash, want)
		}
	}
	t.Logf("loaded in %d ms; create in %d ms, and again in %d ms; the simulation takes %d MB, the process of the tab %d MB",
		times.Ready, times.First-times.Ready, times.Second-times.First, times.Memory/1e6, renderer(chromedp.FromContext(tab.Context).Browser.Process().Pid)/1e6)
}

// renderer is the memory of the largest process of a browser that shows pages, in bytes; 0 if the system does not tell.
func renderer(browser int) (largest int) {
	parents, sizes := map[int]int{}, map[int]int{}
	processes, _ := os.ReadDir("/proc")
	for _, p := range processes {
		pid, err := strconv.Atoi(p.Name())
		if err != nil {
			continue
		}
		command, _ := os.ReadFile("/proc/" + p.Name() + "/cmdline")
		status, _ := os.ReadFile("/proc/" + p.Name() + "/status")
		for line := range strings.Lines(string(status)) {
			name, value, _ := strings.Cut(line, ":")
			number, _ := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(value), " kB"))
			switch {
			case name == "PPid":
				parents[pid] = number
			case name == "RssAnon" && strings.Contains(string(command), "--type=renderer"):
				sizes[pid] = number * 1024
			}
		}
	}
	for pid, size := range sizes {
		for above := pid; above > 1; above = parents[above] {
			if above == browser {
				largest = max(largest, size)
			}
		}
	}
	return largest
}
