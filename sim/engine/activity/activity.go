// Package activity tracks what each goroutine of a simulation is working on.
//
// Upstream's controllers start goroutines freely: workers, event broadcasters, parallel pod creations. A request does
// not say which controller, and which sync of it, sends it. So the simulation tags a goroutine when a controller is
// built and when a worker takes a key, and every goroutine that is started from there inherits the tag, at any depth.
//
// The tag is the goroutine's profiler label, the one value that Go's runtime passes from a goroutine to those that it
// starts. Setting it is public API (runtime/pprof); reading it is not, and uses the linkname that the runtime keeps for
// this purpose (see runtime/proflabel.go, go.dev/issue/67401).
package activity

import (
	"context"
	"os"
	"runtime/pprof"
	"strings"
	"sync"
	"unsafe"
)

// Activity is what a goroutine works on. Fields may be read by anyone who holds the Activity.
type Activity struct {
	// Aside means that the work is no part of the run, so that what it logs is not recorded.
	Aside bool
	// Actor is the controller or component, such as deployment-controller.
	Actor string
	// Task is the owner's own data about a unit of work, such as a sync; nil outside of one.
	Task any

	labels context.Context
	label  unsafe.Pointer
}

// Registry finds the Activity of a goroutine. The zero value is ready to use.
type Registry struct {
	activities sync.Map // unsafe.Pointer of the label set -> *Activity
}

// Enter tags the calling goroutine, and all goroutines that it starts from now on, with a.
func (r *Registry) Enter(a *Activity) {
	if a.labels == nil {
		// A new label set has a unique address, which serves as the key. The Activity references the set, so the
		// address is not reused while it may be looked up.
		a.labels = pprof.WithLabels(context.Background(), pprof.Labels("actor", a.Actor))
		pprof.SetGoroutineLabels(a.labels)
		a.label = goroutineLabel()
		r.activities.Store(a.label, a)
		return
	}
	pprof.SetGoroutineLabels(a.labels)
}

// Leave removes the tag of the calling goroutine.
func (r *Registry) Leave() { pprof.SetGoroutineLabels(context.Background()) }

// Current returns what the calling goroutine works on, or nil.
func (r *Registry) Current() *Activity {
	label := goroutineLabel()
	if label == nil {
		return nil
	}
	if a, ok := r.activities.Load(label); ok {
		return a.(*Activity)
	}
	return nil
}

// goroutineLabel returns the address of the calling goroutine's label set.
//
//go:linkname goroutineLabel runtime/pprof.runtime_getProfLabel
func goroutineLabel() unsafe.Pointer

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
