package controllers

import (
	"context"
	"crypto/rand"
	"testing"

	"github.com/kubestep/kubestep/sim"
)

// readerAtStart is crypto/rand's Reader before any init function of this package has run.
var readerAtStart = rand.Reader

// TestOnlyASimulationReplacesTheReader: a program that imports this package and runs no simulation gets its random
// numbers from the operating system, and so does one whose simulation has ended.
func TestOnlyASimulationReplacesTheReader(t *testing.T) {
	if rand.Reader != readerAtStart {
		t.Errorf("importing the package has replaced crypto/rand's Reader by a %T", rand.Reader)
	}
	before := rand.Reader
	_, fault, err := plane(t, Options{}, func(context.Context, *sim.Simulation, *Processes) {
		if _, seeded := rand.Reader.(*serialSource); !seeded {
			t.Errorf("in a simulation, crypto/rand's Reader is a %T", rand.Reader)
		}
	})
	if fault != nil || err != nil {
		t.Fatal(fault, err)
	}
	if rand.Reader != before {
		t.Errorf("a simulation has left a %T as crypto/rand's Reader", rand.Reader)
	}
}
