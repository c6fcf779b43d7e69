package command

import (
	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/tui"
	"github.com/kubestep/kubestep/tui/command/shell"
)

func newScreenshot(streams cli.Streams) *cobra.Command {
	var options tui.ScreenshotOptions
	var seed int64
	var language string
	cmd := &cobra.Command{
		Use:   "screenshot FILE",
		Short: "Print a screen of kubestep open, as text or as a picture",
		Long: `Print a screen of kubestep open, as text or as a picture, without a terminal.

FILE is a scenario file, the name of a scenario that comes with kubestep, or a trace. --keys
presses keys before the screen is printed: enter, tab, space and so on by their names, 5*n to press n five
times, and text as you type it, with _ for a space.`,
		Example: `  kubestep screenshot rolling-update --at 6s
  kubestep screenshot rolling-update --at 6s --keys m --size 100x30 -o svg > arithmetic.svg
  kubestep screenshot job --keys "5 / verb:create enter"`,
		Args: cli.OneScenario,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("seed") {
				options.Seed = &seed
			}
			var err error
			if options.Language, err = languageOf(language); err != nil {
				return err
			}
			return tui.Screenshot(cmd.Context(), streams, args[0], options)
		},
	}
	addLook(cmd, &options.Look)
	addLanguage(cmd, &language)
	cmd.Flags().Int64Var(&seed, "seed", 0, "run with this `SEED` instead of the scenario's")
	cmd.Flags().StringVar(&options.Size, "size", "120x34", "`SIZE` of the screen in columns and lines")
	cmd.Flags().StringVar(&options.Keys, "keys", "", "`KEYS` to press first")
	cmd.Flags().BoolVar(&options.Present, "present", false, "presentation mode, as in kubestep open --present")
	cmd.Flags().StringVarP(&options.Output, "output", "o", "text", "output `FORMAT`: text, ansi (with colors) or svg")
	shell.Choices(cmd.Flags(), "output", "text", "ansi", "svg")
	cmd.Flags().StringVar(&options.Background, "background", "dark", "`BACKGROUND` of the picture: light or dark")
	shell.Choices(cmd.Flags(), "background", "light", "dark")
	return cmd
}
