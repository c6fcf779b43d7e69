package components

import (
	"fmt"
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/reading/why"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// Times are the words for a virtual time: when something ended, when it began, and when it is due.
type Times struct{ Ended, Since, Due func(at time.Duration) string }

// Relative are the words of a screen that follows the time: 3 s ago, for 3 s, in 3 s.
func Relative(now time.Duration) Times {
	return Times{
		Ended: func(at time.Duration) string { return recording.Short(now-at) + " ago" },
		Since: func(at time.Duration) string { return "for " + recording.Short(now-at) },
		Due:   func(at time.Duration) string { return "in " + recording.Short(at-now) },
	}
}

// Absolute are the words of a picture that is drawn once for many times.
var Absolute = Times{
	Ended: func(at time.Duration) string { return "at " + trace.Seconds(at) },
	Since: func(at time.Duration) string { return "since " + trace.Seconds(at) },
	Due:   func(at time.Duration) string { return "at " + trace.Seconds(at) },
}

// About says in words what is unusual about the process of a component; it is empty if nothing is.
func (s State) About(t Times) string {
	switch s.Process.State {
	case why.Dead:
		text := s.Process.Why + " " + t.Ended(s.Process.Since)
		if s.Leader {
			text += ", has the lease"
		}
		return text
	case why.Paused:
		return "paused " + t.Since(s.Process.Since)
	case why.Standby:
		return "waits for the lease"
	}
	if s.Leader {
		return "leader"
	}
	return ""
}

// Queue says in words what is in the queues of a controller.
func (s State) Queue(t Times) string {
	text := "empty"
	switch {
	case len(s.InWork) > 0:
		text = "syncing " + s.InWork[0].Key
	case len(s.Waiting) > 0:
		text = s.Waiting[0].Key + " waits"
	case len(s.Timers) > 0 && s.Timers[0].At == 0:
		text = s.Timers[0].Key + " again later"
	case len(s.Timers) > 0:
		text = s.Timers[0].Key + " again " + t.Due(s.Timers[0].At)
	}
	if more := len(s.InWork) + len(s.Waiting) - 1; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	if s.Pods != nil {
		for _, part := range []struct {
			name string
			pods []recording.QueuedKey
		}{{"backoff", s.Pods.Backoff}, {"unschedulable", s.Pods.Unschedulable}} {
			if len(part.pods) > 0 {
				text += fmt.Sprintf(", %d %s", len(part.pods), part.name)
			}
		}
	}
	return text
}

// Cache says in words how far the caches of a controller are behind the store; behind reports whether they are.
func (s State) Cache(t Times) (text string, behind bool) {
	if len(s.Caches) == 0 {
		return "up to date", false
	}
	var caches []string
	for _, c := range s.Caches {
		caches = append(caches, fmt.Sprintf("%s %d behind %s", c.Resource, c.Behind, t.Since(c.Since)))
	}
	return strings.Join(caches, ", "), true
}

// Mark is the state of a component as a sign that takes one cell of a terminal.
func (s State) Mark() string {
	switch s.Process.State {
	case why.Dead:
		return "✕"
	case why.Paused:
		return "‖"
	case why.Standby:
		return "○"
	}
	if s.Leader {
		return "◆"
	}
	return "●"
}
