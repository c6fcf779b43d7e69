package lifecycle

import (
	"fmt"
	"time"
)

// Words are those for times: when something began, and when it is due. Due is empty for a time that nobody may know yet.
type Words struct{ Since, Due func(at time.Time) string }

// due adds the words for a time, if there are some.
func (w Words) due(text string, at time.Time) string {
	if at.IsZero() {
		return text
	}
	if when := w.Due(at); when != "" {
		return text + " " + when
	}
	return text
}

// Brief is what a kubelet does with a Pod while it waits for a reason, in a few words.
func Brief(r Reason, words Words) string {
	switch r := r.(type) {
	case *Initial:
		return Brief(r.Reason, words) + fmt.Sprintf(" (init container %d of %d)", r.Number, r.Of)
	case *Runs:
		return "runs container " + r.Container + " " + words.Since(r.Since)
	case *Waits:
		return "cannot start container " + r.Container + ": " + r.Reason
	case *Gate:
		return "waits for the condition " + string(r.Condition)
	case *Creation:
		return "starts container " + r.Container
	case *Exit:
		return fmt.Sprintf("container %s has ended with code %d", r.Container, r.Code)
	case *Ended:
		if r.Next.IsZero() {
			return fmt.Sprintf("container %s has ended with code %d", r.Container, r.How.ExitCode)
		}
		return words.due("back-off: starts container "+r.Container+" again", r.Next)
	case *Pulling:
		return "pulls image " + r.Image + " " + words.Since(r.Since)
	case *Queued:
		return "the pull of image " + r.Image + " waits for that of " + r.For[0].Image
	case *Pulled:
		return words.due("back-off: pulls image "+r.Image+" again", r.Next)
	case *Probe:
		return words.due("waits for the "+r.Type+" probe of "+r.Container, r.Next)
	case *Stop:
		return r.brief(words)
	}
	return ""
}

// brief says how far the end of the container is.
func (s *Stop) brief(words Words) string {
	text := "stops container " + s.Container + ": "
	switch {
	case !s.Hook.IsZero():
		return text + "preStop hook " + words.Since(s.Hook)
	case s.Signal == nil:
		return text + "the preStop hook has ended"
	case s.Kill.IsZero():
		return text + s.Signal.Name + " was sent"
	}
	return words.due(text+s.Signal.Name+" was sent, SIGKILL", s.Kill)
}
