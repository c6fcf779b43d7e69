package page_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/kubestep/kubestep/scenarios/reading/palette"
	"github.com/kubestep/kubestep/scenarios/web/internal/browsertest"
)

// visit opens a page from a file, as a reader does.
func visit(b *browsertest.Tab, text, fragment string) {
	b.Helper()
	file := filepath.Join(b.TempDir(), "lesson.html")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	b.Do(chromedp.Navigate("file://"+file+fragment), browsertest.Becomes(`document.getElementById("app").textContent !== ""`))
}

// TestLessonInABrowser takes the lesson create as a reader does: plays it, answers its questions with a click and with keys, looks at
// the other views, and follows a link to an instant.
func TestLessonInABrowser(t *testing.T) {
	lesson := lessonOf(t, "create")
	lesson.Next, lesson.NextTitle = "rolling-update.html", "A rolling update of ten replicas"
	text := written(t, lesson)
	b := browsertest.Open(t, 1280, 900)
	visit(b, text, "")
	b.Says("header", "✓ pass")

	// Playing stops at the first question, and nothing gets past it.
	b.Do(chromedp.Click(`[title^="play or pause"]`), chromedp.WaitVisible(`[aria-label="question"]`))
	b.Says("[aria-label=question]", "Who creates the")
	b.Do(chromedp.KeyEvent(kb.End))
	b.Says("[aria-label=question]", "Who creates the")
	b.Do(chromedp.KeyEvent("8"))
	b.Says("[role=tabpanel]", "The arithmetic is part of the question")
	b.Do(chromedp.KeyEvent("7"))
	b.Says("[role=tabpanel]", "what it decides is the question")
	b.Do(chromedp.KeyEvent("2"))
	b.Says(".loop", "what it decides is part of the question")
	b.Do(chromedp.KeyEvent("7"))

	// A wrong answer by a letter, then a right one by a click.
	b.Do(chromedp.KeyEvent("a"), chromedp.WaitVisible(`[aria-label="answer"]`))
	b.Says("[aria-label=answer]", "your answer: the Deployment controller")
	b.Do(chromedp.KeyEvent(" "), chromedp.WaitVisible(`[aria-label="question"]`), chromedp.Click(`.choices button:nth-child(3)`))
	b.Do(chromedp.WaitVisible(`[aria-label="answer"]`))
	b.Says("[aria-label=answer]", "you were right")
	b.Says("[aria-label=answer]", "1 of 2 right so far")

	// The views, and the end with the score and the next lesson.
	b.Do(chromedp.KeyEvent("7"))
	b.Says(".server", "rv 22 rs/web-")
	b.Do(chromedp.KeyEvent("8"))
	b.Says(".decisions", "room for 4, only 3 missing")
	b.Do(chromedp.KeyEvent(kb.End), chromedp.WaitVisible(`[aria-label="question"]`), chromedp.KeyEvent("a"))
	b.Do(chromedp.WaitVisible(`[aria-label="answer"]`), chromedp.KeyEvent(kb.End), chromedp.KeyEvent("1"))
	b.Says("[aria-label=end]", "2 of 3 right")
	b.Says("[aria-label=end]", "A rolling update of ten replicas")
	b.Says("[role=tabpanel]", "3 of 3")
	b.Do(chromedp.KeyEvent("3"))
	b.Says(".queues", "deployment-controller")
	b.Do(chromedp.KeyEvent("4"))
	if got := b.Ask(`[...document.querySelectorAll(".objects li li li > span:first-child")].map((e) => e.textContent.slice(0, 9)).join()`); got != "pods/web-,pods/web-,pods/web-" {
		t.Errorf("below the Deployment and its ReplicaSet are %s", got)
	}
	b.Do(chromedp.KeyEvent("1"))
	if got := b.Ask(`document.querySelectorAll(".pod.a").length`); got != "3" {
		t.Errorf("at the end %s Pods are available", got)
	}
	if got := b.Ask(`document.querySelector("[aria-live]").textContent`); !strings.Contains(got, "check") {
		t.Errorf("a screen reader hears %q", got)
	}

	// The glossary, by its key and by its button, with a search.
	shows := func(open string) chromedp.Action {
		return browsertest.Becomes(`document.querySelector(".glossary").open === ` + open)
	}
	b.Do(chromedp.KeyEvent("K"), shows("true"))
	// The protocol types the letter into the field that the key has opened; a keyboard does not.
	b.Ask(`document.querySelector(".glossary input").select()`)
	b.Do(chromedp.KeyEvent(kb.Backspace))
	b.Says(".glossary", "ReplicaSet")
	b.Do(chromedp.KeyEvent("kubelet"))
	b.Says(".glossary dl", "The program on each node")
	if got := b.Ask(`document.querySelectorAll(".glossary dt").length`); got != "1" {
		t.Errorf("the search finds %s terms", got)
	}
	b.Do(chromedp.KeyEvent(kb.Escape), shows("false"), chromedp.Click(`[title^="Glossary"]`), shows("true"))
	b.Ask(`document.querySelector(".glossary button").click()`)
	b.Do(shows("false"))

	visit(b, text, "#n=143&view=components")
	b.Says(".lane.acts", "deployment-controller")
	b.Says(".wire.current", "create rs/web-")
	if got := b.Ask("location.hash"); !strings.Contains(got, "view=components") {
		t.Errorf("the link is %s", got)
	}
}

