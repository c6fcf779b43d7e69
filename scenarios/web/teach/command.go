package teach

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/web/export"
	"github.com/kubestep/kubestep/scenarios/web/internal/serve"
)

// Command is kubestep teach.
func Command(streams cli.Streams) *cobra.Command {
	listen := serve.Loopback
	cmd := &cobra.Command{
		Use:   "teach FILE",
		Short: "Let a class follow a lesson in their browsers, and vote on its questions",
		Long: `Let a class follow a lesson in their browsers, and vote on its questions.

FILE is a scenario file, the name of a scenario that comes with kubestep, or a trace. kubestep prints
two addresses: one for the class, which follows, and one for you. While a question is open, you see how
many have answered, and after it what they answered.

The server listens on this machine only, unless you name another address with --listen. Students need
the code that is part of their address. Nothing is stored, and the server ends with Ctrl-C.`,
		Example: `  kubestep teach create
  kubestep teach create --listen 0.0.0.0:8080    # for everybody in this network`,
		Args: cli.OneScenario,
		RunE: func(cmd *cobra.Command, args []string) error {
			return run(cmd.Context(), streams, args[0], listen)
		},
	}
	cmd.Flags().StringVar(&listen, "listen", listen, "listen on this `ADDRESS`, HOST:PORT; port 0 is a free one")
	return cmd
}

func run(ctx context.Context, streams cli.Streams, file, listen string) error {
	if err := serve.Check(listen); err != nil {
		return err
	}
	lesson, err := export.Lesson(ctx, streams, file)
	if err != nil {
		return err
	}
	cli.Unbound(ctx)
	if len(lesson.Questions()) == 0 {
		fmt.Fprintf(streams.Err, "Warning: %s asks no questions: the class can follow, but there is nothing to vote on\n"+
			"Try: a lesson of kubestep list\n", file)
	}
	s, err := newServer(lesson)
	if err != nil {
		return err
	}
	listener, names, err := serve.Listen(ctx, listen)
	if err != nil {
		return err
	}
	for _, name := range names {
		fmt.Fprintf(streams.Out, "The class opens  http://%s/?code=%s\n", name, s.code)
	}
	fmt.Fprintf(streams.Out, "You open         http://%s/present?key=%s\n", names[0], s.key)
	fmt.Fprintln(streams.Out, "Ctrl-C ends the class.")
	return serve.Until(ctx, listener, s.handler(), wait+10*time.Second)
}
