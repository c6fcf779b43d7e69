package main

import (
	"fmt"
	"math/rand"
	"sync"
	"sync/atomic"
	"time"
)

// abroad are functions that a goroutine outside of all bubbles runs. The channel was made there, too, so that a goroutine of a
// bubble that waits for it does not wait durably.
var abroad, returned = make(chan func()), make(chan bool)

func init() {
	go func() {
		for f := range abroad {
			go f()
			returned <- true
		}
	}()
}

// leave runs f outside, at once, and does not wait for it.
func leave(f func()) {
	abroad <- f
	<-returned
}

// sleepInRealTime is more than a mutex waits before it is handed over, and time for virtual years.
func sleepInRealTime() { time.Sleep(20 * time.Millisecond) }

// lockOutside locks outside, and unlocks after a while of real time. It returns when it is locked.
func lockOutside(mu sync.Locker) {
	var is atomic.Bool
	leave(func() {
		mu.Lock()
		is.Store(true)
		sleepInRealTime()
		mu.Unlock()
	})
	until(&is)
}

// until waits for somebody outside, while no virtual time passes.
func until(done *atomic.Bool) {
	for !done.Load() {
		leave(func() {})
	}
}

// clockwork lets timers pass until the returned function is called: they would be all that a bubble waits for.
func clockwork() (stop func()) {
	ticker := time.NewTicker(time.Second)
	done := make(chan bool)
	go func() {
		for {
			select {
			case <-ticker.C:
			case <-done:
				return
			}
		}
	}()
	return func() { ticker.Stop(); close(done) }
}

// outside waits for a mutex that is held outside: no virtual time passes.
func outside(func(any)) string {
	defer clockwork()()
	var mu sync.Mutex
	for range 5 {
		lockOutside(&mu)
		mu.Lock()
		mu.Unlock()
	}
	return "locked"
}

// A tried is a mutex that is locked by an attempt.
type tried struct {
	sync.Locker
	try func() bool
}

func (t tried) Lock() {
	if !t.try() {
		panic("the mutex is locked")
	}
}

// outsideTries waits for a mutex that somebody outside has got by TryLock.
func outsideTries(func(any)) string {
	defer clockwork()()
	var mu sync.Mutex
	lockOutside(tried{&mu, mu.TryLock})
	mu.Lock()
	mu.Unlock()
	return "locked"
}

func outsideTriesToRead(func(any)) string {
	defer clockwork()()
	var mu sync.RWMutex
	lockOutside(tried{mu.RLocker(), mu.TryRLock})
	mu.Lock()
	mu.Unlock()
	return "locked"
}

func outsideReads(func(any)) string {
	defer clockwork()()
	var mu sync.RWMutex
	lockOutside(mu.RLocker())
	mu.Lock()
	mu.Unlock()
	return "locked"
}

func outsideWrites(func(any)) string {
	defer clockwork()()
	var mu sync.RWMutex
	var wg sync.WaitGroup
	lockOutside(&mu)
	for range 5 {
		wg.Go(func() { mu.RLock(); mu.RUnlock() })
	}
	wg.Wait()
	return "locked"
}

// outsideWaits lets somebody outside wait for a mutex that is held in the bubble, before and behind others that wait. That one gets
// it, and holds it in real time.
func outsideWaits(func(any)) string {
	defer clockwork()()
	var wg sync.WaitGroup
	for range 5 {
		var mu sync.Mutex
		var asked atomic.Bool
		mu.Lock()
		leave(func() {
			asked.Store(true)
			mu.Lock()
			sleepInRealTime()
			mu.Unlock()
		})
		until(&asked)
		for range 3 {
			wg.Go(func() {
				mu.Lock()
				time.Sleep(time.Second)
				mu.Unlock()
			})
		}
		time.Sleep(time.Second)
		// Let a millisecond of real time pass, after which a mutex is handed over.
		for range 3 {
			var slept atomic.Bool
			leave(func() { time.Sleep(time.Millisecond); slept.Store(true) })
			until(&slept)
		}
		mu.Unlock()
		wg.Wait()
	}
	return "all had it"
}

