package main

import (
	"context"
	"encoding/binary"
	"io"
	"math/rand"
	"net"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// first is allocated before the bubble begins.
var first = new(int)

// heap notes the 64 MiB of addresses in which the heap begins. They differ between platforms.
func heap(note func(any)) { note(uintptr(unsafe.Pointer(first)) >> 26) }

// kept are channels between which the garbage collector has freed others, and process is the number of the process.
var (
	kept    [20000]chan time.Time
	process = os.Getpid()
)

// fragment leaves gaps of the size of a ticker's channel in the heap, in places that depend on the number of the process.
func fragment() {
	for i := range kept {
		kept[i] = make(chan time.Time, 1)
	}
	for i := range kept {
		if i*process%7 < 3 {
			kept[i] = nil
		}
	}
	abroad <- func() {
		runtime.GC()
		begun <- true
	}
	<-begun
}

// work is longer than the time slice of a goroutine, and than the runtime waits for a system call, in real time.
const work = 40 * time.Millisecond

// beside lets goroutines do, in an order of the seed, what takes long in real time, and notes when each begins and ends.
func beside(note func(any), do func()) {
	var wg sync.WaitGroup
	for _, id := range rand.Perm(3) {
		wg.Go(func() {
			note([2]any{id, "begins"})
			do()
			note([2]any{id, "ends"})
		})
	}
	wg.Wait()
}

// abroad are functions that a goroutine outside of the bubble runs. The channels were made there, too.
var abroad, begun = make(chan func()), make(chan bool)

func init() {
	go func() {
		for f := range abroad {
			f()
		}
	}()
}

// longLoops are not interrupted: somebody outside who could run all the time has no turn during a loop. The garbage collector could
// give that one a turn, so it is done before.
func longLoops(note func(any)) {
	var turns atomic.Int64
	var stop atomic.Bool
	abroad <- func() {
		runtime.GC()
		for begun <- true; !stop.Load(); runtime.Gosched() {
			turns.Add(1)
		}
	}
	<-begun
	beside(note, func() {
		before := turns.Load()
		spinFor(work)
		note(turns.Load() - before)
	})
	stop.Store(true)
}

// longCalls keep the processor while the system has the goroutine.
func longCalls(note func(any)) { beside(note, func() { callFor(work) }) }

// queries notes the numbers of DNS queries, and answers that the name does not exist.
func queries(note func(any)) {
	resolver := net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		client, server := net.Pipe()
		go answer(server, note)
		return client, nil
	}}
	for range 5 {
		_, err := resolver.LookupTXT(context.Background(), "nowhere.example.")
		note(err != nil)
	}
}

// answer reads one query of DNS over TCP: its length, its number and the rest.
func answer(conn net.Conn, note func(any)) {
	defer conn.Close()
	var length [2]byte
	if _, err := io.ReadFull(conn, length[:]); err != nil {
		return
	}
	message := make([]byte, binary.BigEndian.Uint16(length[:]))
	if _, err := io.ReadFull(conn, message); err != nil {
		return
	}
	note(binary.BigEndian.Uint16(message))
	const response, nameError = 0x80, 3
	message[2] |= response
	message[3] |= nameError
	conn.Write(append(length[:], message...))
}
