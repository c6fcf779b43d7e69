package format

import (
	"cmp"

	"github.com/kubestep/kubestep/scenarios/language/notation"
)

// applyDefaults fills what the file leaves out. A response travels as long as its request. If that takes no time, a write
// takes none at the server, so that {request: 0s, watch: 0s} is lock-step.
func (l *Latency) applyDefaults() {
	l.Profile = cmp.Or(l.Profile, DefaultProfile)
	profile := notation.LatencyProfiles[l.Profile]
	if l.Request != nil && !l.Request.Never {
		profile.Response = *l.Request
		if l.Request.Max == 0 {
			profile.Service = notation.Delay{}
		}
	}
	setDefault(&l.Request, profile.Request)
	setDefault(&l.Service, profile.Service)
	setDefault(&l.Response, profile.Response)
	setDefault(&l.Watch, profile.Watch)
}
