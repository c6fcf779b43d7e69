package command

import (
	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/web/teach"
)

func newTeach(streams cli.Streams) *cobra.Command {
	var options teach.Options
	var language string
	cmd := &cobra.Command{
		Use:   "teach [FILE...]",
		Short: "Let a class follow lessons in their browsers and vote on the questions",
		Long: `Let a class follow lessons in their browsers and vote on the questions.

FILE is a scenario file, the name of a scenario that comes with kubestep, or a trace. Without files, the
class follows the course: you choose a lesson, and the pages of the class open it. kubestep prints two
addresses: one for the class, also as a QR code, and one for you. They stay the same for all lessons.

While a question is open, you see how many students have answered. You can let them discuss and vote a second
time before you show the answer and both results. Your page writes a report of all votes at the end.

The server listens on this machine only, unless you name another address with --listen. Students need
the code that is part of their address. A browser has one vote. Nothing is stored, and the server ends
with Ctrl-C.

You can send the class to the playground of a lesson if make web has built it.`,
		Example: `  kubestep teach --listen 0.0.0.0:8080    # the course, for everybody in this network
  kubestep teach create                   # one lesson, on this machine
  kubestep teach create --language de     # in German
  kubestep teach my-lesson.yaml create    # lessons to choose from`,
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if options.Language, err = languageOf(language); err != nil {
				return err
			}
			return teach.Serve(cmd.Context(), streams, args, options)
		},
	}
	cmd.Flags().StringVar(&options.Listen, "listen", teach.Loopback, "listen on this `ADDRESS`, HOST:PORT; port 0 is a free one")
	addLanguage(cmd, &language)
	cmd.Flags().StringVar(&options.Playground, "playground", "",
		"the playground is in this `DIR`, which make web has built; default: the folder web beside the program")
	return cmd
}
