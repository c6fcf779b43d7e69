package cri

import "time"

// OnChange makes the runtime call changed whenever a sandbox or a container is made, starts, ends, gets other resources, or is removed.
// There is one such function: that of the kubelet that started last. It is called with the lock of the runtime held, and must not call the
// runtime.
func (r *Runtime) OnChange(changed func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.changed = changed
}

// change reports a change. The caller holds the lock.
func (r *Runtime) change() {
	if r.changed != nil {
		r.changed()
	}
}

// IsSteady reports whether what the containers use stays as it is until one changes: no program takes more memory or processes every
// second, or prints, none is in Go, which may write files at any time, and none has written to a disk, since a kubelet measures volumes
// later.
func (r *Runtime) IsSteady() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	now, steady := time.Now(), len(r.left) == 0
	r.containers.all(func(c *container) {
		grows := c.processes != nil || c.program.Leaks != 0 || c.program.Forks != 0 || len(c.program.Prints) > 0
		if c.runs(now) && grows || c.program.Writes != 0 {
			steady = false
		}
	})
	return steady
}