// TestStageInABrowser points at things of the stage: a Pod says what it is and what made it so, a node what kube-scheduler thinks of it,
// and a message stands between a program and an object.
func TestStageInABrowser(t *testing.T) {
	b := browsertest.Open(t, 1280, 900)
	visit(b, written(t, lessonOf(t, "rolling-update")), "#t=7.514&view=stage")
	b.Do(chromedp.KeyEvent("1"), chromedp.WaitNotPresent(".forest", chromedp.ByQuery), chromedp.KeyEvent("0"))
	b.Says(".caption .says", "deployment-controller")
	b.Says(".forest", "ReplicaSet v2")
	if got := b.Ask(`document.querySelectorAll(".travel .move path").length`); got != "1" {
		t.Errorf("%s messages are on their way", got)
	}
	if got := b.Ask(`document.querySelectorAll(".podbox.version-1.a").length`); got != "16" {
		t.Errorf("%s boxes are available Pods of v1: eight in the store, and the same eight on their nodes", got)
	}
	b.Ask(`document.querySelector(".podrow .podbox.version-2").click()`)
	b.Says(".details h2", "Pod v2 · 1")
	b.Says(".details", "web-")
	b.Says(".made", "kube-scheduler binds Pod v2 · 1")
	b.Ask(`document.querySelector(".made li:last-child button").click()`)
	b.Says(".caption .says", "creates Pod v2 · 1")

	// At the attempt of kube-scheduler, the nodes have their scores, and the table says why.
	b.Ask(`(() => { for (let i = 0; i < 200 && !document.querySelector(".attempt"); i++) document.querySelector('[title^="one beat on"]').click(); })()`)
	b.Says(".attempt .chosen", "✓ node-")
	b.Says(".opinion", "✓ chosen · score")
	b.Ask(`document.querySelector('.program[data-thing="player1"]').click()`)
	b.Says(".details h2", "deployment-controller")
}

// TestWhatIsSaidIsAboveTheControls holds that the card below a stage that is higher than the screen ends above the controls, with what is
// around it.
func TestWhatIsSaidIsAboveTheControls(t *testing.T) {
	b := browsertest.Open(t, 1280, 700)
	visit(b, written(t, lessonOf(t, "rolling-update")), "#t=7.514&view=stage")
	if got := b.Ask(`document.documentElement.scrollHeight > innerHeight`); got != "true" {
		t.Fatal("the stage fits the screen")
	}
	over := b.Ask(`(() => {
		const [sheet, controls] = [".sheet", ".controls"].map((s) => document.querySelector(s));
		const around = parseFloat(getComputedStyle(sheet).boxShadow.split("px ").at(-1));
		return Math.max(0, sheet.getBoundingClientRect().bottom + around - controls.getBoundingClientRect().top);
	})()`)
	if over != "0" {
		t.Errorf("what is around the card covers %s pixels of the controls", over)
	}
}

