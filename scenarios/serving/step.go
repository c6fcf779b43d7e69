package serving

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/interrupt"
	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/serving/control"
)

func newStep(streams cli.Streams) *cobra.Command {
	kubeconfig, force := "", false
	cmd := &cobra.Command{
		Use:   "step DURATION|COMMAND",
		Short: "Move the virtual time of a simulation that kubestep serve runs",
		Long: `Move the virtual time of a simulation that kubestep serve runs in another terminal.

  step 5s               let 5 virtual seconds pass, as fast as possible
  step until CONDITION  let time pass until a CEL condition holds, as in the steps of a scenario
  step next KIND        let time pass until there is another record of a kind:
                        decision, error, record, sync or write
  step pause            let time stand still
  step speed 60         let 60 virtual seconds pass in a second
  step until-quiet      let time pass after each write until nothing is due
  step do COMMAND       take a step of a scenario that kubectl cannot take
  step save PATH        write the session so far as a scenario

The command finds the server through the kubeconfig file, as kubectl does.`,
		Example: `  kubestep step 5s
  kubestep step until "deployment('web').status.availableReplicas == 3"
  kubestep step do controller crash kube-controller-manager`,
		Args: func(_ *cobra.Command, args []string) error {
			_, _, err := parse(args)
			return err
		},
		RunE: func(_ *cobra.Command, args []string) error {
			name, value, err := parse(args)
			if err != nil {
				return err
			}
			path, err := sessionFile(kubeconfig)
			if err != nil {
				return err
			}
			client, err := Connect(path)
			if err != nil {
				return err
			}
			ctx, stop := interrupt.Context(context.Background())
			defer stop()
			if name == "save" {
				err = save(ctx, streams, client, value, force)
			} else {
				err = move(ctx, streams, client, name, value)
			}
			if ctx.Err() != nil {
				return interrupt.Cause(ctx)
			}
			return err
		},
	}
	cmd.Flags().StringVar(&kubeconfig, "kubeconfig", "", "use the kubeconfig file `PATH` instead of that in KUBECONFIG")
	cmd.Flags().BoolVar(&force, "force", false, "with save, replace an existing file")
	return cmd
}

// selectIt is what helps if the server is not found.
const selectIt = "the export command that kubestep serve printed"

// valued are the commands with a value, each with an example.
var valued = map[string]string{
	"until": `kubestep step until "size(pods()) == 3"`, "speed": "kubestep step speed 60", "save": "kubestep step save session.yaml",
	"next": "kubestep step next write", "do": "kubestep step do controller crash kube-controller-manager",
}

// parse reads the arguments: what to do, and with what.
func parse(args []string) (name, value string, err error) {
	const step = "kubestep step 5s"
	if len(args) == 0 {
		return "", "", cli.Usage("step needs a duration or a command", step)
	}
	name = args[0]
	example, hasValue := valued[name]
	switch values := len(args) - 1; {
	case (name == "pause" || name == "until-quiet") && values == 0:
		return name, "", nil
	case hasValue && (values == 1 || name == "do" && values > 0):
		return name, strings.Join(args[1:], " "), nil
	case hasValue:
		return "", "", cli.Usage("step "+name+" needs one value", example)
	}
	if span, err := time.ParseDuration(name); err == nil && span > 0 && len(args) == 1 {
		return "step", name, nil
	}
	return "", "", cli.Usage(fmt.Sprintf("%q is neither a duration nor a command", strings.Join(args, " ")), step)
}

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
