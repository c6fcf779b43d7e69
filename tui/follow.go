package tui

import (
	"fmt"
	"strconv"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/serving"
	"github.com/kubestep/kubestep/tui/internal/live"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// follow shows a session: one that it starts, or that whose kubeconfig file is given.
func follow(
	streams cli.Streams, file string, serve bool, served *serving.Flags, seed *int64, look look, present bool,
) (err error) {
	switch {
	case serve && file == "":
		return cli.Usage("--serve needs a scenario", "kubestep open --serve rolling-update")
	case look.at != "":
		return cli.Usage("--at: a session is shown as it is now", "kubestep open --serve "+file)
	case !serve:
		if _, err := serving.Connect(file); err != nil { // it connects when something is asked
			return err
		}
	}
	if !cli.Interactive(streams) {
		try := "kubestep step --kubeconfig " + file + " 5s"
		if serve {
			try = "kubestep serve " + file
		}
		return cli.Usage("open needs a terminal", try)
	}
	if err := look.validate(); err != nil {
		return err
	}
	colors, err := theme.New(look.palette, look.background)
	if err != nil {
		return cli.Usage(err.Error(), "--background "+theme.Backgrounds[0])
	}
	var session *live.Session
	if serve {
		flags := served.Given()
		if seed != nil {
			flags = append(flags, "--seed="+strconv.FormatInt(*seed, 10))
		}
		session, err = live.Serve(file, served.Kubeconfig(), flags...)
	} else {
		session, err = live.Attach(file)
	}
	if err != nil {
		return userError(err)
	}
	defer func() { fmt.Fprint(streams.Out, session.End()) }()
	model := Follow(Options{Theme: colors, Still: look.still}, session)
	model.present = present
	return play(model, streams, file)
}
