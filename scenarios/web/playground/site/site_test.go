// Package site_test opens the page of the playground in a real browser. Its engine is kubestep itself, which answers through a server,
// so that these tests need no WebAssembly; those of package playground run the real one.
package site_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/runner/task"
	"github.com/kubestep/kubestep/scenarios/web/internal/browsertest"
	"github.com/kubestep/kubestep/scenarios/web/page"
	"github.com/kubestep/kubestep/scenarios/web/playground"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/tui/command/commandtest"
)

func TestMain(m *testing.M) {
	if os.Getenv(asEngine) != "" {
		if err := reply(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	commandtest.Main(m)
}

// built is where make web puts the page.
const built = "../../../../bin/web"

// TestModules runs the tests of the modules that need no browser.
func TestModules(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	if out, err := exec.Command(node, "--test", "test/").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// site is the page in a browser.
type site struct {
	*browsertest.Tab
	address string
}

// need skips a test without a file of the page.
func need(t *testing.T, file string) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(built, file)); err != nil {
		t.Skip("the page is not built: make web")
	}
}

// shippedLibrary answers with what comes with kubestep.
func shippedLibrary(t *testing.T) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		all, err := playground.ReadLibrary()
		if err != nil {
			t.Error(err)
		}
		_ = json.NewEncoder(w).Encode(all)
	}
}

// serve serves the page with the engine of this test.
func serve(t *testing.T, width, height int) *site {
	t.Helper()
	need(t, "playground.js")
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServer(http.Dir(built)))
	mux.Handle("/engine", handler{t})
	mux.HandleFunc("/library.json", shippedLibrary(t))
	mux.HandleFunc("/worker.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = w.Write(worker)
	})
	mux.Handle("/missing/", http.StripPrefix("/missing", http.FileServer(http.Dir(built))))
	mux.HandleFunc("/missing/worker.js", http.NotFound)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return &site{browsertest.Open(t, width, height), server.URL + "/"}
}

// visit opens the page with a fragment, and waits for the engine.
func (s *site) visit(fragment string) {
	s.Helper()
	s.Do(chromedp.Navigate("about:blank"), chromedp.Navigate(s.address+fragment))
	s.WillSay("#pick", "▾")
}

// write replaces the text of the editor, as by pasting it.
func (s *site) write(text string) {
	s.Helper()
	content := `document.querySelector("#editor").shadowRoot.querySelector(".cm-content")`
	s.Do(chromedp.Evaluate(content+`.focus()`, nil), chromedp.KeyEvent("a", chromedp.KeyModifiers(input.ModifierCtrl)))
	s.Do(chromedp.Evaluate(`(() => {
		const data = new DataTransfer();
		data.setData("text/plain", `+quoted(text)+`);
		`+content+`.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
	})()`, nil))
}

// enter presses Enter. A keyboard sends no character after a key that the page has taken; chromedp's KeyEvent does.
func enter(modifiers input.Modifier) chromedp.Action {
	text := "\r"
	if modifiers != 0 {
		text = ""
	}
	key := func(kind input.KeyType) *input.DispatchKeyEventParams {
		return input.DispatchKeyEvent(kind).WithKey("Enter").WithCode("Enter").WithWindowsVirtualKeyCode(13).WithModifiers(modifiers)
	}
	return chromedp.Tasks{key(input.KeyDown).WithText(text), key(input.KeyUp)}
}

// editor is an expression about the editor.
func (s *site) editor(expression string) string {
	s.Helper()
	return s.Ask(`((root) => ` + expression + `)(document.querySelector("#editor").shadowRoot)`)
}

// slide moves a slider, as a hand does.
func (s *site) slide(label, value string) {
	s.Helper()
	s.Do(chromedp.Evaluate(`(() => {
		const slider = document.querySelector('input[type=range][aria-label="`+label+`"]');
		slider.value = "`+value+`";
		for (const name of ["input", "change"]) slider.dispatchEvent(new Event(name, { bubbles: true }));
	})()`, nil))
}

