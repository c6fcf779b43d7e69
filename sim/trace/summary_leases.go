package trace

import (
	"strings"
	"time"
)

// leadership words that a lease got another holder, and what entitled it: that nobody had renewed the lease
// for so long. A mere renewal has no words of its own.
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
