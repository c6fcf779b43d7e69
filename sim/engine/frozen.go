package engine

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/kubestep/kubestep/sim/toolchain/exact"
)

// FrozenError means that a simulation makes no progress: a goroutine of it waits for something that virtual time does
// not cover, such as a mutex held across an API call, or spins forever.
type FrozenError struct {
	// Stuck holds the stacks of the goroutines that kept the simulation from being quiescent.
	Stuck string
	// After is the real time without any progress, as patience counts it.
	After time.Duration
	// Virtual is the virtual time that the simulation had reached.
	Virtual time.Duration
	// Mutexes are waits for mutexes that keep the simulation from being quiescent.
	Mutexes []MutexWait
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
	for _, wait := range f.Mutexes {
		text += "; " + wait.String()
	}
	if len(f.Mutexes) > 0 && !exact.Enabled() {
		text += "; virtual time passes meanwhile in the exact build (make build), but not in this one"
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

// isBusy reports whether a goroutine in Stuck runs, or could run.
func (f *FrozenError) isBusy() bool { return running.MatchString(f.Stuck) }

// running is the first line of such a goroutine.
var running = regexp.MustCompile(`(?m)^goroutine .*\[(running|runnable|preempted)`)

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

// stuckGoroutines keeps the goroutines of a bubble that are not durably blocked, which are those that cause the freeze. The
// header of such a goroutine reads "goroutine 42 [sync.Mutex.Lock, synctest bubble 1]:".
func stuckGoroutines(dump []byte) string {
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

// MutexWait is a goroutine that waits for a sync.Mutex or sync.RWMutex which somebody else holds for long.
type MutexWait struct {
	// Waiter is the function that locks, such as scheduler.(*RateLimitedTimedQueue).SwapLimiter.
	Waiter string
	// Holder is a method of the same type in a goroutine that waits for virtual time, or "". A mutex does not know who holds it.
	Holder string
}

// String says who waits for whom.
func (m MutexWait) String() string {
	if m.Holder == "" {
		return m.Waiter + " waits for a mutex that another goroutine holds"
	}
	return fmt.Sprintf("%s waits for a mutex, and %s, which probably holds it, waits for virtual time", m.Waiter, m.Holder)
}

// mutexWaits finds them in a dump of all goroutines.
func mutexWaits(dump string) []MutexWait {
	var waits []MutexWait
	stacks := strings.Split(dump, "\n\n")
	for _, stack := range stacks {
		header, _, _ := strings.Cut(stack, "\n")
		if !mutexHeader.MatchString(header) || strings.Contains(header, "(durable)") {
			continue
		}
		calls := callsIn(stack)
		if len(calls) == 0 {
			continue
		}
		wait := MutexWait{Waiter: calls[0]}
		for _, other := range stacks {
			header, _, _ := strings.Cut(other, "\n")
			if !strings.Contains(header, "synctest bubble") || !strings.Contains(header, "(durable)") {
				continue
			}
			calls := callsIn(other)
			if i := slices.IndexFunc(calls, func(c string) bool { return sameType(c, wait.Waiter) }); i >= 0 && wait.Holder == "" {
				wait.Holder = calls[i]
			}
		}
		waits = append(waits, wait)
	}
	sort.Slice(waits, func(i, j int) bool { return waits[i].String() < waits[j].String() })
	return slices.Compact(waits)
}

// mutexHeader is the first line of a goroutine in a bubble that waits for a mutex.
var mutexHeader = regexp.MustCompile(`^goroutine .*\[sync\.(RW)?Mutex\..*synctest bubble`)

// frame matches the line of a call in a traceback, such as "example.com/mine.(*Queue).Try(0xc000123, {...})". The arguments do not say
// on which object a method runs: after its last use, an argument may be printed as anything.
var frame = regexp.MustCompile(`(?m)^((?:[^\s(]|\([^)\s]*\)\.)+)\([^\n]*\)$`)

// callsIn lists the functions of a stack without the folders of their packages, the innermost first, and none of packages runtime and
// sync.
func callsIn(stack string) []string {
	var calls []string
	for _, found := range frame.FindAllStringSubmatch(stack, -1) {
		name := found[1]
		if !strings.HasPrefix(name, "sync.") && !strings.HasPrefix(name, "internal/sync.") && !strings.HasPrefix(name, "runtime.") {
			calls = append(calls, name[strings.LastIndexByte(name, '/')+1:])
		}
	}
	return calls
}

// sameType reports whether both are methods of one type, by way of a pointer: who locks and unlocks a mutex often are.
func sameType(a, b string) bool {
	typeA, _, isMethodA := strings.Cut(a, ").")
	typeB, _, isMethodB := strings.Cut(b, ").")
	return isMethodA && isMethodB && typeA == typeB
}
