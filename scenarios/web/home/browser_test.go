package main

import (
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/kubestep/kubestep/scenarios/web/internal/browsertest"
)

// visit opens a page of a site from a disk, as a reader may.
func (s *site) visit(b *browsertest.Tab, page string) {
	b.Helper()
	b.Do(chromedp.Navigate("file://"+filepath.Join(s.out, page)), chromedp.WaitReady("main"))
}

// TestTheSiteIsAccessible asks axe about each kind of page. Pages of lessons have a test of their own, in scenarios/web/page.
func TestTheSiteIsAccessible(t *testing.T) {
	b := browsertest.Open(t, 1280, 900)
	s := made(t)
	for _, page := range []string{
		"index.html", "lessons/index.html", "lessons/gallery.html", "docs/index.html", "docs/howto/share-a-lesson.html",
		"docs/reference/gallery.html", "docs/tutorial/first-look.html",
	} {
		s.visit(b, page)
		b.Accessible()
	}
}

// TestSearchInABrowser finds a section of a page and a lesson by their words, with the keyboard, in a site that is opened from a disk, and
// sees the pictures of pages.
func TestSearchInABrowser(t *testing.T) {
	b := browsertest.Open(t, 1280, 900)
	s := made(t)
	s.visit(b, "docs/howto/share-a-lesson.html")
	b.Do(chromedp.KeyEvent("/"))
	if got := b.Ask(`document.activeElement.matches(".search input")`); got != "true" {
		t.Error("the key / does not lead to the search")
	}
	b.Do(chromedp.Evaluate(`document.querySelector(".search input").value = ""`, nil), chromedp.SendKeys(".search input", "film readme", chromedp.ByQuery))
	b.WillSay(".results", "A film for a README")
	b.Do(chromedp.SendKeys(".search input", kb.Enter, chromedp.ByQuery))
	b.WillHave("location.hash", "#a-film-for-a-readme")
	s.visit(b, "index.html")
	if got := b.Ask(`document.querySelector(".hero img").naturalWidth`); got != "960" {
		t.Errorf("the film is %s pixels wide", got)
	}
	b.Do(chromedp.SendKeys(".search input", "rollout quxbar", chromedp.ByQuery))
	b.WillSay(".results", "Nothing has all these words.")
	b.Do(chromedp.Evaluate(`document.querySelector(".search input").value = ""`, nil), chromedp.SendKeys(".search input", "stale-cache.yaml", chromedp.ByQuery))
	b.WillSay(".results", "1.1 About stale-cache.yaml")
	b.Do(chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.Enter))
	b.WillHave("location.pathname", "/lessons/stale-cache.html")
}

// TestProgressInABrowser finds lessons by their words, and shows what the reader has done, as the page of a lesson has noted it.
func TestProgressInABrowser(t *testing.T) {
	b := browsertest.Open(t, 390, 844)
	s := made(t)
	s.visit(b, "lessons/index.html")
	shown := `document.querySelectorAll(".cards li:not([hidden])").length`
	b.Do(chromedp.SendKeys("#filter", "about rolling"))
	b.WillHave(shown, "1")
	b.Do(chromedp.SendKeys("#filter", " gone"))
	b.WillSay("#none", "No title has all these words.")
	b.Do(chromedp.Evaluate(`localStorage.setItem("kubestep.lessons", '{"create":{"right":2,"of":3},"gone":{"right":0,"of":0}}')`, nil), chromedp.Reload())
	b.WillSay("#progress", "1 of ")
	b.Says(`[data-name="create"]`, "done, 2 of 3 right")
	b.Do(chromedp.Click("#forget"))
	b.WillHave(`document.querySelectorAll(".done").length`, "0")
	if got := b.Ask(`document.documentElement.scrollWidth <= innerWidth`); got != "true" {
		t.Error("the page is wider than a phone")
	}
}
