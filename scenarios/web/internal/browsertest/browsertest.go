// Package browsertest opens pages in a real browser, for tests: it clicks and presses keys as a reader does, and reads what the page
// then says. Tests that use it are skipped where no browser is installed.
package browsertest

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// Tab is a tab of a browser.
type Tab struct {
	*testing.T
	// Context is what chromedp.Run takes.
	Context context.Context
}

// limit is how long a test may use its tab, patience how long it waits for one thing, and pause how long until it looks again.
const (
	limit    = 3 * time.Minute
	patience = time.Minute
	pause    = 50 * time.Millisecond
)

// Open opens a window of a size. It is closed at the end of the test.
func Open(t *testing.T, width, height int, options ...chromedp.ExecAllocatorOption) *Tab {
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
	all := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.WindowSize(width, height))
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), append(all, options...)...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, limit)
	t.Cleanup(cancel)
	return &Tab{t, ctx}
}

// Do acts in the browser.
func (b *Tab) Do(actions ...chromedp.Action) {
	b.Helper()
	if err := chromedp.Run(b.Context, actions...); err != nil {
		b.Fatal(err)
	}
}

// Ask evaluates an expression in the page.
func (b *Tab) Ask(expression string) string {
	b.Helper()
	var text string
	b.Do(chromedp.Evaluate("String("+expression+")", &text))
	return text
}

// text is the expression for the text of an element.
func text(selector string) string {
	return fmt.Sprintf(`((document.querySelector(%q) || {}).innerText || "")`, selector)
}

// Says holds that an element of the page has a text.
func (b *Tab) Says(selector, words string) {
	b.Helper()
	if got := b.Ask(text(selector)); !strings.Contains(got, words) {
		b.Errorf("%s says %q, not %q", selector, got, words)
	}
}

// WillSay waits until an element of the page has a text.
func (b *Tab) WillSay(selector, words string) {
	b.Helper()
	b.WillHave(text(selector), words)
}

// WillHave waits until an expression has a text.
func (b *Tab) WillHave(expression, words string) {
	b.Helper()
	if got, err := ask(b.Context, expression, func(got string) bool { return strings.Contains(got, words) }); err != nil {
		b.Fatalf("%s is %q, not %q", expression, got, words)
	}
}

// Becomes waits until an expression is true. Unlike chromedp.Poll, which asks before each frame that the browser draws, it asks by time: a
// browser draws no frames for a window that it takes for covered.
func Becomes(expression string) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		if got, err := ask(ctx, "Boolean("+expression+")", func(got string) bool { return got == "true" }); err != nil {
			return fmt.Errorf("%s is %q after %s: %w", expression, got, patience, err)
		}
		return nil
	})
}

// ask evaluates an expression until its text is as wanted, and returns the last text.
func ask(ctx context.Context, expression string, wanted func(string) bool) (got string, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		// While the page is replaced, there is nothing to ask.
		err := chromedp.Run(ctx, chromedp.Evaluate("String("+expression+")", &got))
		if err == nil && wanted(got) {
			return got, nil
		}
		if err := chromedp.Run(ctx, chromedp.Sleep(pause)); err != nil {
			return got, err
		}
	}
}
