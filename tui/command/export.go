package command

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/explore/future"
	"github.com/kubestep/kubestep/scenarios/web/export"
)

func newExport(streams cli.Streams) *cobra.Command {
	var options export.Options
	var seed int64
	var all bool
	var language string
	cmd := &cobra.Command{
		Use:   "export FILE",
		Short: "Write a run as one HTML file that opens in any browser, offline",
		Long: `Write a run as one HTML file that opens in any browser, offline.

FILE is a scenario file, the name of a scenario that comes with kubestep, or a trace. The page plays the
run as kubestep open does: the messages between components, the rollout, the arithmetic, notes, and questions. It
needs no other files, so you can send it by mail and open it from a disk or on a phone.

If --out ends in .svg, the command writes an animated picture of the workload and of the messages between
components instead, for a README. The animation shows the run from --from to its end, takes --length, and
repeats. Readers who prefer reduced motion see the picture at the time of --still.

With --all, the command writes a folder with a page for each scenario that comes with kubestep, and two pages that
lead to them: index.html, the course, and gallery.html. The course marks the lessons that its reader has done.
A lesson that is translated has a page in the folder of each of its languages, such as de/create.html.`,
		Example: `  kubestep export rolling-update --out rolling-update.html
  kubestep export trace.jsonl --out incident.html
  kubestep export rolling-update --out film.svg --from 5.1s --length 30s --still 6s
  kubestep export rolling-update --language de
  kubestep export --all --out site`,
		Args: cli.AtMostOneScenario,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("seed") {
				options.Seed = &seed
			}
			var err error
			if options.Language, err = languageOf(language); err != nil {
				return err
			}
			switch {
			case all && options.Language != nil:
				return cli.Usage("--all writes the pages of all languages, and --language is for one scenario", "kubestep export --all")
			case all && len(args) > 0:
				return cli.Usage("--all exports every scenario, and "+args[0]+" is one", "kubestep export "+args[0])
			case all && options.Seed != nil:
				return cli.Usage("--seed is for one scenario, not for --all", "kubestep export --all")
			case all && len(options.Futures) > 0:
				return cli.Usage("--"+future.Flag+" is for one scenario, not for --all", "kubestep export --all")
			case all:
				return export.Site(cmd.Context(), streams, options)
			case len(args) == 0:
				return cli.Usage("export takes one scenario or trace, or --all", "kubestep export rolling-update")
			}
			return export.Write(cmd.Context(), streams, args[0], options)
		},
	}
	cmd.Flags().StringVar(&options.Out, "out", "",
		"write to this `FILE`, or with --all to this folder; default: the name of the scenario with .html, or site")
	cmd.Flags().BoolVar(&all, "all", false, "export all scenarios that come with kubestep")
	cmd.Flags().BoolVar(&options.Force, "force", false, "replace a file that is not a page of kubestep")
	cmd.Flags().Int64Var(&seed, "seed", 0, "run with this `SEED` instead of the scenario's")
	addLanguage(cmd, &language)
	cmd.Flags().StringArrayVar(&options.Futures, future.Flag, nil, future.Usage)
	cmd.Flags().DurationVar(&options.Film.From, "from", 0, "for an .svg, the virtual `TIME` at which the film begins")
	cmd.Flags().DurationVar(&options.Film.Length, "length", 30*time.Second, "for an .svg, the `DURATION` of the film")
	cmd.Flags().DurationVar(&options.Film.Still, "still", 0, "for an .svg, the virtual `TIME` of the picture without motion")
	return cmd
}
