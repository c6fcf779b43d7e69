// Race runs a bubble with a data race between two others.
package main

import (
	"fmt"
	"time"

	"github.com/kubestep/kubestep/sim/engine"
)

func main() {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	fmt.Println("before:", engine.Bubble(start, func() {}))
	fmt.Println("with a data race:", engine.Bubble(start, race))
	fmt.Println("with a panic:", engine.Bubble(start, func() { panic("boom") }))
	fmt.Println("after:", engine.Bubble(start, func() { time.Sleep(time.Hour) }))
}

// race writes a variable in two goroutines, of which none waits for the other.
func race() {
	n := 0
	go func() { n++ }()
	n++
	time.Sleep(time.Second)
}
