package shell

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// markdown is a page in Markdown.
type markdown struct{ bytes.Buffer }

// verbatim escapes what Markdown would read otherwise: angle brackets and underscores are markup, and a bar ends the cell of a table.
var verbatim = strings.NewReplacer("<", `\<`, "*", `\*`, "_", `\_`, "|", `\|`)

// Reference is the page in Markdown of a command and of those below it: a table of all, and a section for each.
func Reference(root *cobra.Command) []byte {
	p := &markdown{}
	all := documented(root)
	for _, cmd := range all {
		// The flags of the root are in the flags of each command from here on.
		cmd.InitDefaultHelpFlag()
	}
	fmt.Fprintf(p, "| command | what it does |\n|---|---|\n")
	for _, cmd := range all[1:] {
		fmt.Fprintf(p, "| [`%s`](#%s) | %s |\n", cmd.CommandPath(), pageName(cmd), verbatim.Replace(cmd.Short))
	}
	fmt.Fprintf(p, "\nAll commands have the following flags:\n\n")
	shared := optionsOf(root.Flags())
	p.options(shared)
	for _, cmd := range all[1:] {
		p.command(cmd, shared)
	}
	return append(bytes.TrimSpace(bytes.ReplaceAll(p.Bytes(), []byte("\n\n\n"), []byte("\n\n"))), '\n')
}

// command is the section of a command. Shared are the flags that all commands have.
func (p *markdown) command(cmd *cobra.Command, shared []option) {
	fmt.Fprintf(p, "\n## %s\n\n", pageName(cmd))
	p.code(cmd.UseLine())
	p.prose(cmp.Or(cmd.Long, cmd.Short+"."))
	p.options(slices.DeleteFunc(optionsOf(cmd.Flags()), func(o option) bool {
		return slices.ContainsFunc(shared, func(s option) bool { return slices.Equal(s.names, o.names) })
	}))
	if cmd.Example != "" {
		fmt.Fprintf(p, "\nExamples:\n\n")
		p.code(cmd.Example)
	}
}

// options is a table of flags.
func (p *markdown) options(all []option) {
	if len(all) > 0 {
		fmt.Fprintf(p, "| flag | meaning |\n|---|---|\n")
	}
	for _, o := range all {
		names := strings.Join(o.names, ", ")
		switch {
		case o.optional:
			names += "[=" + o.value + "]"
		case o.value != "":
			names += " " + o.value
		}
		fmt.Fprintf(p, "| `%s` | %s |\n", names, verbatim.Replace(strings.ReplaceAll(o.usage, "\n", " ")))
	}
}

// prose is the text of a help: paragraphs, and indented lines that stay as they are.
func (p *markdown) prose(text string) {
	for _, b := range blocksOf(text) {
		if b.indented {
			p.code(b.text)
		} else {
			fmt.Fprintf(p, "%s\n\n", verbatim.Replace(b.text))
		}
	}
}

// code is lines that stay as they are.
func (p *markdown) code(text string) {
	for line := range strings.SplitSeq(text, "\n") {
		fmt.Fprintf(p, "    %s\n", strings.TrimPrefix(line, "  "))
	}
	p.WriteString("\n")
}
