package serving

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/interrupt"
	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/serving/control"
)

// Move is what a session is told to do.
type Move struct {
	// Name is that of a command of kubestep step, such as until; step is the one that lets a duration pass.
	Name string
	// Value is what the command takes: a duration, a condition, a path; "" for those that take nothing.
	Value string
}

// StepOptions are how the session is found.
type StepOptions struct {
	// Kubeconfig is the file in which the server is found; "" is that of the variable KUBECONFIG.
	Kubeconfig string
	// Force replaces the file that the command save writes.
	Force bool
}

// Step moves the time of a session, or saves it, and prints where its time is. A session that is not there, or refuses, is a
// *cli.UsageError; Ctrl-C is an *interrupt.Error.
func Step(streams cli.Streams, to Move, options StepOptions) error {
	path, err := sessionFile(options.Kubeconfig)
	if err != nil {
		return err
	}
	client, err := Connect(path)
	if err != nil {
		return err
	}
	ctx, stop := interrupt.Context(context.Background())
	defer stop()
	if to.Name == "save" {
		err = save(ctx, streams, client, to.Value, options.Force)
	} else {
		err = move(ctx, streams, client, to.Name, to.Value)
	}
	if ctx.Err() != nil {
		return interrupt.Cause(ctx)
	}
	return err
}

// selectIt is what helps if the server is not found.
const selectIt = "the export command that kubestep serve printed"

// sessionFile is the kubeconfig file of the flag, or that of the variable KUBECONFIG.
func sessionFile(flag string) (string, error) {
	if flag != "" {
		return flag, nil
	}
	switch files := filepath.SplitList(os.Getenv("KUBECONFIG")); len(files) {
	case 0:
		return "", cli.Usage("no --kubeconfig, and the variable KUBECONFIG is not set", selectIt)
	case 1:
		return files[0], nil
	default:
		message := fmt.Sprintf("KUBECONFIG names %d files; that of a session is one", len(files))
		return "", cli.Usage(message, selectIt)
	}
}

// Connect returns a client for the session in a kubeconfig file. The error says what is wrong with the file, and what to do.
func Connect(path string) (*control.Client, error) {
	client, err := control.Connect(path)
	var missing *fs.PathError
	switch {
	case errors.As(err, &missing):
		return nil, cli.Usage(missing.Path+": "+missing.Err.Error(), selectIt)
	case err != nil:
		return nil, cli.InputError(err)
	}
	return client, nil
}

// plain is an error of a client in the words of a command.
func plain(client *control.Client, err error) error {
	if errors.Is(err, control.ErrForeign) {
		return cli.Usage(client.URL()+": "+err.Error(), selectIt)
	}
	return cli.Usage(err.Error(), startIt)
}

// startIt is what helps if a session has ended.
const startIt = "kubestep serve FILE, which starts a session"

// Lost is the end of a session that was not asked for, in the words of a command; any other error stays.
func Lost(err error) error {
	var unreachable *control.UnreachableError
	if errors.As(err, &unreachable) {
		return cli.Usage(unreachable.Error(), startIt)
	}
	if errors.Is(err, control.ErrForeign) {
		return cli.Usage(err.Error(), selectIt)
	}
	return err
}

// move moves time, and prints where it is.
func move(ctx context.Context, streams cli.Streams, client *control.Client, name, value string) error {
	now, err := client.Move(ctx, name, value)
	if err != nil {
		return plain(client, err)
	}
	if now.Error != "" {
		return cli.Usage(now.Error, "kubestep step --help")
	}
	fmt.Fprintf(streams.Out, "virtual time %.3fs (%s)\n", now.Seconds, now.Pace())
	return nil
}

// save writes the session so far.
func save(ctx context.Context, streams cli.Streams, client *control.Client, path string, force bool) error {
	text, err := client.Scenario(ctx)
	if err != nil {
		return plain(client, err)
	}
	if err := output.WriteFile(path, text, output.Rights{Force: force, Private: true}); err != nil {
		return err
	}
	fmt.Fprintf(streams.Out, "wrote %s; next: kubestep run %s\n", path, path)
	return nil
}
