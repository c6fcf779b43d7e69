package browsertest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// engine is axe, a program that finds mistakes of accessibility. It is there after npm ci in scenarios/web/playground/site.
const engine = "scenarios/web/playground/site/node_modules/axe-core/axe.min.js"

// finding is a mistake that axe finds, in one or more elements.
type finding struct {
	ID, Impact, Help string
	Nodes            []struct {
		HTML           string
		FailureSummary string
	}
}

// Accessible holds that axe finds no serious and no critical mistake in the page, on a light and on a dark background. The test is skipped
// where axe is not installed.
func (b *Tab) Accessible() {
	b.Helper()
	axe, err := os.ReadFile(filepath.Join(repository(), engine))
	if err != nil {
		b.Skip("axe is not installed: npm ci in scenarios/web/playground/site")
	}
	for _, scheme := range []string{"light", "dark"} {
		b.Do(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}))
		b.Do(chromedp.Evaluate(string(axe)+";globalThis.found='';axe.run({resultTypes:['violations']}).then("+
			"(r)=>(globalThis.found=JSON.stringify(r.violations)),(e)=>(globalThis.found='error: '+e));0", nil))
		// JSON has brackets, also when nothing is found.
		b.WillHave("globalThis.found", "[")
		var findings []finding
		if err := json.Unmarshal([]byte(b.Ask("globalThis.found")), &findings); err != nil {
			b.Fatal(err)
		}
		for _, f := range findings {
			if f.Impact != "serious" && f.Impact != "critical" {
				b.Logf("%s, %s: %s (%s)", b.Ask("location.pathname"), scheme, f.Help, f.Impact)
				continue
			}
			for _, node := range f.Nodes {
				b.Errorf("%s, %s: %s (%s, %s): %s: %s", b.Ask("location.pathname"), scheme, f.Help, f.ID, f.Impact, node.HTML,
					strings.ReplaceAll(node.FailureSummary, "\n", " "))
			}
		}
	}
}

// repository is the way to the folder of the repository: a test runs in the folder of its package.
func repository() string {
	root := "."
	for range 10 {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			break
		}
		root = filepath.Join("..", root)
	}
	return root
}
