// External prints what a controller that is a program of its own needs of its bubble: time passes while goroutines wait for channels
// that were made before the bubble, as those of libraries are. Built with the overlay of package ctrlmain, it ends. The first argument
// is the seed; further ones name experiments.
package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kubestep/kubestep/sim/toolchain/exact"
)

// never are channels from before the bubble, as wait.NeverStop is.
var never = [4]chan struct{}{make(chan struct{}), make(chan struct{}), make(chan struct{}), make(chan struct{})}

// experiments return the virtual time that passes, or the name of the host.
var experiments = map[string]func() any{
	"hostname": hostname,
	"receive":  func() any { return beside(func() { <-never[0] }) },
	"send":     func() any { return beside(func() { never[1] <- struct{}{} }) },
	"select": func() any {
		return beside(func() {
			select {
			case <-never[2]:
			case never[3] <- struct{}{}:
			}
		})
	},
}

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
	synctest.Test(new(testing.T), func(*testing.T) {
		exact.Seed(seed)
		for _, name := range names {
			fmt.Printf("%s: %v\n", name, experiments[name]())
		}
		os.Exit(0) // some still wait
	})
}

// beside is the virtual time that passes beside a goroutine that waits.
func beside(wait func()) time.Duration {
	begin := time.Now()
	go wait()
	time.Sleep(time.Hour)
	return time.Since(begin)
}

func hostname() any {
	os.Setenv("KUBESTEP_EXTERNAL", "web-0")
	host, err := os.Hostname()
	if err != nil {
		return err
	}
	return host
}