// TestLookInsideInABrowser looks inside a program and an object of the stage, and comes back to the same thing at the same moment.
func TestLookInsideInABrowser(t *testing.T) {
	b := browsertest.Open(t, 1280, 900)
	visit(b, written(t, lessonOf(t, "rolling-update")), "#t=7.514&view=stage")
	b.Do(chromedp.KeyEvent("0"))
	before := b.Ask("location.hash")
	inside := func(thing, words string) {
		t.Helper()
		b.Ask(`document.querySelector('[data-thing="` + thing + `"]').click()`)
		b.Ask(`[...document.querySelectorAll(".details .inside")].find((e) => e.innerText === "` + words + `").click()`)
	}
	inside("player1", "its queue")
	b.Says("[data-inside]", "▸ deployment-controller")
	b.Do(chromedp.KeyEvent(kb.Escape))
	b.Says(".details h2", "deployment-controller")
	b.Ask(`document.querySelector(".details .small").click()`)
	// Its last sync is at an earlier moment: the replicaset-controller has not acted for a second.
	inside("player2", "its last sync")
	b.Says(".loop h2", "replicaset-controller, sync")
	b.Ask(`document.querySelector(".back").click()`)
	b.Says(".details h2", "replicaset-controller")
	if after := b.Ask("location.hash"); after != before {
		t.Errorf("the reader comes back to %s, not %s", after, before)
	}
	inside("thing0", "its owners")
	b.Says("[data-inside]", "▸ deployments/web")
	// A reader who opens another view then has left the stage.
	b.Do(chromedp.KeyEvent("5"), chromedp.KeyEvent("4"), chromedp.KeyEvent(kb.Escape))
	if got := b.Ask(`location.hash.includes("view=stage")`); got != "true" {
		t.Error("the view objects does not lead back to the stage")
	}
}

// TestBranchInABrowser chooses a branch at a program, looks at its run and at that of the lesson, and goes back. A message and a node can be
// pointed at, too, and a key lists all branches.
func TestBranchInABrowser(t *testing.T) {
	b := browsertest.Open(t, 1280, 900)
	visit(b, written(t, prepared(t, "rolling-update")), "#t=7.514&view=stage")
	b.Do(chromedp.KeyEvent("0"))
	b.Ask(`document.querySelector('[data-thing="player1"]').click()`)
	b.Says(".details .offer", "crashes in the middle of the rollout")
	b.Ask(`document.querySelector(".details .offer").click()`)
	b.Says("[aria-label=branch]", "crashes in the middle of the rollout")
	b.Says("[aria-label=comparison]", "13 available")
	b.Says("[aria-label=comparison]", "A status is what a controller has seen last")
	b.Says(".caption .says", "controller crash kube-controller-manager")
	b.Says(".program:nth-of-type(2)", "crashed at 8.000s")
	b.Do(chromedp.KeyEvent(kb.End))
	b.Says(".forest", "10 wanted · 8 available")
	if got := b.Ask(`document.querySelectorAll(".store .podbox.a").length`); got != "13" {
		t.Errorf("at the end of the branch, %s Pods are available", got)
	}
	b.Ask(`document.querySelector(".branch [aria-pressed=false]").click()`)
	b.Do(chromedp.KeyEvent(kb.End))
	b.Says(".forest", "10 wanted · 10 available")
	b.Ask(`document.querySelector(".branch .leave").click()`)
	if got := b.Ask(`document.querySelectorAll(".branch, .compared").length`); got != "0" {
		t.Error("the lesson itself shows a branch")
	}
	b.Do(chromedp.KeyEvent("w"))
	if got := b.Ask(`document.querySelectorAll(".details .offer").length`); got != "3" {
		t.Errorf("%s branches are listed", got)
	}
	b.Ask(`document.querySelector('[data-thing="machine1"]').click()`)
	b.Says(".details h2", "Node node-2")
	b.Says(".details .offer", "cannot pull version 2")
	visit(b, written(t, lessonOf(t, "create")), "#n=143&view=stage")
	b.Do(chromedp.KeyEvent("0"))
	b.Ask(`document.querySelector(".travel .move").dispatchEvent(new MouseEvent("click", {bubbles: true}))`)
	b.Says(".details h2", "The message")
}

