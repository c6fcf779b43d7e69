package command

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/language/spelling"
)

// readers are the commands that look at a run and take a trace of it. Some flags that make another run are those of kubestep run only.
var readers = []string{"open", "why", "diff", "export", "screenshot"}

// flagError is a mistake in a flag of a command. The errors of pflag have types since 1.0.7; Kubernetes 1.34 requires an older one.
func flagError(cmd *cobra.Command, err error) error {
	try := cmd.CommandPath() + " --help"
	var unknown interface {
		GetSpecifiedName() string
		GetSpecifiedShortnames() string
	}
	if errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "" {
		name := unknown.GetSpecifiedName()
		try = cmp.Or(tryRun(cmd, name), nearestFlag(cmd, name), try)
	}
	var invalid invalidValue
	if errors.As(err, &invalid) && isDuration(invalid) {
		if _, failed := strconv.Atoi(invalid.GetValue()); failed == nil {
			try = "--" + invalid.GetFlag().Name + " " + invalid.GetValue() + "s"
		}
	}
	return cli.Usage(flagProblem(err), try)
}

// invalidValue is the error of pflag about a value.
type invalidValue interface {
	GetFlag() *pflag.Flag
	GetValue() string
	Unwrap() error
}

func isDuration(e invalidValue) bool { return e.GetFlag().Value.Type() == "duration" }

// nearestFlag is the flag of a command that was probably meant; empty if there is none.
func nearestFlag(cmd *cobra.Command, name string) string {
	var names []string
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		if !flag.Hidden {
			names = append(names, flag.Name)
		}
	})
	near := spelling.Nearest(name, names)
	if near == "" {
		return ""
	}
	return "--" + near
}

// tryRun is how somebody who looks at a run gets one with a flag that only kubestep run has; empty if it is none.
func tryRun(cmd *cobra.Command, name string) string {
	if !slices.Contains(readers, cmd.Name()) {
		return ""
	}
	run, _, err := cmd.Root().Find([]string{"run"})
	if err != nil {
		return ""
	}
	flag := run.Flags().Lookup(name)
	if flag == nil {
		return ""
	}
	value, _ := pflag.UnquoteUsage(flag)
	return strings.TrimSpace("kubestep run FILE --"+name+" "+value) + " --trace-out run.kst, then kubestep " + cmd.Name() + " run.kst"
}

// flagProblem is a mistake in a flag without the words of Go's packages: "invalid argument "x" for "--seed" flag: not a whole number".
func flagProblem(err error) string {
	text := err.Error()
	var number *strconv.NumError
	if errors.As(err, &number) {
		reason := "not a whole number"
		if errors.Is(number, strconv.ErrRange) {
			reason = "out of range"
		}
		return strings.Replace(text, number.Error(), reason, 1)
	}
	var invalid invalidValue
	if errors.As(err, &invalid) && isDuration(invalid) {
		return strings.Replace(text, invalid.Unwrap().Error(), "not a duration, such as 90s or 5m", 1)
	}
	return text
}
