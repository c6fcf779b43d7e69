package network

import (
	"sync"

	"golang.org/x/time/rate"
)

// limiters limit the rate of the requests of clients.
type limiters struct {
	// qps and burst are those of a client for which nothing else is said; a qps of 0 means no limit.
	qps   float64
	burst int

	// mu guards of: any goroutine may create a client.
	mu sync.Mutex
	of map[string]*rate.Limiter
}

// Limit multiplies the default rate and burst of actor.
func (l *limiters) Limit(actor string, qps, burst float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.limit(actor, qps, burst)
}

// LimitTo sets the rate and burst of actor, in requests per second, whatever the default; a rate of 0 or less means no limit.
func (l *limiters) LimitTo(actor string, qps float64, burst int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.of[actor] = nil
	if qps > 0 {
		l.of[actor] = rate.NewLimiter(rate.Limit(qps), burst)
	}
}

// limit sets the limiter of actor. The caller holds the lock.
func (l *limiters) limit(actor string, qps, burst float64) {
	if l.qps > 0 {
		l.of[actor] = rate.NewLimiter(rate.Limit(l.qps*qps), int(float64(l.burst)*burst))
	}
}

// limiter is that of actor, nil if there is no limit.
func (l *limiters) limiter(actor string) *rate.Limiter {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.of[actor]
}

// addLimiter gives actor the default limit, unless something else was said.
func (l *limiters) addLimiter(actor string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.of[actor]; !ok {
		l.limit(actor, 1, 1)
	}
}
