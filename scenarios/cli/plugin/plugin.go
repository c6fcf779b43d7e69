// Package plugin makes kubestep a plugin of kubectl. kubectl runs a program that is called kubectl-step for the command kubectl
// step, and one that is called kubectl_complete-step to complete its arguments. A copy of kubestep, or a link to it, is both: this
// package sees the name under which the program was started, and makes help texts and errors name the command that the user types.
package plugin

import (
	"io"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
)

// The names of the program, and what a user types.
const (
	program   = "kubectl-step"
	completer = "kubectl_complete-step"
	command   = "kubectl step"
)

// Plugin is a process that kubectl started. A nil Plugin is one that somebody started as kubestep, and changes nothing.
type Plugin struct {
	completes bool
	// mentioned matches the commands of kubestep in a text.
	mentioned *regexp.Regexp
}

// Started returns the Plugin of a process that was started under a name, or nil.
func Started(name string) *Plugin {
	switch strings.TrimSuffix(filepath.Base(name), ".exe") {
	case program:
		return &Plugin{}
	case completer:
		return &Plugin{completes: true}
	}
	return nil
}

// Arguments returns the arguments of a process as those of kubestep.
func (p *Plugin) Arguments(args []string) []string {
	if p == nil || !p.completes {
		return args
	}
	return append([]string{cobra.ShellCompRequestCmd}, args...)
}

// Rename changes the texts of a command and of all below it.
func (p *Plugin) Rename(root *cobra.Command) {
	if p == nil {
		return
	}
	names := []string{"--help"}
	for _, c := range root.Commands() {
		names = append(names, regexp.QuoteMeta(c.Name())+`\b`)
	}
	p.mentioned = regexp.MustCompile(`(^|[^/\w-])` + regexp.QuoteMeta(root.Name()) + ` (` + strings.Join(names, "|") + `)`)
	if root.Annotations == nil {
		root.Annotations = map[string]string{}
	}
	root.Annotations[cobra.CommandDisplayNameAnnotation] = command
	p.rename(root)
}

func (p *Plugin) rename(cmd *cobra.Command) {
	for _, text := range []*string{&cmd.Short, &cmd.Long, &cmd.Example} {
		*text = p.Text(*text)
	}
	for _, below := range cmd.Commands() {
		p.rename(below)
	}
}

// Text names the command of kubectl where a text names one of kubestep.
func (p *Plugin) Text(text string) string {
	if p == nil || p.mentioned == nil {
		return text
	}
	return p.mentioned.ReplaceAllString(text, "${1}"+command+" $2")
}

// Writer changes texts on their way to out. A command must not be split between two writes.
func (p *Plugin) Writer(out io.Writer) io.Writer {
	if p == nil {
		return out
	}
	return writer{p, out}
}

type writer struct {
	plugin *Plugin
	out    io.Writer
}

// Write implements io.Writer.
func (w writer) Write(text []byte) (int, error) {
	if _, err := io.WriteString(w.out, w.plugin.Text(string(text))); err != nil {
		return 0, err
	}
	return len(text), nil
}
