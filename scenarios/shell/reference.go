package shell

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// markdown is a page in Markdown.
type markdown struct{ bytes.Buffer }

// prose escapes what Markdown would read otherwise: angle brackets and underscores are markup, and a bar ends the cell of a table.
var prose = strings.NewReplacer("<", `\<`, "*", `\*`, "_", `\_`, "|", `\|`)

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
		fmt.Fprintf(p, "| [`%s`](#%s) | %s |\n", cmd.CommandPath(), pageName(cmd), prose.Replace(cmd.Short))
	}
	fmt.Fprintf(p, "\nAll commands have the following flags:\n\n")
	p.options(root.Flags(), func(option) bool { return true })
	shared := optionsOf(root.Flags())
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
	p.options(cmd.Flags(), func(o option) bool {
		return !slices.ContainsFunc(shared, func(s option) bool { return slices.Equal(s.names, o.names) })
	})
	if cmd.Example != "" {
		fmt.Fprintf(p, "\nExamples:\n\n")
		p.code(cmd.Example)
	}
}

// options is a table of the flags that are wanted.
func (p *markdown) options(flags *pflag.FlagSet, wanted func(option) bool) {
	head := "| flag | meaning |\n|---|---|\n"
	for _, o := range optionsOf(flags) {
		if !wanted(o) {
			continue
		}
		names := strings.Join(o.names, ", ")
		switch {
		case o.optional:
			names += "[=" + o.value + "]"
		case o.value != "":
			names += " " + o.value
		}
		fmt.Fprintf(p, "%s| `%s` | %s |\n", head, names, prose.Replace(strings.ReplaceAll(o.usage, "\n", " ")))
		head = ""
	}
}

// prose is the text of a help: paragraphs, and indented lines that stay as they are.
func (p *markdown) prose(text string) {
	for block := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		if strings.HasPrefix(block, " ") {
			p.code(block)
			continue
		}
		fmt.Fprintf(p, "%s\n\n", prose.Replace(block))
	}
}

// code is lines that stay as they are.
func (p *markdown) code(text string) {
	for line := range strings.SplitSeq(text, "\n") {
		fmt.Fprintf(p, "    %s\n", strings.TrimPrefix(line, "  "))
	}
	p.WriteString("\n")
}
