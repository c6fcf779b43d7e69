package command

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/snapshot"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/reading/why"
	"github.com/kubestep/kubestep/sim/kinds"
	"github.com/kubestep/kubestep/sim/trace/file/input"
	"github.com/kubestep/kubestep/sim/trace/file/tracefile"
	"github.com/kubestep/kubestep/tui/command/shell"
)

// whyFlags are the flags of why.
type whyFlags struct {
	recordedFlags
	at, namespace string
	output        string
	width         int
}

func newWhy(streams cli.Streams) *cobra.Command {
	flags := &whyFlags{}
	cmd := &cobra.Command{
		Use:   "why FILE [KIND/NAME]",
		Short: "Show why nothing happens to an object",
		Long: `Show why nothing happens to an object: its desired state and what is missing, what it is waiting for and since
when, what blocks it, which controller acts next, what the last sync of that controller did, and what will
trigger the next one.

FILE is a scenario file, the name of a scenario that comes with kubestep (see kubestep list), a trace that
kubestep run wrote (-o jsonl, --trace-out), or a dump of a cluster (kubestep capture, kubectl get -o yaml). A dump
does not record what its controllers did. Without KIND/NAME, kubestep also runs the dump, and says for each
object what the cluster said, what the run does, and whether that is reproduced: if it is not, a restart heals
it. With --at, --seed, --future, --faults, --place or --choices, kubestep only runs the dump, as kubestep run does,
and the answer is about that run.

Without KIND/NAME, the command lists all objects that are not in their desired state. Pods with a controller
are listed only if something besides readiness is wrong. The list at the end of kubestep run is shorter: it
omits nodes and Pods that are only not Ready, and objects whose controller the scenario does not run.`,
		Example: `  kubestep why c08 deployment/web --at 20s
  kubestep why rolling-update deployment/web --future 16s:42 --at 20s
  kubestep why my.yaml --seed 1 --place 98
  kubestep why trace.jsonl
  kubestep why trace.jsonl pod/web-0 -n shop -o json`,
		Args: scenarioAndObject,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := flags.check(cmd.Flags()); err != nil {
				return err
			}
			return explainWhy(streams, args, flags)
		},
	}
	cmd.Flags().StringVar(&flags.at, "at", "", "show the state at this `TIME or RECORD` (default: the end)")
	cmd.Flags().StringVarP(&flags.namespace, "namespace", "n", "", "`NAMESPACE` of the object (default \"default\"), or of the objects to list")
	flags.recordedFlags.add(cmd.Flags())
	shell.OutputFormat(cmd.Flags(), &flags.output, "text", "json")
	cmd.Flags().IntVar(&flags.width, "width", widthOfTerminal, "wrap the lines of the text form at `COLUMNS`; 0 means no limit, -1 the width of the terminal")
	return cmd
}

// scenarioAndObject accepts a file, and an object of it.
func scenarioAndObject(cmd *cobra.Command, args []string) error {
	if len(args) == 1 || len(args) == 2 {
		return nil
	}
	if len(args) == 3 {
		return cli.Usage(fmt.Sprintf("%s takes one object, not %q and %q", cmd.Name(), args[1], args[2]),
			fmt.Sprintf("%s %s %s/%s", cmd.CommandPath(), args[0], args[1], args[2]))
	}
	return cli.Usage(cmd.Name()+" takes a scenario and an object", cmd.CommandPath()+" FILE KIND/NAME")
}

// explainWhy plays or reads a recording and says why nothing happens in it.
func explainWhy(streams cli.Streams, args []string, flags *whyFlags) error {
	if err := cmp.Or(cli.CheckOutput(flags.output), checkWidth(flags.width)); err != nil {
		return err
	}
	target, unknown := objectOf(kinds.BuiltIn(), args, flags.namespace)
	history, err := flags.history(streams, args[0], "why")
	if err != nil {
		return err
	}
	if unknown != nil {
		// It may be of a kind that the run defines.
		if target, err = objectOf(history.Kinds(), args, flags.namespace); err != nil {
			return err
		}
	}
	instant, err := history.Parse(flags.at)
	if err != nil {
		return usageOf(err)
	}
	out := bufio.NewWriter(streams.Stdout())
	defer out.Flush()
	answers, err := flags.answers(instant, args, target)
	if err != nil {
		return err
	}
	comparisons, err := flags.compare(streams, args, instant)
	if err != nil {
		return err
	}
	if flags.output == "json" {
		return json.NewEncoder(out).Encode(why.Answers{Answers: answers, Comparisons: comparisons})
	}
	why.Print(out, answers, target == nil, columns(streams.Out, flags.width))
	why.PrintComparisons(out, comparisons, columns(streams.Out, flags.width))
	if fetch := history.Fetch(schema.GroupResource{}); target == nil && fetch != "" {
		fmt.Fprintf(out, "some objects depend on kinds that are missing; for all answers: %s\n", fetch)
	}
	return nil
}

// answers are those about an object, or about all objects of a namespace that are not in their desired state.
func (f *whyFlags) answers(instant *why.Instant, args []string, target *notation.Target) ([]*why.Answer, error) {
	if target == nil {
		if f.namespace != "" {
			if err := instant.InNamespace(f.namespace); err != nil {
				return nil, usageOf(err)
			}
		}
		return instant.Unmet(f.namespace), nil
	}
	object, err := instant.Find(*target)
	if err != nil {
		return nil, usageOf(err)
	}
	fetch := instant.Fetch(target.Kind().GroupResource())
	if fetch == "" {
		return instant.Ask(object), nil
	}
	if certain := instant.Certain(object); len(certain) > 0 {
		return certain, nil
	}
	return nil, cli.Usage(args[0]+" does not have all the kinds that "+args[1]+" depends on", fetch)
}

// isDump reports whether a file is a dump, and the question is about the dump and not about a run of it.
func (f *whyFlags) isDump(file string) bool {
	return !tracefile.IsMeant(file) && snapshot.IsDump(file) && f.at == "" && f.given() == ""
}

// history plays a scenario, or reads a trace or a dump.
func (f *whyFlags) history(streams cli.Streams, file, command string) (*why.History, error) {
	if !f.isDump(file) {
		rec, err := recorded(streams, file, command, f.recordedFlags)
		if err != nil {
			return nil, err
		}
		return why.New(rec), nil
	}
	opened, err := input.Open(file, input.Dump)
	if err != nil {
		return nil, cli.InputError(err)
	}
	defer opened.Close()
	return readDump(file, opened)
}

// objectOf reads KIND/NAME behind the file, in the namespace of the flag; nil if there is none.
func objectOf(table *kinds.Table, args []string, namespace string) (*notation.Target, error) {
	if len(args) < 2 {
		return nil, nil
	}
	target, err := notation.ParseTarget(table, args[1])
	if err != nil {
		return nil, usageOf(err)
	}
	if namespace != "" && target.Kind().Namespaced {
		target.Namespace = namespace
	}
	return &target, nil
}

// usageOf adds to a mistake in an argument that it is one.
func usageOf(err error) error {
	var problem *source.Error
	if errors.As(err, &problem) {
		return cli.Usage(problem.Message, problem.Try)
	}
	return err
}
