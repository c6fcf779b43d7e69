package engine

import (
	"bytes"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"sort"
	"strings"
	"time"
)

// FrozenError means that a simulation makes no progress: a goroutine of it waits for something that virtual time does
// not cover, such as a mutex held across an API call, or spins forever.
type FrozenError struct {
	// Stuck holds the stacks of the goroutines that kept the simulation from being quiescent.
	Stuck string
	// After is the real time without any progress.
	After time.Duration
	// Virtual is the virtual time that the simulation had reached.
	Virtual time.Duration
	// Actors are those that the goroutines in Stuck work for, if known.
	Actors []string
}

// Error implements error.
func (f *FrozenError) Error() string {
	text := fmt.Sprintf("frozen simulation: no progress for %s of real time at virtual time %s", f.After, f.Virtual)
	if len(f.Actors) > 0 {
		text += "; held up by " + strings.Join(f.Actors, ", ")
	}
	if f.Listens() {
		text += ", which listens on a port"
	}
	return text
}

// Listens reports whether a goroutine waits for connections on a port, which never come.
func (f *FrozenError) Listens() bool { return strings.Contains(f.Stuck, accepting) }

// Try is what may help, or "".
func (f *FrozenError) Try() string {
	if !f.Listens() {
		return ""
	}
	return "serve webhooks with Clients.ServeWebhooks, and metrics and health probes not at all (BindAddress: \"0\")"
}

// accepting is in the stack of a goroutine that waits for connections.
const accepting = "net.(*netFD).accept("

// actorLabel matches the actor of a goroutine in a traceback (package activity).
var actorLabel = regexp.MustCompile(`(?m)^goroutine .* labels:\{.*"actor": "([^"]+)"`)

// actorsIn lists the actors of the goroutines in a dump, sorted.
func actorsIn(dump string) []string {
	var actors []string
	for _, found := range actorLabel.FindAllStringSubmatch(dump, -1) {
		actors = append(actors, found[1])
	}
	slices.Sort(actors)
	return slices.Compact(actors)
}

// Watch observes progress from outside the bubble, in real time, and calls frozen once if the loop does not iterate for
// limit. It returns the function that stops watching.
func Watch(progress *Progress, limit time.Duration, frozen func(*FrozenError)) (stop func()) {
	done := make(chan struct{})
	go func() {
		tick := time.NewTicker(limit / 20)
		defer tick.Stop()
		last, since := int64(-1), time.Now()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
			}
			turns := progress.Turns.Load()
			idle := time.Since(since)
			if turns != last {
				last, since = turns, time.Now()
				continue
			}
			if idle < limit/10 {
				continue
			}
			culprits := stuck(stacks())
			f := &FrozenError{
				Stuck: culprits, After: idle.Round(time.Millisecond),
				Virtual: time.Duration(progress.Virtual.Load()), Actors: actorsIn(culprits),
			}
			// Nothing connects to a port, so there is no need to be patient.
			if idle >= limit || f.Listens() {
				frozen(f)
				return
			}
		}
	}()
	return func() { close(done) }
}

// stacks dumps every goroutine.
func stacks() []byte {
	for size := 1 << 20; ; size *= 2 {
		buffer := make([]byte, size)
		if n := runtime.Stack(buffer, true); n < size {
			return buffer[:n]
		}
	}
}

// stuck keeps the goroutines of a bubble that are not durably blocked, which are those that cause the freeze. The
// header of such a goroutine reads "goroutine 42 [sync.Mutex.Lock, synctest bubble 1]:".
func stuck(dump []byte) string {
	var culprits []string
	for _, stack := range bytes.Split(dump, []byte("\n\n")) {
		header, _, _ := strings.Cut(string(stack), "\n")
		if strings.Contains(header, "synctest bubble") && !strings.Contains(header, "(durable)") &&
			!strings.Contains(header, "synctest.Wait") && !strings.Contains(header, "synctest.Run") {
			culprits = append(culprits, string(stack))
		}
	}
	sort.Strings(culprits)
	return strings.Join(culprits, "\n\n")
}