// outsideThenInside waits for somebody outside; then the first who waited holds it in virtual time, for which the others wait.
func outsideThenInside(note func(any)) string {
	var mu sync.Mutex
	var wg sync.WaitGroup
	lockOutside(&mu)
	for i := range 10 {
		wg.Go(func() {
			mu.Lock()
			note(i)
			time.Sleep(time.Second)
			mu.Unlock()
		})
	}
	wg.Wait()
	return "all had it"
}

// outsideReadsBeside waits to write while somebody outside reads, who leaves first, and somebody in the bubble.
func outsideReadsBeside(func(any)) string {
	var mu sync.RWMutex
	lockOutside(mu.RLocker())
	mu.RLock()
	time.AfterFunc(time.Minute, mu.RUnlock)
	mu.Lock()
	return "locked"
}

// outsideLocksAgain asks for a mutex that somebody outside locks again as soon as it is free: the system interrupts that one while it holds
// the mutex, but for once in many thousand times.
func outsideLocksAgain(func(any)) string {
	defer clockwork()()
	var mu sync.Mutex
	var begun, stop atomic.Bool
	leave(func() {
		for !stop.Load() {
			mu.Lock()
			begun.Store(true)
			for range 10_000_000 {
			}
			mu.Unlock()
		}
	})
	until(&begun)
	for range 20 {
		mu.Lock()
		mu.Unlock()
	}
	stop.Store(true)
	return "all had it"
}

// storm shares mutexes with many outside, in random order. While somebody outside holds one for which a goroutine of the bubble
// waits, virtual time stands still, but for what is already due.
func storm(func(any)) string {
	locks := newLocks()
	var now, broken, left atomic.Int64
	var stop atomic.Bool
	for range 4 {
		left.Add(1)
		leave(func() {
			defer left.Add(-1)
			for !stop.Load() {
				l := locks[rand.Intn(len(locks))]
				l.outside.Lock()
				if !l.shared && l.waiting.Load() > 0 {
					before := now.Load()
					time.Sleep(time.Duration(rand.Intn(300)) * time.Microsecond)
					if now.Load() > before+1 {
						broken.Add(1)
					}
				}
				l.outside.Unlock()
				time.Sleep(50 * time.Microsecond)
			}
		})
	}
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			for range 300 {
				l := locks[rand.Intn(len(locks))]
				l.waiting.Add(1)
				l.inside.Lock()
				l.waiting.Add(-1)
				if !l.briefly {
					time.Sleep(time.Duration(rand.Intn(3)) * time.Millisecond)
				}
				l.inside.Unlock()
				time.Sleep(time.Duration(rand.Intn(3)) * time.Millisecond)
			}
		})
	}
	wg.Go(func() {
		for !stop.Load() {
			time.Sleep(100 * time.Microsecond)
			now.Add(1)
		}
	})
	time.AfterFunc(time.Second, func() { stop.Store(true) })
	wg.Wait()
	for left.Load() > 0 {
		leave(func() {})
	}
	if broken.Load() > 0 {
		return fmt.Sprint("time passed ", broken.Load(), " times")
	}
	return "all had it"
}

// A lock is for those in the bubble and for those outside.
type lock struct {
	inside, outside sync.Locker
	// waiting is how many in the bubble wait for it.
	waiting *atomic.Int64
	// briefly is set where nobody in the bubble may hold it while time passes. Somebody outside who waits to write holds up those
	// who want to read: then that one would wait for the bubble, and the bubble for that one.
	briefly bool
	// shared is set where one in the bubble and one outside may have it at the same time.
	shared bool
}

func newLocks() (locks []lock) {
	for range 2 {
		var mu sync.Mutex
		var rw, waits sync.RWMutex
		writes, waited := new(atomic.Int64), new(atomic.Int64)
		locks = append(locks,
			lock{inside: &mu, outside: &mu, waiting: new(atomic.Int64)},
			lock{inside: &rw, outside: rw.RLocker(), waiting: writes},
			lock{inside: rw.RLocker(), outside: rw.RLocker(), waiting: new(atomic.Int64), shared: true},
			lock{inside: &waits, outside: &waits, waiting: waited},
			lock{inside: waits.RLocker(), outside: &waits, waiting: waited, briefly: true},
		)
	}
	return locks
}
