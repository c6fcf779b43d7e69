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

// choiceFlags are the flags of a command that makes a run with a given order.
type choiceFlags struct {
	text  string
	order *order.Order
}

func (f *choiceFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.text, "choices", "",
		"let nothing take time, and take the order of what is due at one time from these `CHOICES`, as kubestep explore --exhaustive counts them")
}

// check finds mistakes, and reads the choices.
func (f *choiceFlags) check(flags *pflag.FlagSet, futures []string) error {
	if !flags.Changed("choices") {
		return nil
	}
	if len(futures) > 0 {
		return cli.Usage("--choices cannot be combined with --future", "one of them: a run with choices has one seed")
	}
	f.order = &order.Order{}
	for _, word := range strings.Split(f.text, ",") {
		choice, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil || choice < 0 {
			return cli.Usage(fmt.Sprintf("--choices %q: %q is not a number from 0", f.text, word), "--choices 0,2,1")
		}
		f.order.Choices = append(f.order.Choices, choice)
	}
	return nil
}

// args are the arguments that say the same.
func (f *choiceFlags) args() []string {
	if f.text == "" {
		return nil
	}
	return []string{"--choices", f.text}
}

// explained makes an error of the command line of choices that the run does not have.
func (f *choiceFlags) explained(err error) error {
	var wrong *order.Error
	if errors.As(err, &wrong) {
		return cli.Usage("--choices "+f.text+": "+wrong.Error(), "the choices that kubestep explore --exhaustive prints for this seed")
	}
	return err
}
