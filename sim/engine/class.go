package engine

import "time"

// Class is the part that an event has in a simulation. The order of events does not depend on it.
type Class uint8

const (
	// Other is an event of none of the classes below, such as a request or a watch event on its way, or a fault.
	Other Class = iota
	// Component is an act of a part of the cluster beside its controllers, which will change something: a stage of a Pod on its node,
	// a look of the scheduler, the restart of a process.
	Component
	// Routine is an event that changes nothing that a verdict is about: a heartbeat, the compaction of the store, an Event that expires,
	// and a look of a step at what it waits for.
	Routine
)

// Classed schedules events of one class. Its methods are those of Engine.
type Classed struct {
	engine *Engine
	class  Class
}

// As schedules events of a class.
func (e *Engine) As(class Class) Classed { return Classed{e, class} }

// At is Engine.At.
func (c Classed) At(at time.Duration, key string, run func()) bool {
	return c.engine.Schedule(&Event{Key: key, Class: c.class, Due: func() time.Duration { return at }, Run: run})
}

// After is Engine.After.
func (c Classed) After(d time.Duration, key string, run func()) bool {
	return c.At(c.engine.Now()+d, key, run)
}

// Call is Engine.Call.
func (c Classed) Call(key string, f func()) {
	done := make(chan struct{})
	scheduled := c.engine.Schedule(&Event{
		Key: key, Class: c.class, Abandon: func() { close(done) },
		Run: func() {
			f()
			close(done)
		},
	})
	if scheduled {
		<-done
	}
}