// TestPhone opens a page on a small screen: nothing is wider than it.
func TestPhone(t *testing.T) {
	b := browsertest.Open(t, 390, 800)
	text := written(t, lessonOf(t, "rolling-update"))
	for _, view := range []string{"stage", "rollout", "loop", "queues", "objects", "trace", "components", "decisions"} {
		visit(b, text, "#t=7.514&view="+view)
		if got := b.Ask("document.documentElement.scrollWidth - innerWidth"); got != "0" {
			t.Errorf("the view %s is %s pixels wider than the screen", view, got)
		}
	}
}

// seen is whether an element is on the screen as a whole, above the controls.
func seen(selector string) string {
	return `(() => {
		const box = document.querySelector('` + selector + `').getBoundingClientRect();
		return box.height > 0 && box.top >= 0 && box.bottom <= document.querySelector(".controls").getBoundingClientRect().top;
	})()`
}

// TestQuestionsOnAPhone holds that a question and the verdict on its answer are on the screen when they open, and that a screen on
// which they are already does not move.
func TestQuestionsOnAPhone(t *testing.T) {
	text := written(t, lessonOf(t, "create"))
	holds := func(b *browsertest.Tab, selectors ...string) {
		t.Helper()
		for _, selector := range selectors {
			if b.Ask(seen(selector)) != "true" {
				t.Errorf("%s is not on the screen, which is at %s", selector, b.Ask("scrollY"))
			}
		}
	}
	const question, answer = `[aria-label="question"]`, `[aria-label="answer"]`
	b := browsertest.Open(t, 390, 844)
	visit(b, text, "")
	if at := b.Ask("scrollY"); at != "0" {
		t.Errorf("the page opens at %s", at)
	}
	for range 2 {
		b.Do(chromedp.KeyEvent(kb.End), chromedp.WaitVisible(question))
		holds(b, question+" h2", question+" .choices button:last-child", question+" p:last-child button")
		// The reader may look elsewhere while the question is open.
		b.Ask(`scrollTo({ top: 0, behavior: "instant" })`)
		b.Do(chromedp.KeyEvent("2"))
		if at := b.Ask("scrollY"); at != "0" {
			t.Errorf("another view of an open question moves the screen to %s", at)
		}
		b.Ask(`document.querySelector('` + question + ` .choices button').click()`)
		b.Do(chromedp.WaitVisible(answer))
		holds(b, answer+" h2", answer+" button.main")
	}

	b = browsertest.Open(t, 1280, 900)
	visit(b, text, "")
	b.Do(chromedp.KeyEvent(kb.End), chromedp.WaitVisible(question), chromedp.KeyEvent("a"), chromedp.WaitVisible(answer))
	holds(b, answer)
	if at := b.Ask("scrollY"); at != "0" {
		t.Errorf("a screen with everything on it moves to %s", at)
	}
}

// TestBadPages opens pages that are hostile, damaged, or too new for their browser: each says so, or stays a page of texts.
func TestBadPages(t *testing.T) {
	b := browsertest.Open(t, 800, 600)
	text := hostilePage(t)
	visit(b, text, "")
	b.Says("h1", "</title><script>")
	b.Says("[aria-label=note]", "<img src=x onerror=")
	// Of Markdown, only bold, code and lists become elements.
	if got := b.Ask("document.querySelector('[aria-label=note] li b').textContent"); got != "two <i>words</i>" {
		t.Errorf("the first item of the list is %q", got)
	}
	if got := b.Ask("document.title + document.querySelectorAll('img, iframe').length"); strings.Contains(got, "owned'0") || strings.HasSuffix(got, "1") {
		t.Errorf("the hostile page has become %q", got)
	}
	begin, rest, _ := strings.Cut(text, `id="lesson">`)
	// What is left is no base64, no gzip, or half of it.
	for _, damaged := range []string{rest[10:], "!" + rest, rest[12:], strings.Replace(rest, rest[900:1200], "", 1), rest[strings.Index(rest, "</script>"):]} {
		visit(b, begin+`id="lesson">`+damaged, "")
		b.Says("#app", "damaged")
	}
	visit(b, text, "#t=NaN&n=-5&view=<b>")
	b.Says("h1", "</title>")
}

