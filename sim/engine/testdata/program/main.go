// Program runs bubbles in a binary that is no test, as kubestep is.
package main

import (
	"fmt"
	"time"

	"github.com/kubestep/kubestep/sim/engine"
)

func main() {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	fmt.Println("a function that returns:", engine.Bubble(start, func() { time.Sleep(time.Hour) }))
	fmt.Println("one that panics:", engine.Bubble(start, func() { panic("boom") }))
	fmt.Println("one that leaves a goroutine behind:", engine.Bubble(start, func() { go func() { select {} }() }))
	fmt.Println("and once more:", engine.Bubble(start, func() {}))
}
