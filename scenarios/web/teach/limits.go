package teach

import (
	"net"
	"net/http"
	"sync"

	"golang.org/x/time/rate"
)

// How often somebody may send requests. A class behind one router shares an address, so a student who has joined has a limit of the own,
// and the address counts only for those who have not.
var (
	// perAddress is for the requests of an address without those of its students, a second.
	perAddress = bucket{200, 400}
	// perStudent is for the requests of a student, a second. The playground needs twenty at once.
	perStudent = bucket{20, 100}
	// newcomers is for the students who join from an address, a second: a lecture hall at once, and others one after the other.
	newcomers = bucket{5, 400}
)

// maxLimits is how many addresses or students have limits of their own; the others share one.
const maxLimits = 10000

// bucket is a rate a second, and how many may come at once.
type bucket struct {
	rate  rate.Limit
	burst int
}

// limits are those of many addresses or students.
type limits struct {
	bucket
	mu sync.Mutex
	of map[string]*rate.Limiter
}

func newLimits(b bucket) *limits { return &limits{bucket: b, of: map[string]*rate.Limiter{}} }

// allow reports whether one more request may come.
func (l *limits) allow(name string) bool {
	l.mu.Lock()
	if l.of[name] == nil && len(l.of) >= maxLimits {
		name = ""
	}
	if l.of[name] == nil {
		l.of[name] = rate.NewLimiter(l.rate, l.burst)
	}
	limiter := l.of[name]
	l.mu.Unlock()
	return limiter.Allow()
}

// address is that of the sender of a request.
func address(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}
