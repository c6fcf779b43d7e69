// Bubble prints what chance decides in a bubble, one line for each kind of chance. Built with the overlay,
// each line is a function of the seed, the first argument. Further arguments name experiments.
package main

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"math/rand"
	randv2 "math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kubestep/kubestep/sim/toolchain/exact"
)

// early is made before the bubble begins, and iterated over in it.
var early = func() map[string]int {
	m := map[string]int{}
	for i := range 1000 {
		m["early"+strconv.Itoa(i)] = i
	}
	return m
}()

var experiments = map[string]func(note func(any)){
	"maps": maps, "early": earlyMap, "sync.Map": syncMap, "selects": selects, "timers": timers, "tickers": tickers,
	"rand": random, "mutexes": mutexes, "crowd": crowd, "garbage": garbage, "contexts": contexts, "temporary files": temporaryFiles,
	"heap": heap, "long loops": longLoops, "long calls": longCalls, "DNS": queries, "yields": yields,
}

func main() {
	seed, err := strconv.ParseUint(os.Args[1], 10, 64)
	if err != nil {
		panic(err)
	}
	defer exact.OneProcessor()()
	names := os.Args[2:]
	if len(names) == 0 {
		for name := range experiments {
			names = append(names, name)
		}
		slices.SortFunc(names, cmp.Compare)
	}
	for _, name := range names {
		hash := fnv.New64a()
		synctest.Test(new(testing.T), func(*testing.T) {
			exact.Seed(seed)
			var mu sync.Mutex
			experiments[name](func(v any) {
				mu.Lock()
				defer mu.Unlock()
				fmt.Fprintln(hash, v)
			})
		})
		fmt.Printf("%s: %x\n", name, hash.Sum64())
	}
}

// maps iterates over maps with one and with many groups of entries, and over one while it changes.
func maps(note func(any)) {
	for _, size := range []int{3, 8, 50, 5000} {
		time.Sleep(time.Second)
		m := map[string]int{}
		for i := range size {
			m[strconv.Itoa(i)] = i
		}
		for range 3 {
			for k := range m {
				note(k)
				if m[k]%3 == 0 {
					delete(m, k)
				}
				m[k+"x"] = 1
				if len(m) > 2*size {
					break
				}
			}
		}
	}
}

func earlyMap(note func(any)) {
	for k := range early {
		note(k)
	}
}

func syncMap(note func(any)) {
	var m sync.Map
	for i := range 100 {
		m.Store(i, i)
	}
	m.Range(func(k, _ any) bool { note(k); return true })
}

// selects has several ready cases in several goroutines.
func selects(note func(any)) {
	var wg sync.WaitGroup
	for id := range 8 {
		wg.Go(func() {
			a, b, c := make(chan int, 50), make(chan int, 50), make(chan int, 50)
			for i := range 50 {
				a <- i
				b <- 100 + i
				c <- 200 + i
			}
			for range 100 {
				select {
				case v := <-a:
					note([2]int{id, v})
				case v := <-b:
					note([2]int{id, v})
				case v := <-c:
					note([2]int{id, v})
				}
			}
		})
	}
	wg.Wait()
}

// timers has many timers and sleepers for one instant.
func timers(note func(any)) {
	var wg sync.WaitGroup
	for i := range 200 {
		wg.Add(1)
		time.AfterFunc(time.Second, func() {
			note(i)
			time.AfterFunc(time.Second, func() { note(-i); wg.Done() })
		})
		wg.Go(func() { time.Sleep(2 * time.Second); note(1000 + i) })
	}
	wg.Wait()
}

// tickers waits for several tickers of one instant, whose channels are at addresses that differ from process to process.
func tickers(note func(any)) {
	fragment()
	for range 2000 {
		a, b, c := time.NewTicker(time.Second), time.NewTicker(time.Second), time.NewTicker(time.Second)
		select {
		case <-a.C:
			note("a")
		case <-b.C:
			note("b")
		case <-c.C:
			note("c")
		}
		a.Stop()
		b.Stop()
		c.Stop()
	}
}

func random(note func(any)) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { note(rand.Int63()); note(randv2.IntN(1000)); note(randv2.Perm(5)) })
	}
	wg.Wait()
}

// mutexes lets goroutines fight for a lock that is held longer than a millisecond of real time.
func mutexes(note func(any)) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			for range 3 {
				mu.Lock()
				spin(200_000 * (i%5 + 1))
				note(i)
				runtime.Gosched()
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}

var sink [64][]byte

func spin(n int) (sum int) {
	for i := range n {
		sum += i * i
	}
	return sum
}

// crowd has far more goroutines than a processor's queue holds, which wake each other.
func crowd(note func(any)) {
	const size = 2000
	var wg sync.WaitGroup
	start := make(chan struct{})
	chans := make([]chan int, size)
	for i := range chans {
		chans[i] = make(chan int, 4)
	}
	for i := range size {
		wg.Go(func() {
			<-start
			note(i)
			chans[(i*7+1)%size] <- i
			note(<-chans[i])
		})
	}
	synctest.Wait()
	close(start)
	wg.Wait()
}

// yields lets goroutines give up the processor beside others that wake each other, and more often than the scheduler goes without a look
// at the queue of all processors.
func yields(note func(any)) {
	var wg sync.WaitGroup
	ball := make(chan int)
	for id := range 10 {
		wg.Go(func() {
			for turn := range 30 {
				note([2]int{id, turn})
				runtime.Gosched()
			}
		})
		wg.Go(func() {
			for range 30 {
				if id%2 == 0 {
					ball <- id
				} else {
					note(<-ball)
				}
			}
		})
	}
	wg.Wait()
}

// garbage keeps the collector busy while goroutines hand work to each other.
func garbage(note func(any)) {
	const workers = 50
	var wg sync.WaitGroup
	work := make(chan int, 3)
	for id := range workers {
		wg.Go(func() {
			for n := range work {
				keep := map[int][]byte{}
				for i := range 50 {
					keep[i] = make([]byte, 4096)
				}
				sink[n%len(sink)] = keep[n%50]
				runtime.SetFinalizer(&keep[0][0], func(*byte) {})
				note([2]int{id, n})
			}
		})
	}
	for n := range 4000 {
		work <- n
	}
	close(work)
	wg.Wait()
}

// contexts cancels a context with many children: each of them does what waits for its end.
func contexts(note func(any)) {
	parent, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Add(200)
	for i := range 200 {
		context.AfterFunc(parent, func() { note(i); wg.Done() })
	}
	cancel()
	wg.Wait()
}

// temporaryFiles notes the names of files, which are random, and differ from each other.
func temporaryFiles(note func(any)) {
	dir, err := os.MkdirTemp("", "bubble")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	for range 3 {
		f, err := os.CreateTemp(dir, "")
		if err != nil {
			panic(err)
		}
		note(f.Name()[len(dir):])
		f.Close()
	}
}
