package command

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
)

// allPlaces is the value of --without-faults that stands for all faults: that of the flag alone.
const allPlaces = "all"

// placesHelp describes the value of --without-faults.
const placesHelp = `PLACES are separated by commas: spec.faults for all its rules, spec.steps for all steps that are faults,
spec.faults[0] or spec.steps[3] for one of them, or the name of a rule. The sign = must precede them.`

// withoutFaults is the flag --without-faults.
// The value is empty without it.
type withoutFaults struct{ value string }

// add adds the flag to a command.
func (f *withoutFaults) add(cmd *cobra.Command, usage string) {
	f.addAs("without-faults", cmd, usage)
}

// addAs adds a flag with such a value.
func (f *withoutFaults) addAs(name string, cmd *cobra.Command, usage string) {
	cmd.Flags().VarPF(f, name, "", usage).NoOptDefVal = allPlaces
}

// Set implements pflag.Value.
func (f *withoutFaults) Set(value string) error {
	if slices.Contains(strings.Split(value, ","), "") {
		return errors.New("a place is empty; write spec.faults, or leave out the sign =")
	}
	f.value = value
	return nil
}

// String implements pflag.Value.
func (f *withoutFaults) String() string { return f.value }

// Type implements pflag.Value.
func (f *withoutFaults) Type() string { return "string" }

// isGiven reports whether there is the flag.
func (f *withoutFaults) isGiven() bool { return f.value != "" }

// words are what is left out, in the name of a run.
func (f *withoutFaults) words() string {
	if f.value == allPlaces {
		return "its faults"
	}
	return strings.ReplaceAll(f.value, ",", ", ")
}

// args are the arguments that repeat the flag.
func (f *withoutFaults) args() []string {
	if !f.isGiven() {
		return nil
	}
	if f.value == allPlaces {
		return []string{"--without-faults"}
	}
	return []string{"--without-faults=" + f.value}
}

// places are those of the value; none are all faults.
func (f *withoutFaults) places() []string {
	if !f.isGiven() || f.value == allPlaces {
		return nil
	}
	return strings.Split(f.value, ",")
}

// choose returns the faults of a scenario to leave out; nil without the flag.
func (f *withoutFaults) choose(file string, scenario *format.Scenario) (verb.FaultChoice, error) {
	if !f.isGiven() {
		return nil, nil
	}
	if f.value == allPlaces {
		return verb.AllFaults, nil
	}
	choice, err := verb.ChooseFaults(scenario, strings.Split(f.value, ",")...)
	if err != nil {
		return nil, f.unknown(file, err)
	}
	return choice, nil
}

// unknown adds the flag to the hint of an error about a place.
func (f *withoutFaults) unknown(file string, err error) error {
	var wrong *verb.PlaceError
	if !errors.As(err, &wrong) {
		return err
	}
	try := wrong.Problem.Try
	if wrong.Near != "" {
		try = "--without-faults=" + wrong.Near
	}
	return cli.Usage(file+": "+wrong.Problem.Message, try)
}

// misplaced finds a value of the flag that became an argument, because the sign = is missing.
func (f *withoutFaults) misplaced(name string, cmd *cobra.Command, args []string) error {
	for _, arg := range args {
		if f.value == allPlaces && strings.HasPrefix(arg, "spec.") {
			return cli.Usage(arg+" is not a scenario; a value of --"+name+" needs the sign =",
				cmd.CommandPath()+" "+args[0]+" --"+name+"="+arg)
		}
	}
	return nil
}
