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

// TestAccessible holds that each control has a name, in the order in which one sees them, and that texts can be read in both themes.
func TestAccessible(t *testing.T) {
	s := serve(t, 1366, 768)
	s.visit("#name=rolling-update&max-surge=0&t=5.2&view=rollout")
	s.WillSay("#film", "maxSurge 0")
	s.Do(chromedp.Click("#run"))
	s.WillSay(".runs tbody tr:nth-child(2)", "rolling-update")
	s.Do(chromedp.Click(".runs tr:not(.shown) td button"), chromedp.WaitVisible(".pair"))
	if got := s.Unnamed(); got != "" {
		t.Errorf("without a name: %s", got)
	}
	for _, theme := range []string{"light", "dark"} {
		s.Do(chromedp.Evaluate(`document.documentElement.dataset.theme = "`+theme+`"`, nil))
		if got := s.Faint(); got != "" {
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
