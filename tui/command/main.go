package command

import (
	"cmp"
	"io"
	"os"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/plugin"
)

// Options are what a program that is kubestep has of its own.
type Options struct {
	// In, Out and Err are nil for those of the process.
	In       io.Reader
	Out, Err io.Writer
	// Controllers are additional controllers for every run, by the names that spec.controllers of a scenario has for them.
	Controllers map[string]controllers.Custom
}

// Main runs the command line and returns the exit code. args are the arguments behind the name of the program. The controllers are
// those of the process: two calls at the same time share them.
func Main(args []string, options Options) int {
	started := plugin.Started(os.Args[0])
	streams := options.streams().Watched(started)
	args = started.Arguments(args)
	cli.Controllers = options.Controllers
	if err := addPrograms(); err != nil {
		return report(err, streams.Stderr())
	}
	root := New(streams)
	started.Rename(root)
	addKubernetes(root, args)
	endProfile := addProfile(root)
	root.SetArgs(args)
	err := root.Execute()
	return report(streams.Verdict(cmp.Or(err, endProfile())), streams.Stderr())
}

// streams are those of the options, and of the process.
func (o Options) streams() cli.Streams {
	streams := cli.Streams{In: o.In, Out: o.Out, Err: o.Err}
	if o.In == nil {
		streams.In = os.Stdin
	}
	if o.Out == nil {
		streams.Out = os.Stdout
	}
	if o.Err == nil {
		streams.Err = os.Stderr
	}
	return streams
}