// hash is the whole trace hash of the run that is shown.
func (s *site) hash() string {
	return s.Ask(`(document.querySelector(".hash") || { dataset: {} }).dataset.hash`)
}

// native is the trace hash of the same run without a browser.
func native(t *testing.T, file string) string {
	t.Helper()
	rec, err := child.Run{File: file}.Record(t.Context(), recording.Origin{Name: file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return rec.Hash
}

// TestALesson takes the way of somebody new: a scenario by search, a run by keys, and its hash.
func TestALesson(t *testing.T) {
	s := serve(t, 1366, 768)
	s.visit("")
	s.WillSay(".status", "Ready")
	s.Says(".welcome", "The real kube-controller-manager")
	s.Do(chromedp.Click("#pick"), chromedp.WaitVisible("dialog.picker"), chromedp.KeyEvent("from a deployment"))
	s.WillSay(".scenarios", "Found")
	s.Do(enter(0))
	s.WillSay("#pick", "create")
	s.WillSay(".problems", "The scenario is valid")

	s.Do(enter(input.ModifierCtrl))
	s.WillSay("#film", "From a Deployment to running Pods")
	s.Says("#film", "pass: all checks hold")
	if got, want := s.hash(), native(t, "create"); got != want {
		t.Errorf("the trace hash is %s, natively %s", got, want)
	}
	s.Do(chromedp.Click(".origin summary", chromedp.ByQuery))
	s.WillSay("#film header", "kubestep run create")

	// The keys of the player are those of the exported page, and the link follows.
	s.Do(chromedp.Evaluate("document.activeElement.blur()", nil), chromedp.KeyEvent("8"), chromedp.KeyEvent(kb.ArrowRight))
	s.Says("[role=tabpanel]", "deployment-controller has not synced web yet")
	s.WillHave("location.hash", "view=decisions")
}

// TestErrorsAreAtTheirLines edits a scenario until it is wrong, and sees where.
func TestErrorsAreAtTheirLines(t *testing.T) {
	s := serve(t, 1366, 768)
	s.visit("")
	s.WillSay(".problems", "valid")
	s.write("apiVersion: kubestep.dev/v1alpha1\nkind: Scenario\nmetadata: {name: a}\nspec:\n  title: a\n  horizon: 5s\n  clustr: {}\n  steps:\n  - note: hello\n")
	s.WillSay(".problems", "line 7")
	s.Says(".problems", "clustr")
	s.Says(".problems", "Try: ")
	if got := s.editor(`getComputedStyle(root.querySelector(".cm-lint-marker-error"), "::before").content`); got != `"✗"` {
		t.Errorf("the line is marked with %s", got)
	}
	if got := s.editor(`root.querySelector(".cm-lintRange-error").innerText`); got != "clustr" {
		t.Errorf("the editor marks %q", got)
	}
	s.Do(chromedp.Click(".problems button"))
	if got := s.editor(`root.querySelector(".cm-activeLine").innerText.trim()`); got != "clustr: {}" {
		t.Errorf("the error leads to the line %q", got)
	}
	// A run is refused. The page says the error once, and not that a run failed; there is no recording.
	s.Do(chromedp.Click("#run"))
	s.WillSay(".status", "The scenario has errors: nothing ran")
	if got := s.Ask(`document.body.innerText.split("clustr").length - 1`); got != "1" {
		t.Errorf("the page says the error %s times", got)
	}
	if got := s.Ask(`document.querySelector("#message").innerText`); got != "" {
		t.Errorf("the page says beside the error %q", got)
	}
	s.Says("#film", "The real kube-controller-manager")
}

// TestTyping types in the editor: the schema completes, Tab indents, and Escape and Tab lead out.
func TestTyping(t *testing.T) {
	s := serve(t, 1366, 768)
	s.visit("")
	s.WillSay(".problems", "valid")
	s.write("apiVersion: kubestep.dev/v1alpha1\nkind: Scenario\nspec:\n  steps:\n")
	s.Do(chromedp.KeyEvent("  - set-i"))
	s.WillHave(`document.querySelector("#editor").shadowRoot.querySelector(".cm-tooltip-autocomplete")?.innerText`, "set-image")
	s.Do(chromedp.Sleep(400*time.Millisecond), enter(0))
	if got := s.editor(`root.querySelector(".cm-activeLine").innerText`); !strings.Contains(got, "- set-image: ") {
		t.Errorf("the completion gives %q", got)
	}
	s.Do(chromedp.KeyEvent("{tar"))
	s.WillHave(`document.querySelector("#editor").shadowRoot.querySelector(".cm-completionInfo")?.innerText`, "KIND/NAME")
	s.Do(chromedp.KeyEvent(kb.Escape), chromedp.KeyEvent(kb.Escape), chromedp.KeyEvent(kb.Tab))
	if got := s.Ask("document.activeElement.id"); got == "editor" {
		t.Error("Escape and Tab do not leave the editor")
	}
}

// TestBranches moves a slider: the scenario with the other number is a second run, and the two stand side by side.
func TestBranches(t *testing.T) {
	s := serve(t, 1366, 768)
	s.visit("")
	s.WillSay(".status", "Ready")
	s.Do(chromedp.Click("#run"))
	s.WillSay(".runs", "rolling-update")
	s.Says(".runs .shown", "13")
	first := s.hash()
	s.slide("max surge", "0")
	s.WillSay(".runs", "maxSurge 0")
	s.Says(".runs .shown", "10")
	s.Says(".number", "was 25%")
	if s.hash() == first {
		t.Error("the branch has the hash of its parent")
	}
	s.Do(chromedp.Click(".runs tr:not(.shown) td button"))
	s.WillSay(".pair", "maxSurge 0")
	s.Says(".pair > :nth-child(2)", "rolling-update")
	s.Do(chromedp.Click(`//summary[contains(., "diverge")]`))
	s.WillSay("#film header", "Show the first difference")
	s.Do(chromedp.Click(`//button[contains(., "Show the first difference")]`))
	s.Says(".now", "create deployments/web")
	s.WillHave("location.hash", "max-surge=0")

	// What was run before is not run again.
	s.Do(chromedp.Click("#numbers h2 button"))
	if got := s.Ask(`document.querySelectorAll(".runs tbody tr").length`); got != "2" || s.hash() != first {
		t.Errorf("after the way back there are %s runs, and the hash is %s", got, s.hash())
	}
}

// TestTouch points at a program of the stage, chooses what is to be done to it, and sees both runs side by side.
func TestTouch(t *testing.T) {
	s := serve(t, 1366, 768)
	s.visit("")
	s.WillSay(".status", "Ready")
	s.Do(chromedp.Click("#run"))
	s.WillSay(".runs", "rolling-update")
	s.Ask(`document.querySelector("#film .tabs button").click()`)
	for range 40 {
		s.Ask(`document.querySelector('[title^="one beat on"]').click()`)
	}
	s.Ask(`document.querySelector('#film [data-thing="player1"]').click()`)
	s.WillSay(".details", "controller crash kube-controller-manager")
	s.Ask(`[...document.querySelectorAll(".details .offer")].find((e) => e.textContent.includes("controller crash")).click()`)
	s.WillSay(".runs .shown", "controller crash kube-controller-manager")
	s.WillSay(".pair", "rolling-update")
}

// TestWithoutSurge runs a scenario whose workload has other numbers than a Deployment.
func TestWithoutSurge(t *testing.T) {
	s := serve(t, 1366, 768)
	s.visit("#name=stale-cache&t=12")
	s.WillSay(".runs", "stale-cache")
	enabled := `[...document.querySelectorAll(".number input[type=text]")].filter((e) => !e.disabled).map((e) => e.id)`
	if got := s.Ask(enabled); got != "ready,replicas,seed" {
		t.Errorf("a ReplicaSet has the numbers %s", got)
	}
}

// TestLinks opens the link of a changed scenario in a new page: text, numbers, place and hash are the same.
func TestLinks(t *testing.T) {
	s := serve(t, 1366, 768)
	s.visit("")
	s.WillSay(".status", "Ready")
	s.write(mine)
	s.WillSay("#pick", "a scenario of yours")
	s.Do(chromedp.SetValue("#seed", "7"), chromedp.Click("#run"))
	s.WillSay("#film", "Mine <b>and</b> mine")
	s.Do(chromedp.Click(`[title^="next decision"]`))
	s.Do(chromedp.Evaluate("document.activeElement.blur()", nil), chromedp.KeyEvent("5"))
	s.WillHave("location.hash", "view=trace")
	hash, link, clock := s.hash(), s.Ask("location.hash"), s.Ask(`document.querySelector(".time").innerText`)

	s.visit(link)
	s.WillSay("#film", "Mine <b>and</b> mine")
	if got := s.hash(); got != hash {
		t.Errorf("the link gives the trace hash %s, not %s", got, hash)
	}
	if got := s.Ask(`document.querySelector(".time").innerText`); got != clock {
		t.Errorf("the link leads to %q, not %q", got, clock)
	}
	if got := s.Ask(`document.querySelector("#seed").value + document.querySelectorAll("#film b b, #film img").length`); got != "70" {
		t.Errorf("seed and elements from texts: %s", got)
	}
	s.Says("[role=tab][aria-selected=true]", "Trace")

	s.visit("#name=rolling-update&max-surge=0&max-unavailable=1&t=5.2&view=decisions")
	s.WillSay("#film", "maxSurge 0, maxUnavailable 1")
	s.Says(".time", "5.")
}

const mine = `apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: mine}
spec:
  title: "Mine <b>and</b> mine"
  about: "<img src=x onerror=\"document.title='owned'\">"
  horizon: 20s
  steps:
  - create: |
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: notes}
  - note: "<img src=x onerror=\"document.title='owned'\"> \u202e"
`

// TestPractice solves a task in the page: its goal, a hint, a step that the page writes, the checks, and the report.
func TestPractice(t *testing.T) {
	s := serve(t, 1366, 768)
	s.visit("#name=roll-back")
	s.WillSay(".status", "Ready")
	s.WillSay(".task", "Back to the version that worked")
	s.Says(".task", "Go back to version 1")
	s.Do(chromedp.Click(".task .tools button"))
	s.Says(".task .hints", "kubectl rollout history")
	s.Says(".task .tools button", "Next hint (1 of 3)")
	s.Do(chromedp.Click("#run"))
	s.WillSay(".task .checks", "1 of 3 checks pass")
	s.Says(".task .checks", "✗ all-on-version-1")
	s.Says("#film", "not solved yet")

	// A step from the list, which the learner changes.
	s.Do(chromedp.Evaluate(`((list) => {
		list.value = "rollout";
		list.dispatchEvent(new Event("change"));
	})(document.querySelector(".task select"))`, nil))
	if got := s.editor(`root.querySelector(".cm-content").innerText`); !strings.Contains(got, "- rollout: {pause: deployment/web}") {
		t.Errorf("the editor has %q", got)
	}
	s.write("task: roll-back\nsteps:\n- rollout: {undo: deployment/wep}\n- wait: {for: quiet 10s, timout: 3s}\n")
	s.WillSay(".problems", "line 4")
	s.write("task: roll-back\nsteps:\n- rollout: {undo: deployment/web}\n- wait: {for: quiet 10s}\n")
	s.WillSay(".problems", "valid")
	s.Do(chromedp.Click("#run"))
	s.WillSay(".task .checks", "Solved")
	s.Says("#film", "solved: all checks hold")
	s.WillHave("location.hash", "s=")

	// The link has the steps, and the task begins again.
	link := s.Ask("location.hash")
	s.visit(link)
	s.WillSay(".task .checks", "Solved")
	s.Do(chromedp.Click(".task .tools button:last-child"))
	s.WillHave(`document.querySelector("#editor").shadowRoot.querySelector(".cm-content").innerText`, "# Back to the version that worked")

	s.visit("#name=create")
	s.WillSay("#pick", "create")
	if got := s.Ask(`document.querySelector(".task").hidden`); got != "true" {
		t.Error("a scenario is shown as a task")
	}
}

// TestARecordingUntilTheEngineIsThere opens a lesson in a site: its film plays while the engine loads.
func TestARecordingUntilTheEngineIsThere(t *testing.T) {
	need(t, "playground.js")
	var film bytes.Buffer
	rec, err := child.Run{File: "create"}.Record(t.Context(), recording.Origin{Name: "create"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	lesson, err := page.New(rec)
	if err == nil {
		err = lesson.Write(&film)
	}
	if err != nil {
		t.Fatal(err)
	}
	slow := make(chan struct{})
	mux := http.NewServeMux()
	mux.Handle("/play/", http.StripPrefix("/play/", http.FileServer(http.Dir(built))))
	mux.HandleFunc("/play/site.json", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"links": [{"title": "Course", "href": "../lessons/index.html"}], "films": "../lessons/"}`))
	})
	mux.HandleFunc("/lessons/create.html", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(film.Bytes()) })
	mux.HandleFunc("/play/library.json", shippedLibrary(t))
	mux.HandleFunc("/play/worker.js", func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-slow:
		case <-r.Context().Done():
		}
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(slow) })
	s := &site{browsertest.Open(t, 1366, 768), server.URL + "/play/"}
	s.visit("#name=create&t=2")
	s.WillSay("#film", "This is a recording")
	s.Says("#film", "API SERVER AND STORE")
	s.Says(".around", "Course")
}

// TestBadLinks opens links that are cut off, hostile, or too large: each says so, and the page works.
func TestBadLinks(t *testing.T) {
	s := serve(t, 1366, 768)
	for fragment, words := range map[string]string{
		"#s=7VpLc9s2EL7nV2":                     "incomplete",
		"#s=<script>document.title=1</script>":  "other characters",
		"#name=<img src=x onerror=alert(1)>":    `no scenario "<img`,
		"#name=create&seed=<b>&t=1":             "seed",
		"#name=create&max-surge=" + "9e99":      "max-surge",
		"#seed=3":                               "names no scenario",
		"#s=" + strings.Repeat("A", 10_000_000): "too long",
	} {
		s.visit("")
		s.Do(chromedp.Evaluate("location.hash = "+quoted(fragment), nil))
		s.WillSay("#message", words)
	}
	s.Do(chromedp.Click("#run"))
	s.WillSay("#film", "A rolling update of ten replicas")
	if got := s.Ask(`document.title + document.querySelectorAll("img").length`); got != "kubestep playground0" {
		t.Errorf("the page has become %q", got)
	}
}

// accident is a scenario whose run has an accident.
func accident(name string) string { return "# accident-" + name + "\n" + mine }

// TestAccidents are runs that never end, take too much memory, or are ended: each says what to try, and the next run works.
func TestAccidents(t *testing.T) {
	s := serve(t, 1366, 768)
	s.visit("")
	s.WillSay(".status", "Ready")
	s.write(accident("never-ends"))
	s.Do(chromedp.Click("#run"))
	s.WillSay(".status", "1,234 records")
	s.Do(chromedp.Click("#stop"))
	s.WillSay("#message", "You stopped the run")
	s.Says("#message", "after 1,234 records")

	s.write(accident("out-of-memory"))
	s.Do(chromedp.Click("#run"))
	s.WillSay("#message", "ran out of memory")
	s.Says("#message", "fewer replicas")

	s.write(accident("error"))
	s.Do(chromedp.Click("#run"))
	s.WillSay("#message", "2,000,000 records")
	s.Says("#message", "Try: a shorter horizon")
	s.Says("#message summary", "More about it")

	s.write(mine)
	s.Do(chromedp.Click("#run"))
	s.WillSay("#film", "Mine <b>and</b> mine")
	if got := s.Ask(`document.querySelector("#message").innerText`); got != "" {
		t.Errorf("after a run that works, the page still says %q", got)
	}
}

// current reports whether the engine in bin/web has a scenario as it is now.
func current(t *testing.T, name string) bool {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(built, "library.json"))
	var theirs playground.Library
	if err != nil || json.Unmarshal(data, &theirs) != nil {
		return false
	}
	scenario, err := library.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(theirs.Scenarios, func(s playground.Shipped) bool { return s.Text == string(scenario.Source()) })
}

// TestTheRealEngine runs WebAssembly in the page: a lesson has the hash that it has everywhere, a slider makes a branch, and after Stop
// the engine that is compiled already runs again.
func TestTheRealEngine(t *testing.T) {
	need(t, "worker.js")
	if !current(t, "create") {
		t.Skip("the engine in bin/web is of other sources: make web")
	}
	server := httptest.NewServer(http.FileServer(http.Dir(built)))
	t.Cleanup(server.Close)
	s := &site{browsertest.Open(t, 1366, 768), server.URL + "/"}
	s.visit("#name=create&t=2")
	s.WillSay("#film", "pass: all checks hold")
	if got, want := s.hash(), native(t, "create"); got != want {
		t.Errorf("the trace hash is %s, natively %s", got, want)
	}
	s.slide("replicas", "5")
	s.WillSay(".runs .shown", "replicas 5")
	s.Do(chromedp.Click(".runs tr:not(.shown) td button"))
	s.WillSay(".pair", "replicas 5")
	s.Do(chromedp.Click(`//summary[contains(., "diverge")]`))
	s.WillSay("#film pre", "replicas")

	s.slide("replicas", "6")
	s.WillSay(".status", "of virtual time")
	s.Do(chromedp.Click("#stop"))
	s.WillSay("#message", "You stopped the run")
	s.slide("replicas", "7")
	s.WillSay(".runs .shown", "replicas 7")

	s.visit("#name=roll-back&t=40")
	s.WillSay(".task .checks", "1 of 3 checks pass")
	const steps = "task: roll-back\nsteps:\n- rollout: {undo: deployment/web}\n"
	s.write(steps)
	s.WillSay(".problems", "valid")
	s.Do(chromedp.Click("#run"))
	s.WillSay(".task .checks", "Solved")
	session, err := task.Parse(steps)
	if err != nil {
		t.Fatal(err)
	}
	outcome, err := runner.Run(session.Scenario, runner.RunOptions{})
	if err != nil || s.hash() != outcome.TraceHash {
		t.Errorf("the trace hash of the task is %s, natively %s: %v", s.hash(), outcome.TraceHash, err)
	}
}

// TestIncompleteSite opens a page whose engine is missing.
func TestIncompleteSite(t *testing.T) {
	s := serve(t, 800, 600)
	s.Do(chromedp.Navigate(s.address + "missing/"))
	s.WillSay("#message", "The engine could not be loaded")
	s.Says("#message", "worker.js or kubestep.wasm is missing")
}

// TestWithoutWebAssembly opens the page where WebAssembly is switched off.
func TestWithoutWebAssembly(t *testing.T) {
	s := serve(t, 800, 600)
	s.Do(chromedp.Navigate("about:blank"), beforeLoad("delete globalThis.WebAssembly"), chromedp.Navigate(s.address))
	s.WillSay("#message", "has no WebAssembly")
	s.Says("#message", "Try: Use Chrome")
	if got := s.Ask(`document.querySelector("#run").disabled`); got != "true" {
		t.Error("one can run nothing, and the button Run is there")
	}
}

// TestPhone uses the page on a small screen: nothing is wider than it, and each part is behind its button.
func TestPhone(t *testing.T) {
	s := serve(t, 390, 844)
	s.visit("")
	s.WillSay(".status", "Ready")
	narrow := func(part string) {
		t.Helper()
		if got := s.Ask("document.documentElement.scrollWidth - innerWidth"); got != "0" {
			t.Errorf("%s is %s pixels wider than the screen", part, got)
		}
	}
	narrow("the scenario")
	s.Do(chromedp.Click("#run"), chromedp.WaitVisible("#film .tabs"))
	narrow("the player")
	s.Do(chromedp.Click("[data-go=numbers]"), chromedp.WaitVisible(".runs"))
	narrow("the numbers")
	s.slide("max unavailable", "0")
	s.WillSay("#film", "maxUnavailable 0")
}
