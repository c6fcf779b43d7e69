package tui

import (
	"fmt"
	"strconv"

	"github.com/kubestep/kubestep/scenarios/command"
	"github.com/kubestep/kubestep/scenarios/serving"
	"github.com/kubestep/kubestep/tui/internal/live"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// follow shows a session: one that it starts, or that whose kubeconfig file is given.
func follow(
	streams command.Streams, file string, serve bool, served *serving.Flags, seed *int64, look look, present bool,
) (err error) {
	switch {
	case serve && file == "":
		return &command.UsageError{Message: "--serve needs a scenario", Try: "kubestep open --serve rolling-update"}
	case look.at != "":
		return &command.UsageError{Message: "--at: a session is shown as it is now", Try: "kubestep open --serve " + file}
	case !serve:
		if _, err := serving.Connect(file); err != nil { // it connects when something is asked
			return err
		}
	}
	if !command.Interactive(streams) {
		try := "kubestep step --kubeconfig " + file + " 5s"
		if serve {
			try = "kubestep serve " + file
		}
		return &command.UsageError{Message: "open needs a terminal", Try: try}
	}
	if err := look.validate(); err != nil {
		return err
	}
	colors, err := theme.New(look.palette, look.background)
	if err != nil {
		return &command.UsageError{Message: err.Error(), Try: "--background " + theme.Backgrounds[0]}
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
