// Fork copies a process in which a simulation runs, at several virtual times, and compares how the simulation ends in all of them.
//
// Usage: fork CHILDREN
package main

import (
	"fmt"
	"hash/fnv"
	"os"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kubestep/kubestep/sim/toolchain/exact"
)

const (
	goroutines = 200
	steps      = 60
)

func main() {
	children, err := strconv.Atoi(os.Args[1])
	if err != nil {
		panic(err)
	}
	exact.OneProcessor()
	wait()
	// What the collector has to copy, and may be in the middle of.
	ballast := make([]*[1 << 10]byte, 20_000)
	for i := range ballast {
		ballast[i] = &[1 << 10]byte{byte(i)}
	}
	report := newPipe()
	forks := &forks{each: (children + steps - 1) / steps, left: children, report: report}
	var result string
	synctest.Test(new(testing.T), func(*testing.T) { result = simulate(forks) })
	for i, b := range ballast {
		if b[0] != byte(i) {
			result = "other memory"
		}
	}
	if forks.child {
		report.write(result)
		os.Exit(0)
	}
	same := 0
	for _, got := range forks.got {
		if got == result {
			same++
		} else {
			fmt.Println("a child says", got, "and the parent", result)
		}
	}
	fmt.Printf("fork: %d of %d children are the same\n", same, children)
}

// forks copies the process again and again.
type forks struct {
	// each is the number of children at one step, and left that of all.
	each, left int
	report     pipe
	child      bool
	got        []string
}

// now forks some children. It returns in the parent when they have ended, one after the other.
func (f *forks) now() {
	for i := 0; i < f.each && f.left > 0 && !f.child; i++ {
		pid, err := exact.Fork()
		if err != nil {
			panic(err)
		}
		if pid == 0 {
			f.child = true
			if f.left%10 == 0 {
				runtime.GC()
			}
			return
		}
		f.got = append(f.got, f.report.read())
		var status syscall.WaitStatus
		if _, err := syscall.Wait4(pid, &status, 0, nil); err != nil || status.ExitStatus() != 0 {
			panic(fmt.Sprint(err, status))
		}
		f.left--
	}
}

// simulate lets goroutines pass numbers in virtual time. The result depends on the order in which they run, which the seed decides.
func simulate(forks *forks) string {
	exact.Seed(7)
	hash := fnv.New64()
	var mu sync.Mutex
	in := make(chan int)
	for i := range goroutines {
		go func() {
			for n := range in {
				time.Sleep(time.Duration(n%7) * time.Millisecond)
				waste := make([]byte, 10_000+n)
				mu.Lock()
				fmt.Fprintln(hash, i, n, len(waste))
				mu.Unlock()
			}
		}()
	}
	for step := range steps {
		for n := range 100 {
			in <- step*100 + n
		}
		time.Sleep(time.Second)
		synctest.Wait()
		forks.now()
	}
	close(in)
	synctest.Wait()
	return strconv.FormatUint(hash.Sum64(), 16)
}

// wait starts goroutines that wait in real time: for the network's poller, in a system call, for a timer, and for work.
func wait() {
	polled, _, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	blocking := newPipe()
	go func() { _, _ = polled.Read(make([]byte, 1)) }()
	go func() { blocking.read() }()
	go func() {
		for range time.Tick(time.Millisecond) {
			runtime.Gosched()
		}
	}()
	time.Sleep(5 * time.Millisecond)
}

// pipe is one whose system calls block threads.
type pipe [2]int

func newPipe() (p pipe) {
	if err := syscall.Pipe(p[:]); err != nil {
		panic(err)
	}
	return p
}

func (p pipe) read() string {
	line := make([]byte, 100)
	n, err := syscall.Read(p[0], line)
	if err != nil {
		panic(err)
	}
	return string(line[:n])
}

func (p pipe) write(text string) {
	if _, err := syscall.Write(p[1], []byte(text)); err != nil {
		panic(err)
	}
}
