package external

import "sync"

// A goroutine of a bubble must not start goroutines that wait for anything real: the bubble would never be quiescent. So
// one goroutine outside of all bubbles does what takes real time, and who asks for it waits on channels that do not belong to
// a bubble, which keeps virtual time from moving.
var (
	jobs         = make(chan func())
	finished     = make(chan struct{})
	startOutside = sync.OnceFunc(func() {
		go func() {
			for job := range jobs {
				job()
				finished <- struct{}{}
			}
		}()
	})
	// oneJob lets one goroutine at a time use the channels.
	oneJob sync.Mutex
)

// outside runs job on the goroutine outside of all bubbles, and waits for it.
func outside(job func()) {
	oneJob.Lock()
	defer oneJob.Unlock()
	jobs <- job
	<-finished
}
