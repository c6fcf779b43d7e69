package command

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/explore/future"
	"github.com/kubestep/kubestep/scenarios/reading/palette"
	"github.com/kubestep/kubestep/sim/trace/file/input"
	"github.com/kubestep/kubestep/tui"
	"github.com/kubestep/kubestep/tui/command/shell"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// newOpen is also what kubestep does at a terminal when nothing else is asked for.
func newOpen(streams cli.Streams) *cobra.Command {
	var options tui.OpenOptions
	var seed int64
	var language string
	var served *servingFlags
	var place placeFlags
	var choices choiceFlags
	cmd := &cobra.Command{
		Use:   "open [FILE]",
		Short: "Inspect a run in the terminal: step, play, go back, ask why",
		Long: `Inspect a run in the terminal: step through it, play it, go back, ask why.

FILE is a scenario file, the name of a scenario that comes with kubestep, or a recorded trace
(kubestep run FILE --trace-out trace.kst). Without FILE, you choose a scenario that
comes with kubestep. kubestep first runs the scenario to its end, in a separate process, and shows the
recording, so you can move backward as easily as forward. Press ? to show the keys.

With --serve, you see the cluster of the scenario while you use it with kubectl in another terminal, as with
kubestep serve. FILE can also be the kubeconfig file of a session that kubestep serve runs.`,
		Example: `  kubestep open
  kubestep open rolling-update --at 12.4s
  kubestep open trace.jsonl --at 412
  kubestep open my.yaml --seed 1 --place 98
  kubestep open rolling-update --present
  kubestep open create --language de
  kubestep open --serve rolling-update --save session.yaml
  kubestep open kubestep.kubeconfig`,
		Args: cli.AtMostOneScenario,
		RunE: func(cmd *cobra.Command, args []string) error {
			file := strings.Join(args, "") // one, or none
			if cmd.Flags().Changed("seed") {
				options.Seed = &seed
			}
			options.Served, options.Kubeconfig = served.given(), served.kubeconfig()
			session := options.Serve || file != "" && input.What(file) == input.Session
			if !session && len(options.Served) > 0 {
				return cli.Usage(options.Served[0]+" needs --serve", "kubestep open --serve FILE")
			}
			if session && len(options.Futures) > 0 {
				return cli.Usage("--"+future.Flag+" is not for a session: its scenario has the futures", "spec.futures in the scenario")
			}
			if err := makesRun(cmd, session, &options, &place, &choices); err != nil {
				return err
			}
			var err error
			if options.Language, err = languageOf(language); err != nil {
				return err
			}
			if err := notForSessions(cmd, session && options.Language != nil, "language"); err != nil {
				return err
			}
			return tui.Open(cmd.Context(), streams, file, options)
		},
	}
	cmd.Flags().Int64Var(&seed, "seed", 0, "run with this `SEED` instead of the scenario's")
	place.add(cmd.Flags())
	choices.add(cmd.Flags())
	cmd.Flags().BoolVar(&options.Serve, "serve", false, "use the cluster of the scenario with kubectl while you look at it")
	served = newServingFlags(cmd.Flags())
	cmd.Flags().BoolVar(&options.Present, "present", false, "presentation mode for a projector; P switches it on and off")
	cmd.Flags().BoolVar(&options.Still, "still", false, "do not move messages between the components while a film plays")
	addLook(cmd, &options.Look)
	addLanguage(cmd, &language)
	cmd.Flags().StringVar(&options.Background, "background", theme.Backgrounds[0],
		"`BACKGROUND` of the terminal: light, dark or auto, which reads the variable COLORFGBG and is dark without it")
	shell.Choices(cmd.Flags(), "background", theme.Backgrounds...)
	return cmd
}

// makesRun lets the flags for a fault at a place, and for the order of what is due at one time, make the run.
func makesRun(cmd *cobra.Command, session bool, options *tui.OpenOptions, place *placeFlags, choices *choiceFlags) error {
	err := cmp.Or(place.check(cmd.Flags(), nil, options.Futures), choices.check(cmd.Flags(), options.Futures),
		notForSessions(cmd, session, "place", "choices"))
	if options.Choices = choices.text; place.isGiven() {
		options.Changed, options.Change = "--place", place.added
	}
	return err
}

// notForSessions refuses flags of a run if a session is meant.
func notForSessions(cmd *cobra.Command, session bool, flags ...string) error {
	for _, flag := range flags {
		if session && cmd.Flags().Changed(flag) {
			return cli.Usage("--"+flag+" is not for a session", "kubestep open FILE --"+flag+" "+cmd.Flag(flag).Value.String())
		}
	}
	return nil
}

// addLook adds the flags for where in a recording the interface begins, and in which colors.
func addLook(cmd *cobra.Command, look *tui.Look) {
	cmd.Flags().StringVar(&look.At, "at", "", "start at `PLACE`: a time (12.4s), a record (412) or a step (step:3)")
	cmd.Flags().StringVar(&look.Palette, "palette", palette.Names[0], "`PALETTE` of colors: "+strings.Join(palette.Names, " or ")+
		"; the variable NO_COLOR turns them off")
	shell.Choices(cmd.Flags(), "palette", palette.Names...)
	cmd.Flags().StringArrayVar(&look.Futures, future.Flag, nil, future.Usage)
	cmd.Flags().BoolVar(&look.ShowSecrets, "show-secrets", false, "show the values of Secrets instead of redacting them")
}
