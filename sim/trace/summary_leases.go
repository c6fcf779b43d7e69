package trace

import (
	"strings"
	"time"
)

// leadership describes that a lease has another holder, and why it could: how long nobody had renewed the lease. A
// renewal is not described.
func leadership(s *summary) {
	holder, ok := s.field("spec.holderIdentity")
	if !ok {
		return
	}
	s.say(changed("holder", holder))
	if c, ok := s.field("spec.renewTime"); ok {
		before, after := microTime(c.Old), microTime(c.New)
		if idle := after.Sub(before); !before.IsZero() && idle > 0 {
			s.say("not renewed for " + Seconds(idle))
		}
	}
	if c, ok := s.field("spec.leaseTransitions"); ok {
		s.say(changed("transitions", c))
	}
	s.take(func(path string) bool { return strings.HasPrefix(path, "spec.") })
}

func microTime(value []byte) time.Time {
	text, _ := stringValue(value)
	at, _ := time.Parse(time.RFC3339Nano, text)
	return at
}
