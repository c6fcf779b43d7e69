package format

import (
	"cmp"
	"time"

	"github.com/kubestep/kubestep/scenarios/notation"
)

// latencyProfiles are the values of Latency.Profile. The values of idle are fitted to recordings of a real control plane
// (docs/explanation/fidelity.md).
var latencyProfiles = map[string]latencyProfile{
	"idle": {
		request: between(300*time.Microsecond, 900*time.Microsecond), service: between(4*time.Millisecond, 10*time.Millisecond),
		response: between(800*time.Microsecond, 1500*time.Microsecond), watch: between(300*time.Microsecond, 1600*time.Microsecond),
	},
	"loaded": {
		request: between(2*time.Millisecond, 10*time.Millisecond), service: between(10*time.Millisecond, 40*time.Millisecond),
		response: between(2*time.Millisecond, 10*time.Millisecond), watch: between(5*time.Millisecond, 100*time.Millisecond),
	},
	"slow-etcd": {
		request: between(300*time.Microsecond, 900*time.Microsecond), service: between(50*time.Millisecond, 300*time.Millisecond),
		response: between(800*time.Microsecond, 1500*time.Microsecond), watch: between(300*time.Microsecond, 1600*time.Microsecond),
	},
}

type latencyProfile struct{ request, service, response, watch notation.Delay }

func between(low, high time.Duration) notation.Delay { return notation.Delay{Min: low, Max: high} }

// applyDefaults fills what the file leaves out. A response travels as long as its request. If that takes no time, a write
// takes none at the server, so that {request: 0s, watch: 0s} is lock-step.
func (l *Latency) applyDefaults() {
	l.Profile = cmp.Or(l.Profile, DefaultProfile)
	profile := latencyProfiles[l.Profile]
	if l.Request != nil && !l.Request.Never {
		profile.response = *l.Request
		if l.Request.Max == 0 {
			profile.service = notation.Delay{}
		}
	}
	setDefault(&l.Request, profile.request)
	setDefault(&l.Service, profile.service)
	setDefault(&l.Response, profile.response)
	setDefault(&l.Watch, profile.watch)
}