// TestParagraphs holds that a line of a note ends where the screen ends, not where that of its file does.
func TestParagraphs(t *testing.T) {
	file := filepath.Join(t.TempDir(), "wrapped.yaml")
	if err := os.WriteFile(file, []byte(wrapped), 0o600); err != nil {
		t.Fatal(err)
	}
	b := browsertest.Open(t, 1280, 900)
	visit(b, written(t, lessonOf(t, file)), "")
	const note = `document.querySelector("[aria-label=note]")`
	got := b.Ask(`[...` + note + `.querySelectorAll("p, li")].map((e) => e.tagName + " " + e.innerText).join("\n")`)
	if want := "P The first sentence goes on in the next line.\nP A second paragraph.\nLI one item of two lines\nLI another"; got != want {
		t.Errorf("the note is\n%s\nnot\n%s", got, want)
	}
	if got := b.Ask(note + `.querySelectorAll("b").length`); got != "1" {
		t.Errorf("%s words are bold", got)
	}
}

// wrapped is a scenario with a note whose lines end within a sentence, and within bold words.
const wrapped = `apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: wrapped}
spec:
  title: wrapped
  horizon: 5s
  steps:
  - note: |
      The first sentence **goes
      on** in the next line.

      A second paragraph.
      - one item
        of two lines
      - another
`

// TestContrast computes the contrast of the texts of the pages, in both themes, by the formula of WCAG 2.
func TestContrast(t *testing.T) {
	b := browsertest.Open(t, 800, 600)
	visit(b, written(t, lessonOf(t, "create")), "")
	for _, theme := range []string{"light", "dark"} {
		for _, name := range append([]palette.Tone{"text"}, palette.Tones...) {
			for _, back := range []string{"back", "panel"} {
				got := b.Ask(`(() => {
					document.documentElement.dataset.theme = "` + theme + `";
					const luminance = (name) => {
						const hex = getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
						const part = (i) => { const c = parseInt(hex.slice(i, i + 2), 16) / 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
						return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
					};
					const [a, b] = [luminance("` + string(name) + `"), luminance("` + back + `")].sort((x, y) => y - x);
					return (a + 0.05) / (b + 0.05) >= 4.5;
				})()`)
				if got != "true" {
					t.Errorf("%s on %s in the theme %s has less contrast than 4.5:1", name, back, theme)
				}
			}
		}
	}
}

// TestLessonIsAccessible asks axe about a lesson: at its beginning, at a question, whose choices a screen reader hears, in the view with the
// list of the beats, and in the glossary. At the end, the page notes the score for the page that lists all lessons.
func TestLessonIsAccessible(t *testing.T) {
	lesson := lessonOf(t, "create")
	lesson.Up, lesson.UpTitle = "index.html", "Course"
	b := browsertest.Open(t, 1280, 900)
	visit(b, written(t, lesson), "")
	b.Accessible()
	b.Do(chromedp.Click(`[title^="play or pause"]`), chromedp.WaitVisible(`[aria-label="question"]`))
	b.WillHave(`document.querySelector("[aria-live]").textContent`, "A: the Deployment controller B: the ReplicaSet controller")
	b.Accessible()
	b.Do(chromedp.KeyEvent("b"), chromedp.WaitVisible(`[aria-label="answer"]`), chromedp.KeyEvent("5"), chromedp.Focus(".story", chromedp.ByQuery))
	b.Do(chromedp.KeyEvent(kb.ArrowRight))
	b.WillHave(`document.activeElement.className`, "story")
	b.Accessible()
	b.Do(chromedp.KeyEvent("K"), chromedp.WaitVisible(".glossary", chromedp.ByQuery))
	b.Accessible()
	b.Do(chromedp.KeyEvent(kb.Escape))
	for range 2 {
		b.Do(chromedp.KeyEvent(kb.End), chromedp.WaitVisible(`[aria-label="question"]`), chromedp.KeyEvent("a"))
		b.Do(chromedp.WaitVisible(`[aria-label="answer"]`))
	}
	if got := b.Ask(`localStorage.getItem("kubestep.lessons")`); got != "null" {
		t.Errorf("before its end, the lesson has noted %s", got)
	}
	b.Do(chromedp.KeyEvent(kb.End))
	b.WillHave(`localStorage.getItem("kubestep.lessons")`, `{"create":{"right":2,"of":3}}`)
}
