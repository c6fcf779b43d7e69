package machine_test

import (
	"os"
	"testing"
	"time"
	_ "time/tzdata" // zone data for machines that have none

	"github.com/kubestep/kubestep/sim/machine"
)

// TestHold sets the local zone for as long as it is held, whatever the machine's is.
func TestHold(t *testing.T) {
	t.Setenv("ZONEINFO", "/nowhere")
	own := time.Local
	date := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
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
	inner()
	if got := date.Local().String(); got != "2026-07-01 12:00:00 +0000 UTC" {
		t.Errorf("after Europe/Berlin, the local time is %s", got)
	}
	outer()
	if time.Local != own || os.Getenv("ZONEINFO") != "/nowhere" {
		t.Errorf("the local zone is %s, ZONEINFO %q", time.Local, os.Getenv("ZONEINFO"))
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
		t.Errorf("Europe/Berlin is two zones (%v), so that a second Hold would write while others read", err)
	}
	if zone, err := machine.Zone("Mars/Olympus"); err == nil {
		t.Errorf("Mars/Olympus is %s", zone)
	}
}
