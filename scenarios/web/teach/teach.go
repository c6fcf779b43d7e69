package teach

import (
	"context"
	"fmt"
	"time"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/web/export"
	"github.com/kubestep/kubestep/scenarios/web/internal/serve"
)

// Listen is the address by default: a free port of this machine.
const Loopback = serve.Loopback

// Options are how a class is served.
type Options struct {
	// Listen is the address, HOST:PORT; port 0 is a free one.
	Listen string
}

// Serve lets a class follow a lesson, that of a scenario or a trace, until the context or a signal ends it. A file that makes no
// lesson, and an address that cannot be used, are a *cli.UsageError or a *source.Error.
func Serve(ctx context.Context, streams cli.Streams, file string, options Options) error {
	if err := serve.Check(options.Listen); err != nil {
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
	listener, names, err := serve.Listen(ctx, options.Listen)
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
