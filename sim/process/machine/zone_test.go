package machine_test

import (
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	_ "time/tzdata" // zone data for machines that have none

	"github.com/kubestep/kubestep/sim/process/machine"
)

// TestHold sets the local zone for as long as it is held, whatever the machine's is.
func TestHold(t *testing.T) {
	t.Setenv("ZONEINFO", "/nowhere")
	own := time.Local
	date := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	machines := date.Local().String()
	berlin, err := machine.Zone("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	outer := machine.Hold(nil)
	if got := date.Local().String(); got != "2026-07-01 12:00:00 +0000 UTC" {
		t.Errorf("without a zone, the local time is %s", got)
	}
	if _, ok := os.LookupEnv("ZONEINFO"); ok {
		t.Error("ZONEINFO is still set")
	}
	inner := machine.Hold(berlin)
	if got := date.Local().String(); got != "2026-07-01 14:00:00 +0200 CEST" {
		t.Errorf("in Europe/Berlin, the local time is %s", got)
	}
	if time.Local != own {
		t.Error("time.Local is another location, while any timer may read it")
	}
	inner()
	if got := date.Local().String(); got != "2026-07-01 12:00:00 +0000 UTC" {
		t.Errorf("after Europe/Berlin, the local time is %s", got)
	}
	outer()
	if got := date.Local().String(); time.Local != own || got != machines || os.Getenv("ZONEINFO") != "/nowhere" {
		t.Errorf("the local zone is %s, the local time %s, ZONEINFO %q", time.Local, got, os.Getenv("ZONEINFO"))
	}
}

// TestHoldWhileOthersLookAtTheClock has no data race. Only the race detector sees one.
func TestHoldWhileOthersLookAtTheClock(t *testing.T) {
	var others sync.WaitGroup
	var looks atomic.Int64
	stop := make(chan struct{})
	others.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				_ = time.Now()
				looks.Add(1)
				runtime.Gosched()
			}
		}
	})
	berlin, err := machine.Zone("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		seen := looks.Load()
		restore := machine.Hold(berlin)
		for looks.Load() == seen {
			runtime.Gosched()
		}
		restore()
	}
	close(stop)
	others.Wait()
}

// TestHoldOfAnotherLocal leaves time.UTC alone in a program that made it the local zone.
func TestHoldOfAnotherLocal(t *testing.T) {
	own := time.Local
	defer func() { time.Local = own }()
	time.Local = time.UTC
	berlin, err := machine.Zone("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	restore := machine.Hold(berlin)
	date := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	if got := date.String() + ", " + date.Local().String(); got != "2026-07-01 12:00:00 +0000 UTC, 2026-07-01 14:00:00 +0200 CEST" {
		t.Error(got)
	}
	restore()
	if time.Local != time.UTC {
		t.Errorf("the local zone is %s", time.Local)
	}
}

// TestZone knows zones by name; UTC and no name are the same zone.
func TestZone(t *testing.T) {
	none, err := machine.Zone("")
	if err != nil {
		t.Fatal(err)
	}
	named, err := machine.Zone("UTC")
	if err != nil || named != none {
		t.Errorf("UTC is another zone than the default: %v", err)
	}
	berlin, err := machine.Zone("Europe/Berlin")
	if again, _ := machine.Zone("Europe/Berlin"); again != berlin || err != nil {
		t.Errorf("Europe/Berlin is two zones (%v), so that a second Hold would write while others decode dates", err)
	}
	if zone, err := machine.Zone("Mars/Olympus"); err == nil {
		t.Errorf("Mars/Olympus is %s", zone)
	}
}
