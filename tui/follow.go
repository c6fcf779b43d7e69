package tui

import (
	"fmt"
	"strconv"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/serving"
	"github.com/kubestep/kubestep/tui/internal/opener"
	"github.com/kubestep/kubestep/tui/internal/remote"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// follow shows a session: one that it starts, or that whose kubeconfig file is given.
func follow(streams cli.Streams, file string, options OpenOptions) (err error) {
	switch {
	case options.At != "":
		return cli.Usage("--at: a session is shown as it is now", "kubestep open --serve "+file)
	case !options.Serve:
		if _, err := serving.Connect(file); err != nil { // it connects when something is asked
			return err
		}
	}
	if !cli.IsInteractive(streams) {
		try := "kubestep step --kubeconfig " + file + " 5s"
		if options.Serve {
			try = "kubestep serve " + file
		}
		return cli.Usage("open needs a terminal", try)
	}
	if err := options.validate(); err != nil {
		return err
	}
	colors, err := theme.New(options.Palette, options.Background)
	if err != nil {
		return cli.Usage(err.Error(), "--background "+theme.Backgrounds[0])
	}
	var session *remote.Session
	if options.Serve {
		flags := options.Served
		if options.Seed != nil {
			flags = append(flags, "--seed="+strconv.FormatInt(*options.Seed, 10))
		}
		session, err = remote.Serve(file, options.Kubeconfig, flags...)
	} else {
		session, err = remote.Attach(file)
	}
	if err != nil {
		return userError(err)
	}
	defer func() { fmt.Fprint(streams.Out, session.End()) }()
	model := Follow(Options{Theme: colors, Still: options.Still, Open: opener.Run{ShowSecrets: options.ShowSecrets}}, session)
	model.present = options.Present
	return play(model, streams, file)
}
