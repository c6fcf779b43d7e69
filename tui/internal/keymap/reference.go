package keymap

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/kubestep/kubestep/scenarios/explore/branch"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/reading/palette"
	"github.com/kubestep/kubestep/tui/internal/pane"
	"github.com/kubestep/kubestep/tui/internal/remote"
)

// WriteReference writes docs/reference/keys.md: every key, what can be typed, and what the glyphs mean.
func WriteReference(w io.Writer) error {
	var b strings.Builder
	keys := New()
	for _, group := range keys.Groups() {
		fmt.Fprintf(&b, "## %s\n\n| key | what it does |\n|---|---|\n", group.Title)
		for _, k := range group.Keys {
			var names []string
			for _, name := range k.Keys() {
				names = append(names, "`"+keyName(name)+"`")
			}
			fmt.Fprintf(&b, "| %s | %s |\n", strings.Join(names, " "), cell(k.Help().Desc))
		}
		b.WriteByte('\n')
	}
	b.WriteString("## Input\n\n| input | meaning |\n|---|---|\n")
	for _, typed := range Typed {
		fmt.Fprintf(&b, "| `%s` | %s |\n", typed[0], cell(typed[1]))
	}
	b.WriteString("\nAfter a colon, type a number that the whole run has in a branch, or a step that happens in it at the time of\n" +
		"the cursor:\n\n| input | meaning |\n|---|---|\n")
	list(&b, Commands())
	b.WriteString("\nIn a session (`kubestep open --serve`), the end of the recording is the present. There, the keys that go to the next\n" +
		"record, write, sync, decision or error let time pass until there is one, `space` pauses time, and `+` and `-` change how fast\n" +
		"it passes. `G` goes to the present. A step that is typed after a colon happens now, and at an earlier moment, in a branch of the\n" +
		"session so far:\n\n| input | meaning |\n|---|---|\n")
	list(&b, slices.DeleteFunc(remote.Commands(), func(c verb.Command) bool {
		return slices.ContainsFunc(branch.Commands(), func(of verb.Command) bool { return of.Name == c.Name && of.About == c.About })
	}))
	b.WriteString("\nMouse: a click on the timeline moves the cursor there, a click on a line of the trace or of the decisions\n" +
		"to its record, a click on the name of a view or of a panel shows it, and the wheel moves by one record. On\n" +
		"the stage, a click selects a program, a Pod, a node, an object or a message, and a click on what is selected does what\n" +
		"`enter` does. A click on a choice of a question answers it, and a click in the menu of commands takes one. In the list of\n" +
		"scenarios, a click selects one, and a click on the selected one opens it.\n\n# Symbols\n\nNo meaning depends on a color alone: a symbol and a word say the same.\n")
	for _, legend := range pane.Legends() {
		fmt.Fprintf(&b, "\n## %s\n\n| glyph | meaning |\n|---|---|\n", legend.Title)
		for _, g := range legend.Glyphs {
			fmt.Fprintf(&b, "| `%s` | %s |\n", cell(g[0]), cell(g[1]))
		}
	}
	fmt.Fprintf(&b, "\n# Colors\n\n`--palette` is %s. The palette color-blind does not use red and green. Each has colors for\n"+
		"light and for dark backgrounds: `L` switches between them, and `--background light` or `dark` begins with one. Without the option,\n"+
		"kubestep reads the environment variable `COLORFGBG`, which some terminals set, and else takes those for dark backgrounds.\n"+
		"If the environment variable `NO_COLOR` is set, there are no colors.\n", strings.Join(palette.Names, " or "))
	_, err := io.WriteString(w, b.String())
	return err
}

// list lists what can be typed after a colon.
func list(b *strings.Builder, commands []verb.Command) {
	for _, c := range commands {
		fmt.Fprintf(b, "| `:%s` | %s |\n", cell(strings.TrimSpace(c.Name+" "+c.Args)), cell(c.About))
	}
}

// keyName is a key as it is written on it.
func keyName(name string) string {
	if name == " " {
		return "space"
	}
	return name
}

// cell is a text inside a table of Markdown.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
