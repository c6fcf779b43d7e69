package serving

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/interrupt"
	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/spelling"
	"github.com/kubestep/kubestep/scenarios/serving/control"
	"github.com/kubestep/kubestep/scenarios/serving/internal/running"
)

// Move is what a session is told to do.
type Move struct {
	// Name is that of a command of kubestep step, such as until; step is the one that lets a duration pass.
	Name string
	// Value is what the command takes: a duration, a condition, a path; "" for those that take nothing.
	Value string
	// Timeout is how much virtual time until may take; 0 is control.WaitMax.
	Timeout time.Duration
}

// StepOptions are how the session is found.
type StepOptions struct {
	// Kubeconfig is the file in which the server is found; "" is that of the variable KUBECONFIG. Name is that of the cluster instead.
	Kubeconfig, Name string
	// Force replaces the file that the command save writes.
	Force bool
}

// Step moves the time of a session, or saves it, and prints where its time is. A session that is not there, or refuses, is a
// *cli.UsageError, something that does not come in time cli.ErrChecksFailed, and Ctrl-C an *interrupt.Error.
func Step(streams cli.Streams, to Move, options StepOptions) error {
	path, err := options.file()
	if err != nil {
		return err
	}
	client, err := Connect(path)
	var wrong *source.Error
	if errors.As(err, &wrong) && options.Kubeconfig == "" {
		wrong.Try = "--name; " + listThem
	}
	if err != nil {
		return err
	}
	ctx, stop := interrupt.Context(context.Background())
	defer stop()
	if to.Name == "save" {
		err = save(ctx, streams, client, to.Value, options.Force)
	} else {
		err = move(ctx, streams, client, to)
	}
	if ctx.Err() != nil {
		return interrupt.Cause(ctx)
	}
	return err
}

// selectIt is what helps if the server is not found.
const selectIt = "the export command that kubestep serve printed"

// listThem is what helps if a cluster is named that does not run.
const listThem = "kubestep get clusters lists the names of those that run"

// file is the kubeconfig file of the flags, or that of the variable KUBECONFIG, or that of the cluster that nobody has named.
func (o *StepOptions) file() (string, error) {
	files := filepath.SplitList(os.Getenv("KUBECONFIG"))
	switch {
	case o.Kubeconfig != "" && o.Name != "":
		return "", cli.Usage("--kubeconfig and --name exclude each other", "one of them")
	case o.Kubeconfig != "":
		return o.Kubeconfig, nil
	case o.Name != "":
		return named(o.Name)
	case len(files) == 1:
		return files[0], nil
	case len(files) > 1:
		message := fmt.Sprintf("KUBECONFIG names %d files; that of a session is one", len(files))
		return "", cli.Usage(message, "--name; "+listThem)
	}
	file, err := named(running.Default)
	if err != nil {
		return "", cli.Usage("no --kubeconfig and no --name, and the variable KUBECONFIG is not set", selectIt)
	}
	return file, nil
}

// named is the kubeconfig file of a cluster that runs.
func named(cluster string) (string, error) {
	if problem := running.NameProblem(cluster); problem != "" {
		return "", cli.Usage(fmt.Sprintf("--name %q %s", cluster, problem), listThem)
	}
	if names := running.Names(); !slices.Contains(names, cluster) {
		return "", cli.Usage(fmt.Sprintf("no cluster with the name %s runs", cluster), cmp.Or(spelling.Nearest(cluster, names), listThem))
	}
	return running.File(cluster)
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

// ConnectNamed returns a client for a cluster that runs. An unknown name is a *cli.UsageError.
func ConnectNamed(cluster string) (*control.Client, error) {
	path, err := named(cluster)
	if err != nil {
		return nil, err
	}
	return Connect(path)
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
func move(ctx context.Context, streams cli.Streams, client *control.Client, to Move) error {
	ask := func() (control.State, error) { return client.Move(ctx, to.Name, to.Value) }
	if to.Name == "until" {
		ask = func() (control.State, error) {
			return client.Until(ctx, to.Value, cmp.Or(to.Timeout, control.WaitMax))
		}
	}
	now, err := ask()
	if err != nil {
		return plain(client, err)
	}
	if now.TimedOut {
		fmt.Fprintf(streams.Stdout(), "virtual time %.3fs (%s)\n", now.Seconds, now.Pace())
		cli.PrintError(streams.Stderr(), now.Error, "a longer --timeout, or kubestep open, which shows what happens")
		return cli.ErrChecksFailed
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
