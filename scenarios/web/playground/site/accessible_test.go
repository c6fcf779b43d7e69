package site_test

import (
	"context"
	"encoding/json"
	"testing"

	cdp "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// quoted is a text in JavaScript.
func quoted(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// beforeLoad runs a script in each page before its own.
func beforeLoad(script string) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := cdp.AddScriptToEvaluateOnNewDocument(script).Do(ctx)
		return err
	})
}

// unnamed are the controls without a name, and faint the texts with less contrast than 4.5:1 by the formula of WCAG 2.
const (
	unnamed = `[...document.querySelectorAll("button, input, select, progress, dialog")].filter((e) =>
		!e.textContent.trim() && !e.getAttribute("aria-label") && !(e.labels && e.labels.length)).map((e) => e.outerHTML).join(" ")`
	faint = `(() => {
		const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
		const rgba = (color) => {
			canvas.clearRect(0, 0, 1, 1);
			canvas.fillStyle = color;
			canvas.fillRect(0, 0, 1, 1);
			return [...canvas.getImageData(0, 0, 1, 1).data];
		};
		const light = (c) => [0.2126, 0.7152, 0.0722].reduce((sum, part, i) => {
			const v = c[i] / 255;
			return sum + part * (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
		}, 0);
		const up = (e) => e.parentElement || (e.getRootNode() instanceof ShadowRoot ? e.getRootNode().host : null);
		const behind = (e) => {
			for (; e; e = up(e)) { const c = rgba(getComputedStyle(e).backgroundColor); if (c[3] === 255) return c; }
			return [255, 255, 255];
		};
		const found = [];
		for (const root of [document, document.querySelector("#editor").shadowRoot]) {
			for (const e of root.querySelectorAll("*")) {
				const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
				if (!own || !e.checkVisibility() || e.closest("style, .pod")) continue;
				const [a, b] = [light(rgba(getComputedStyle(e).color)), light(behind(e))].sort((x, y) => y - x);
				if ((a + 0.05) / (b + 0.05) < 4.5) found.push(e.tagName + "." + e.className + " " + e.textContent.slice(0, 30));
			}
		}
		return found.join("; ");
	})()`
)

// TestAccessible holds that each control has a name, in the order in which one sees them, and that texts can be read in both themes.
func TestAccessible(t *testing.T) {
	s := serve(t, 1366, 768)
	s.visit("#name=rolling-update&max-surge=0&t=5.2&view=rollout")
	s.WillSay("#film", "maxSurge 0")
	s.Do(chromedp.Click("#run"))
	s.WillSay(".runs tbody tr:nth-child(2)", "rolling-update")
	s.Do(chromedp.Click(".runs tr:not(.shown) td button"), chromedp.WaitVisible(".pair"))
	if got := s.Ask(unnamed); got != "" {
		t.Errorf("without a name: %s", got)
	}
	for _, theme := range []string{"light", "dark"} {
		s.Do(chromedp.Evaluate(`document.documentElement.dataset.theme = "`+theme+`"`, nil))
		if got := s.Ask(faint); got != "" {
			t.Errorf("with less contrast than 4.5:1 in the theme %s: %s", theme, got)
		}
	}
	if got := s.Ask(`[...document.querySelectorAll("[tabindex]")].filter((e) => e.tabIndex > 0).length`); got != "0" {
		t.Errorf("%s elements are out of the order of focus", got)
	}
	s.Do(chromedp.Click("#pick"), chromedp.WaitVisible("dialog.picker"))
	if got := s.Ask("document.activeElement.type"); got != "search" {
		t.Errorf("the dialog opens with the focus on %s", got)
	}
}
