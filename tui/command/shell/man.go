package shell

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/sim/trace/file/input"
)

// WritePages writes the man pages of a command and of those below it, and returns their number.
func WritePages(root *cobra.Command, folder string) (count int, err error) {
	if err := output.Folder(folder); err != nil {
		return 0, err
	}
	rights := output.Rights{Own: []input.Kind{input.ManPage}, Instead: "another folder, or without that file"}
	for _, cmd := range documented(root) {
		if err := output.WriteFile(filepath.Join(folder, pageName(cmd)+".1"), page(cmd), rights); err != nil {
			return count, err
		}
		count++
	}
	return count, nil
}

// documented are a command and those below it, without those that are hidden.
func documented(cmd *cobra.Command) []*cobra.Command {
	out := []*cobra.Command{cmd}
	for _, below := range cmd.Commands() {
		if below.IsAvailableCommand() && below.Name() != "help" {
			out = append(out, documented(below)...)
		}
	}
	return out
}

// pageName is the name of the page of a command: kubestep-explore-merge.
func pageName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// page is the man page of a command, in the macros of man(7).
func page(cmd *cobra.Command) []byte {
	p := &roff{}
	p.macro("TH", escape(strings.ToUpper(pageName(cmd))), "1", date(), escape(cmd.Root().Name()+" "+cmd.Root().Version), cmd.Root().Name())
	p.macro("SH", "NAME")
	p.line(pageName(cmd) + " - " + cmd.Short)
	p.macro("SH", "SYNOPSIS")
	p.synopsis(cmd)
	p.macro("SH", "DESCRIPTION")
	p.text(cmp.Or(cmd.Long, cmd.Short+"."))
	if below := cmd.Commands(); slices.ContainsFunc(below, (*cobra.Command).IsAvailableCommand) {
		p.macro("SH", "COMMANDS")
		for _, c := range below {
			if c.IsAvailableCommand() {
				p.tagged(bold(escape(c.Name())), c.Short)
			}
		}
	}
	cmd.InitDefaultHelpFlag()
	p.macro("SH", "OPTIONS")
	p.options(cmd.Flags())
	if cmd.Example != "" {
		p.macro("SH", "EXAMPLES")
		p.indented(strings.Split(cmd.Example, "\n"))
	}
	p.seeAlso(cmd)
	p.WriteString(input.ManPageEnd)
	return p.Bytes()
}

// date is the day of a release, as all tools of reproducible builds get it (https://reproducible-builds.org/specs/source-date-epoch).
// Without it, the pages have no date.
func date() string {
	seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	if err != nil {
		return ""
	}
	return time.Unix(seconds, 0).UTC().Format(time.DateOnly)
}

// synopsis is how the command is used.
func (p *roff) synopsis(cmd *cobra.Command) {
	if cmd.Runnable() {
		name, rest, _ := strings.Cut(cmd.UseLine(), " ")
		if cmd.HasParent() {
			name, rest = cmd.CommandPath(), strings.TrimPrefix(cmd.UseLine(), cmd.CommandPath())
		}
		p.raw(strings.TrimSpace(bold(escape(name)) + " " + escape(strings.TrimSpace(rest))))
	}
	if cmd.HasAvailableSubCommands() {
		if cmd.Runnable() {
			p.macro("br")
		}
		p.raw(bold(escape(cmd.CommandPath())) + " COMMAND")
	}
}

// seeAlso names the pages above and below.
func (p *roff) seeAlso(cmd *cobra.Command) {
	var pages []string
	if cmd.HasParent() {
		pages = append(pages, pageName(cmd.Parent()))
	}
	for _, below := range documented(cmd)[1:] {
		if below.Parent() == cmd {
			pages = append(pages, pageName(below))
		}
	}
	if len(pages) == 0 {
		return
	}
	p.macro("SH", "SEE ALSO")
	for i, name := range pages {
		end := ","
		if i == len(pages)-1 {
			end = ""
		}
		p.macro("BR", escape(name), "(1)"+end)
	}
}
