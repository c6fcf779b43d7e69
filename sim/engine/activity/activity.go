// Package activity tracks what each goroutine of a simulation is working on.
//
// Upstream's controllers start goroutines freely: workers, event broadcasters, parallel pod creations. A request does
// not say which controller, and which sync of it, sends it. So the simulation tags a goroutine when a controller is
// built and when a worker takes a key, and every goroutine that is started from there inherits the tag, at any depth.
//
// The tag is the goroutine's profiler label, the one value that Go's runtime passes from a goroutine to those that it
// starts. Making a label set is public API (runtime/pprof); reading and setting it by its address is not, and uses the
// linknames that the runtime keeps for this purpose (see runtime/proflabel.go, go.dev/issue/67401).
package activity

import (
	"context"
	"os"
	"runtime/pprof"
	"strings"
	"sync"
	"unsafe"
	"weak"
)

// Activity is what a goroutine works on. Fields may be read by anyone who holds the Activity.
type Activity struct {
	// Aside means that the work is no part of the run, so that what it logs is not recorded.
	Aside bool
	// Actor is the controller or component, such as deployment-controller.
	Actor string
	// Task is the owner's own data about a unit of work, such as a sync; nil outside of one.
	Task any

	// label is the latest label set that stands for the Activity. Once no goroutine carries it, it is gone, and Enter makes another.
	label tag
}

// tag refers to a label set, which only the goroutines that carry it keep. Its first byte stands for it.
type tag = weak.Pointer[byte]

// Registry finds the Activity of a goroutine. The zero value is ready to use.
type Registry struct {
	mu sync.RWMutex
	// entries are by the address of the label set. Those of sets that are gone are dropped when there are limit entries: each sync and
	// each request adds one, and goroutines that it has started may carry its tag for as long as they live.
	entries map[uintptr]entry
	limit   int
}

// entry is a label set and what it stands for.
type entry struct {
	tag
	activity *Activity
}

// limitMin is how many entries a Registry has before it looks for those that are gone.
const limitMin = 1024

// Enter tags the calling goroutine, and all goroutines that it starts from now on, with a.
func (r *Registry) Enter(a *Activity) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if label := a.label.Value(); label != nil {
		setGoroutineLabel(unsafe.Pointer(label))
		return
	}
	// A new label set has an address that no other has while it exists.
	pprof.SetGoroutineLabels(pprof.WithLabels(context.Background(), pprof.Labels("actor", a.Actor)))
	label := goroutineLabel()
	a.label = weak.Make((*byte)(label))
	r.drop()
	r.entries[uintptr(label)] = entry{a.label, a}
}

// drop makes room for an entry. After each time that it looks at all, as many are added, so that looking costs little.
func (r *Registry) drop() {
	if r.entries == nil {
		r.entries = map[uintptr]entry{}
	}
	if len(r.entries) < max(r.limit, limitMin) {
		return
	}
	for address, e := range r.entries {
		if e.Value() == nil {
			delete(r.entries, address)
		}
	}
	r.limit = 2 * len(r.entries)
}

// Leave removes the tag of the calling goroutine.
func (r *Registry) Leave() { setGoroutineLabel(nil) }

// Current returns what the calling goroutine works on, or nil.
func (r *Registry) Current() *Activity {
	label := goroutineLabel()
	if label == nil {
		return nil
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	// A set that is gone may have left its address to one that another has made.
	if e, ok := r.entries[uintptr(label)]; ok && unsafe.Pointer(e.Value()) == label {
		return e.activity
	}
	return nil
}

// goroutineLabel returns the address of the calling goroutine's label set.
//
//go:linkname goroutineLabel runtime/pprof.runtime_getProfLabel
func goroutineLabel() unsafe.Pointer

// setGoroutineLabel gives the calling goroutine a label set.
//
//go:linkname setGoroutineLabel runtime/pprof.runtime_setProfLabel
func setGoroutineLabel(unsafe.Pointer)

// ShowInTracebacks makes Go's tracebacks name the activity of each goroutine, so that a panic and the report of a
// frozen simulation say whose goroutine it was: goroutine 42 [running labels:{"actor": "podcounter"}]. It is a setting
// of the process (GODEBUG), which Go reads again when it changes.
func ShowInTracebacks() {
	const name, setting = "GODEBUG", "tracebacklabels=1"
	before := os.Getenv(name)
	if strings.Contains(before, "tracebacklabels=") {
		return
	}
	// Setting a variable with a valid name cannot fail.
	_ = os.Setenv(name, strings.TrimPrefix(before+","+setting, ","))
}
