package command

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/serving"
	"github.com/kubestep/kubestep/scenarios/serving/control"
)

func newStep(streams cli.Streams) *cobra.Command {
	var options serving.StepOptions
	var timeout time.Duration
	cmd := &cobra.Command{
		Use:   "step DURATION|COMMAND",
		Short: "Advance the virtual time of a simulation that kubestep serve runs",
		Long: `Advance the virtual time of a simulation that kubestep serve runs in another terminal.

  step 5s               advance 5 virtual seconds, as fast as possible
  step until CONDITION  advance until a CEL condition is true, as in the steps of a scenario;
                        exit code 1 if it is not after --timeout of virtual time
  step next KIND        advance to the next record of a kind:
                        decision, error, record, sync or write
  step pause            stop virtual time
  step speed 60         run at 60 virtual seconds per second
  step until-quiet      advance after each write until nothing is due
  step do COMMAND       run a step of a scenario that kubectl cannot run
  step save PATH        write the session so far as a scenario

The command finds the server by --name, or through the kubeconfig file, as kubectl does. If neither is given and
the variable KUBECONFIG is not set, it is the cluster with the name kubestep.`,
		Example: `  kubestep step 5s
  kubestep step until "deployment('web').status.availableReplicas == 3"
  kubestep step until "size(pods()) == 0" --timeout 1h --name dev
  kubestep step do controller crash kube-controller-manager
  kubestep step do image failPull "web:v2"
  kubestep step do 'pod: {crashLoop: pod, selector: app=web, count: 1}'`,
		Args: func(_ *cobra.Command, args []string) error {
			_, err := parseStep(args)
			return err
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			to, err := parseStep(args)
			if err == nil {
				to.Timeout, err = timeoutOf(cmd, to, timeout)
			}
			if err != nil {
				return err
			}
			return serving.Step(streams, to, options)
		},
	}
	cmd.Flags().StringVar(&options.Kubeconfig, "kubeconfig", "", "use the kubeconfig file `PATH` instead of that in KUBECONFIG")
	cmd.Flags().StringVar(&options.Name, "name", "", "use the cluster with the name `CLUSTER`")
	cmd.Flags().BoolVar(&options.Force, "force", false, "with save, replace an existing file")
	cmd.Flags().DurationVar(&timeout, "timeout", control.WaitMax, "with until, wait for a `DURATION` of virtual time at most")
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return stepFlagError(err) })
	return cmd
}

// timeoutOf is the timeout of a move.
func timeoutOf(cmd *cobra.Command, to serving.Move, timeout time.Duration) (time.Duration, error) {
	switch given := cmd.Flags().Changed("timeout"); {
	case given && to.Name != "until":
		return 0, cli.Usage("--timeout needs until", stepValues["until"]+" --timeout 1h")
	case timeout <= 0:
		return 0, cli.Usage(fmt.Sprintf("--timeout %v is not longer than 0s", timeout), "--timeout 10m")
	}
	return timeout, nil
}

// stepFlagError is a mistake in the flags. A negative number looks like one. The error of pflag has a type since 1.0.7; Kubernetes 1.34
// requires an older one.
func stepFlagError(err error) error {
	var unknown interface{ GetSpecifiedShortnames() string }
	if errors.As(err, &unknown) {
		if flags := unknown.GetSpecifiedShortnames(); flags != "" && strings.ContainsRune("0123456789.", rune(flags[0])) {
			return cli.Usage("-"+flags+" is negative, and virtual time only moves forward",
				"kubestep step 5s, kubestep step speed 60, or kubestep step pause")
		}
	}
	return cli.Usage(flagProblem(err), "kubestep step --help")
}

// stepValues are the commands of step with a value, each with an example.
var stepValues = map[string]string{
	"until": `kubestep step until "size(pods()) == 3"`, "speed": "kubestep step speed 60", "save": "kubestep step save session.yaml",
	"next": "kubestep step next write", "do": "kubestep step do controller crash kube-controller-manager",
}

// parseStep reads the arguments of step.
func parseStep(args []string) (serving.Move, error) {
	const example = "kubestep step 5s"
	if len(args) == 0 {
		return serving.Move{}, cli.Usage("step needs a duration or a command", example)
	}
	name := args[0]
	valuedExample, hasValue := stepValues[name]
	switch values := len(args) - 1; {
	case (name == "pause" || name == "until-quiet") && values == 0:
		return serving.Move{Name: name}, nil
	case hasValue && (values == 1 || name == "do" && values > 0):
		return serving.Move{Name: name, Value: strings.Join(args[1:], " ")}, nil
	case hasValue:
		return serving.Move{}, cli.Usage("step "+name+" needs one value", valuedExample)
	}
	if span, err := time.ParseDuration(name); err == nil && span > 0 && len(args) == 1 {
		return serving.Move{Name: "step", Value: name}, nil
	}
	return serving.Move{}, cli.Usage(fmt.Sprintf("%q is neither a duration nor a command", strings.Join(args, " ")), example)
}
