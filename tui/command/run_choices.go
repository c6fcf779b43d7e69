package command

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/runner/order"
)

// decisionFlags are the flags of a command that makes a run with a given order.
type decisionFlags struct {
	text  string
	order *order.Order
}

func (f *decisionFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.text, "decisions", "",
		"let nothing take time, and take the order of what is due at one time from these `DECISIONS`, as kubestep explore --exhaustive counts them")
}

// check finds mistakes, and reads the decisions.
func (f *decisionFlags) check(flags *pflag.FlagSet, futures []string) error {
	if !flags.Changed("decisions") {
		return nil
	}
	if len(futures) > 0 {
		return cli.Usage("--decisions cannot be combined with --future", "one of them: a run with decisions has one seed")
	}
	f.order = &order.Order{}
	for _, word := range strings.Split(f.text, ",") {
		decision, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil || decision < 0 {
			return cli.Usage(fmt.Sprintf("--decisions %q: %q is not a number from 0", f.text, word), "--decisions 0,2,1")
		}
		f.order.Decisions = append(f.order.Decisions, decision)
	}
	return nil
}

// args are the arguments that say the same.
func (f *decisionFlags) args() []string {
	if f.text == "" {
		return nil
	}
	return []string{"--decisions", f.text}
}

// explained makes an error of the command line of decisions that the run does not have.
func (f *decisionFlags) explained(err error) error {
	var wrong *order.Error
	if errors.As(err, &wrong) {
		return cli.Usage("--decisions "+f.text+": "+wrong.Error(), "the decisions that kubestep explore --exhaustive prints for this seed")
	}
	return err
}
