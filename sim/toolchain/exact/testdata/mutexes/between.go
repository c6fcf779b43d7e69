package main

import (
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// What happens between two steps of somebody who locks or unlocks, and whom the system interrupts there, is too rare to wait for. So these
// experiments make such a step by themselves, with the fields of Go's mutexes.

// A mutexState is laid out as sync.Mutex.
type mutexState struct {
	state atomic.Int32
	sema  atomic.Uint32
}

// An rwMutexState is laid out as sync.RWMutex.
type rwMutexState struct {
	w                    mutexState
	writerSem, readerSem atomic.Uint32
}

// These are bits of a mutex, as in internal/sync, and how many bits are before the number of those who wait.
const (
	mutexLocked  = 1
	mutexOutside = 8
	mutexWaiters = 5
)

// release is what an Unlock does last.
//
//go:linkname release sync.runtime_Semrelease
func release(sema *atomic.Uint32, handoff bool, skipframes int)

// interrupted lets somebody outside unlock a mutex for which one in the bubble waits, and be interrupted before that one is woken up.
// Another one in the bubble locks it, and waits.
func interrupted(func(any)) string {
	var mu sync.Mutex
	var wg sync.WaitGroup
	state := (*mutexState)(unsafe.Pointer(&mu))
	var locked, unlocks, unlocked atomic.Bool
	leave(func() {
		mu.Lock()
		for locked.Store(true); !unlocks.Load(); {
			sleepInRealTime()
		}
		state.state.Add(-mutexLocked - mutexOutside)
		unlocked.Store(true)
	})
	until(&locked)
	wg.Go(func() { mu.Lock(); mu.Unlock() })
	for state.state.Load()>>mutexWaiters == 0 {
		leave(func() {})
	}
	unlocks.Store(true)
	until(&unlocked)
	mu.Lock()
	time.Sleep(time.Minute)
	mu.Unlock()
	wg.Wait()
	return "locked"
}

// overtaken lets somebody outside wait to read, and whenever that one is woken up another one be faster, but once. Then it has read once,
// and nobody outside does.
func overtaken(func(any)) string {
	var mu sync.RWMutex
	var asks, has, read atomic.Bool
	state := (*rwMutexState)(unsafe.Pointer(&mu))
	mu.Lock()
	leave(func() {
		asks.Store(true)
		mu.RLock()
		has.Store(true)
		mu.RUnlock()
		read.Store(true)
	})
	until(&asks)
	letOthersWait()
	mu.Unlock()
	if !state.readerSem.CompareAndSwap(1, 0) {
		return "nobody was woken up"
	}
	letOthersWait()
	if has.Load() {
		return "nobody was faster"
	}
	release(&state.readerSem, false, 0)
	until(&read)
	mu.RLock()
	time.AfterFunc(time.Minute, mu.RUnlock)
	mu.Lock()
	return "locked"
}

// letOthersWait gives those outside the time to get to where they wait.
func letOthersWait() {
	var slept atomic.Bool
	leave(func() { sleepInRealTime(); slept.Store(true) })
	until(&slept)
}
