// Mutexes waits for mutexes whose holders wait for virtual time, and for those that somebody outside of the bubble holds. With the
// overlay it ends, and prints a line for each experiment: a function of the seed, the first argument. Further arguments name
// experiments. The time of an experiment is virtual.
package main

import (
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"math/rand"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kubestep/kubestep/sim/toolchain/exact"
)

// An experiment returns what to print, and notes what must be a function of the seed.
type experiment = func(note func(any)) string

var experiments = map[string]experiment{
	"held": held, "crowd": crowd, "handed over": handedOver, "readers and writers": readersAndWriters, "once": once, "condition": condition,
	"outside": outside, "outside reads": outsideReads, "outside writes": outsideWrites, "outside waits": outsideWaits,
	"outside first, then inside": outsideThenInside, "outside reads beside inside": outsideReadsBeside,
	"outside tries": outsideTries, "outside tries to read": outsideTriesToRead, "listed": listed,
	"interrupted": interrupted, "overtaken": overtaken,
}

// chance are the experiments that are no function of the seed: what happens outside of the bubble has its part in them.
var chance = map[string]experiment{"storm": storm, "outside locks again and again": outsideLocksAgain}

func main() {
	seed, err := strconv.ParseUint(os.Args[1], 10, 64)
	if err != nil {
		panic(err)
	}
	defer exact.OneProcessor()()
	names := os.Args[2:]
	if len(names) == 0 {
		names = slices.Sorted(maps.Keys(experiments))
	}
	maps.Copy(experiments, chance)
	for _, name := range names {
		hash := fnv.New64a()
		var text string
		var took time.Duration
		synctest.Test(new(testing.T), func(*testing.T) {
			exact.Seed(seed)
			begin := time.Now()
			text = experiments[name](func(v any) { fmt.Fprintln(io.Writer(hash), v) })
			took = time.Since(begin)
		})
		fmt.Printf("%s: %s, %s, %x\n", name, text, took, hash.Sum64())
	}
}

// held is what upstream does: a mutex is held during a request, and somebody else waits for it.
func held(func(any)) string {
	var mu sync.Mutex
	mu.Lock()
	time.AfterFunc(time.Minute, mu.Unlock)
	mu.Lock()
	return "locked"
}

// listed looks for a goroutine that waits for a mutex in the list of all goroutines.
func listed(func(any)) string {
	var mu sync.Mutex
	mu.Lock()
	time.AfterFunc(time.Minute, mu.Unlock)
	go func() { mu.Lock(); mu.Unlock() }()
	synctest.Wait()
	buffer := make([]byte, 1<<16)
	list := string(buffer[:runtime.Stack(buffer, true)])
	mu.Lock()
	for line := range strings.Lines(list) {
		if strings.Contains(line, "[sync.Mutex.Lock") {
			_, state, _ := strings.Cut(line, "[")
			state, _, _ = strings.Cut(state, ", synctest")
			return state
		}
	}
	return "nobody waits"
}

// crowd waits for one mutex, which everybody holds for a while.
func crowd(note func(any)) string {
	const size = 100
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range size {
		wg.Go(func() {
			for turn := range 3 {
				mu.Lock()
				note([2]int{i, turn})
				time.Sleep(time.Duration(rand.Intn(3)) * 400 * time.Microsecond)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return "all had it"
}

// handedOver lets goroutines ask for a mutex one after the other while it is held for long: they get it in this order.
func handedOver(note func(any)) string {
	const size = 100
	var mu sync.Mutex
	var wg sync.WaitGroup
	var order []int
	mu.Lock()
	for i := range size {
		wg.Go(func() {
			time.Sleep(time.Duration(i) * time.Microsecond)
			mu.Lock()
			order = append(order, i)
			note(i)
			mu.Unlock()
		})
	}
	time.Sleep(time.Second)
	mu.Unlock()
	wg.Wait()
	if !slices.IsSorted(order) {
		return fmt.Sprint("out of order: ", order)
	}
	return "in the order of requests"
}

// readersAndWriters share an RWMutex.
func readersAndWriters(note func(any)) string {
	var mu sync.RWMutex
	var wg sync.WaitGroup
	var readers, writers, most atomic.Int32
	for i := range 60 {
		wg.Go(func() {
			for range 3 {
				pause := time.Duration(rand.Intn(5)) * time.Millisecond
				if i%4 == 0 {
					mu.Lock()
					if writers.Add(1) != 1 || readers.Load() != 0 {
						panic("a writer is not alone")
					}
					note(i)
					time.Sleep(pause)
					writers.Add(-1)
					mu.Unlock()
				} else {
					mu.RLock()
					most.Store(max(most.Load(), readers.Add(1)))
					note(-i)
					time.Sleep(pause)
					readers.Add(-1)
					mu.RUnlock()
				}
			}
		})
	}
	wg.Wait()
	if most.Load() < 2 {
		return "nobody reads together"
	}
	return "all had it"
}

// once holds a mutex while its function runs.
func once(func(any)) string {
	var o sync.Once
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() { o.Do(func() { time.Sleep(time.Second) }) })
	}
	wg.Wait()
	return "once"
}

// condition waits for its mutex after it was woken up.
func condition(note func(any)) string {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	ready := false
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			mu.Lock()
			for !ready {
				c.Wait()
			}
			note(i)
			time.Sleep(time.Second)
			mu.Unlock()
		})
	}
	time.Sleep(time.Second)
	mu.Lock()
	ready = true
	c.Broadcast()
	mu.Unlock()
	wg.Wait()
	return "all had it"
}
