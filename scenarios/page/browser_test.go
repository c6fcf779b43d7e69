package page_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// browser is a tab of a real browser. The test is skipped where none is installed.
type browser struct {
	*testing.T
	ctx context.Context
}

func open(t *testing.T, width, height int) *browser {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
		}
	}
	if path == "" {
		t.Skip("no browser is installed: chromium, or google-chrome")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.WindowSize(width, height))
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(cancel)
	return &browser{t, ctx}
}

// do acts in the browser.
func (b *browser) do(actions ...chromedp.Action) {
	b.Helper()
	if err := chromedp.Run(b.ctx, actions...); err != nil {
		b.Fatal(err)
	}
}

// visit opens a page from a file, as a reader does.
func (b *browser) visit(text, fragment string) {
	b.Helper()
	file := filepath.Join(b.TempDir(), "lesson.html")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	b.do(chromedp.Navigate("file://"+file+fragment), chromedp.Poll(`document.getElementById("app").textContent !== ""`, nil))
}

// ask evaluates an expression in the page.
func (b *browser) ask(expression string) string {
	b.Helper()
	var text string
	b.do(chromedp.Evaluate("String("+expression+")", &text))
	return text
}

// says holds that an element of the page has a text.
func (b *browser) says(selector, text string) {
	b.Helper()
	if got := b.ask(`(document.querySelector("` + selector + `") || {}).innerText`); !strings.Contains(got, text) {
		b.Errorf("%s says %q, not %q", selector, got, text)
	}
}

// TestLessonInABrowser takes the lesson create as a reader does: plays it, answers its questions with a click and with keys, looks at
// the other views, and follows a link to an instant.
func TestLessonInABrowser(t *testing.T) {
	lesson := lessonOf(t, "create")
	lesson.Next, lesson.NextTitle = "rolling-update.html", "A rolling update of ten replicas"
	text := written(t, lesson)
	b := open(t, 1280, 900)
	b.visit(text, "")

	// Playing stops at the first question, and nothing gets past it.
	b.do(chromedp.Click(`[title^="play or pause"]`), chromedp.WaitVisible(`[aria-label="question"]`))
	b.says("[aria-label=question]", "Who creates the")
	b.do(chromedp.KeyEvent(kb.End))
	b.says("[aria-label=question]", "Who creates the")
	b.do(chromedp.KeyEvent("3"))
	b.says("[role=tabpanel]", "The arithmetic is part of the question")

	// A wrong answer by a letter, then a right one by a click.
	b.do(chromedp.KeyEvent("a"), chromedp.WaitVisible(`[aria-label="answer"]`))
	b.says("[aria-label=answer]", "your answer: the Deployment controller")
	b.do(chromedp.KeyEvent(" "), chromedp.WaitVisible(`[aria-label="question"]`), chromedp.Click(`.choices button:nth-child(2)`))
	b.do(chromedp.WaitVisible(`[aria-label="answer"]`))
	b.says("[aria-label=answer]", "you were right")
	b.says("[aria-label=answer]", "1 of 2 right so far")

	// The views, and the end with the score and the next lesson.
	b.do(chromedp.KeyEvent("1"))
	b.says(".server", "rv 22 rs/web-")
	b.do(chromedp.KeyEvent(kb.End), chromedp.WaitVisible(`[aria-label="question"]`), chromedp.KeyEvent("b"))
	b.do(chromedp.WaitVisible(`[aria-label="answer"]`), chromedp.KeyEvent(kb.End), chromedp.KeyEvent("2"))
	b.says("[aria-label=end]", "2 of 3 right")
	b.says("[aria-label=end]", "A rolling update of ten replicas")
	b.says("[role=tabpanel]", "3 of 3")
	if got := b.ask(`document.querySelectorAll(".pod.a").length`); got != "3" {
		t.Errorf("at the end %s Pods are available", got)
	}
	if got := b.ask(`document.querySelector("[aria-live]").textContent`); !strings.Contains(got, "check") {
		t.Errorf("a screen reader hears %q", got)
	}

	b.visit(text, "#t=0.031&view=components")
	b.says(".lane.acts", "replicaset-controller")
	b.says(".wire.current", "create po/web-")
	if got := b.ask("location.hash"); !strings.Contains(got, "view=components") {
		t.Errorf("the link is %s", got)
	}
}

// TestPhone opens a page on a small screen: nothing is wider than it.
func TestPhone(t *testing.T) {
	b := open(t, 390, 800)
	text := written(t, lessonOf(t, "rolling-update"))
	for _, view := range []string{"components", "rollout", "math", "trace"} {
		b.visit(text, "#t=7.514&view="+view)
		if got := b.ask("document.documentElement.scrollWidth - innerWidth"); got != "0" {
			t.Errorf("the view %s is %s pixels wider than the screen", view, got)
		}
	}
}

// TestBadPages opens pages that are hostile, damaged, or too new for their browser: each says so, or stays a page of texts.
func TestBadPages(t *testing.T) {
	b := open(t, 800, 600)
	text := hostilePage(t)
	b.visit(text, "")
	b.says("h1", "</title><script>")
	b.says("[aria-label=note]", "<img src=x onerror=")
	if got := b.ask("document.title + document.querySelectorAll('img, iframe').length"); strings.Contains(got, "owned'0") || strings.HasSuffix(got, "1") {
		t.Errorf("the hostile page has become %q", got)
	}
	begin, rest, _ := strings.Cut(text, `id="lesson">`)
	b.visit(begin+`id="lesson">`+rest[10:], "")
	b.says("#app", "damaged")
	b.visit(text, "#t=NaN&n=-5&view=<b>")
	b.says("h1", "</title>")
}

// TestContrast computes the contrast of the texts of the pages, in both themes, by the formula of WCAG 2.
func TestContrast(t *testing.T) {
	b := open(t, 800, 600)
	b.visit(written(t, lessonOf(t, "create")), "")
	for _, theme := range []string{"light", "dark"} {
		for _, name := range []string{"text", "dim", "now", "good", "wait", "bad", "note"} {
			for _, back := range []string{"back", "panel"} {
				got := b.ask(`(() => {
					document.documentElement.dataset.theme = "` + theme + `";
					const luminance = (name) => {
						const hex = getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
						const part = (i) => { const c = parseInt(hex.slice(i, i + 2), 16) / 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
						return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
					};
					const [a, b] = [luminance("` + name + `"), luminance("` + back + `")].sort((x, y) => y - x);
					return (a + 0.05) / (b + 0.05) >= 4.5;
				})()`)
				if got != "true" {
					t.Errorf("%s on %s in the theme %s has less contrast than 4.5:1", name, back, theme)
				}
			}
		}
	}
}
