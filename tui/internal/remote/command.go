package remote

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/explore/branch"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/serving/control"
)

// Commands are all that can be typed after a colon: those that move time, and the verbs of a scenario, of which the next moment of
// the session gets a step.
func Commands() []verb.Command {
	verbs := slices.DeleteFunc(branch.Commands(), func(c verb.Command) bool { return c.Name == "step" })
	return append([]verb.Command{
		{Name: "step", Args: "5s", About: "advance virtual time, as fast as possible; or run any step of a scenario, as YAML"},
		{Name: "next", Args: "KIND", About: "advance to the next " + control.Marks()},
		{Name: "until", Args: "CONDITION", About: "advance until a CEL condition is true"},
		{Name: "pause", About: "stop virtual time"},
		{Name: "speed", Args: "60", About: "run at 60 virtual seconds per second"},
		{Name: "until-quiet", About: "advance after each write until nothing is due"},
		{Name: "save", Args: "FILE", About: "write the session so far as a scenario"},
	}, verbs...)
}

// Answer is what came of a request.
type Answer struct {
	Of    *Session
	State control.State
	// Said is for the reader, and Err why nothing came of it.
	Said string
	Err  error
	// Key is that of the Wanted that the request is for; empty if it is for none.
	Key string
}

// Run runs a command that was typed. What it returns is called beside the interface, as with all requests.
func (s *Session) Run(line string) func() Answer {
	name, rest := split(line)
	switch {
	case name == "save":
		return s.save(rest)
	case moves(name, rest):
		return s.move(name, rest)
	}
	do := s.move("do", line)
	return func() Answer {
		answer := do()
		if answer.Err == nil {
			answer.Said = "done: it is a step of the session"
		}
		return answer
	}
}

// IsOfSession reports whether a command is for the session, whatever moment is looked at: it is no step of a scenario.
func IsOfSession(line string) bool {
	name, rest := split(line)
	return name == "save" || moves(name, rest)
}

// split is a command and what follows it.
func split(line string) (name, rest string) {
	name, rest, _ = strings.Cut(strings.TrimSpace(line), " ")
	return name, strings.TrimSpace(rest)
}

// moves reports whether a command is about how time passes.
func moves(name, rest string) bool {
	if name == "step" {
		_, err := time.ParseDuration(rest)
		return err == nil
	}
	return slices.Contains([]string{"until", "next", "speed", "pause", "until-quiet"}, name)
}

// Past asks for the session so far, for a branch of it. The text is that of a scenario.
func (s *Session) Past() ([]byte, error) { return s.client.Past(s.ctx) }

// move asks the server. Stop ends a request that lets time pass.
func (s *Session) move(name, value string) func() Answer {
	ctx, stop := context.WithCancel(s.ctx)
	if name == "step" || name == "until" || name == "next" {
		s.stop = stop
	}
	return func() Answer {
		defer stop()
		state, err := s.client.Move(ctx, name, value)
		switch {
		case ctx.Err() != nil:
			err = errors.New("stopped")
		case err == nil && state.Error != "":
			err = errors.New(state.Error)
		}
		return Answer{Of: s, State: state, Err: err}
	}
}

// Next stops time where it is, and lets it pass until there is another record of a kind (package control). The key is for the
// answer.
func (s *Session) Next(key, kind string) func() Answer {
	pause, next := s.move("pause", ""), s.move("next", kind)
	return func() Answer {
		answer := pause()
		if answer.Err == nil {
			answer = next()
		}
		answer.Key = key
		return answer
	}
}

// Toggle lets time pass at the last speed, or stand still.
func (s *Session) Toggle() func() Answer {
	if s.State.Moving {
		s.stop()
	}
	if s.State.Speed > 0 || s.State.Moving {
		return s.move("pause", "")
	}
	return s.Pace(cmp.Or(s.speed, 1))
}

// Pace lets time pass at a speed.
func (s *Session) Pace(speed float64) func() Answer {
	return s.move("speed", strconv.FormatFloat(speed, 'f', -1, 64))
}

// speeds are those that two keys go through.
var speeds = []float64{0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 60, 300, 3600}

// Faster is the next speed up or, if by is -1, down.
func Faster(speed float64, by int) float64 {
	if by > 0 {
		for _, s := range speeds {
			if s > speed {
				return s
			}
		}
		return speeds[len(speeds)-1]
	}
	slower := speeds[0]
	for _, s := range speeds {
		if s < speed {
			slower = s
		}
	}
	return slower
}

// save writes the session so far. What is there already stays.
func (s *Session) save(file string) func() Answer {
	return func() Answer {
		if file == "" {
			return Answer{Of: s, Err: errors.New("save needs a file: save session.yaml")}
		}
		if err := s.write(file); err != nil {
			return Answer{Of: s, Err: err}
		}
		return Answer{Of: s, Said: "saved: kubestep run " + file + " runs the session again"}
	}
}

// unsaved are the rights of a session that is saved: it replaces nothing, and has the values of Secrets.
var unsaved = output.Rights{Private: true}

// write writes a file that does not exist yet.
func (s *Session) write(file string) error {
	if err := output.Check(file, unsaved); err != nil {
		return err
	}
	text, err := s.client.Scenario(s.ctx)
	if err != nil {
		return err
	}
	return output.WriteFile(file, text, unsaved)
}

// Clock says how time passes.
func Clock(state control.State) string {
	switch {
	case state.Ended:
		return "ended"
	case state.Moving:
		return "▶▶"
	case state.UntilQuiet:
		return "until quiet"
	case state.Speed == 0:
		return "▮▮"
	}
	pace := "▶  x" + strconv.FormatFloat(state.Speed, 'f', -1, 64)
	if state.Slower > 0 {
		pace += ", " + control.TimesSlower(state.Slower)
	}
	return pace
}

// slow is after how much work the interface pauses, so that keys are read.
const slow = 20 * time.Millisecond

// Busy starts to measure work. What it returns says how long to wait afterwards.
func Busy() (pause func() time.Duration) {
	begin := time.Now()
	return func() time.Duration {
		took := time.Since(begin)
		if took < slow {
			return 0
		}
		return 3 * took
	}
}
