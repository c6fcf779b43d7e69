package runner

import (
	"time"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/sim/process/machine"
)

// zoneOf is the local time zone of a scenario's control plane.
func zoneOf(s *format.Scenario) (*time.Location, error) {
	zone, err := machine.Zone(s.Spec.TimeZone)
	if err != nil {
		return nil, s.Errorf("spec.timeZone", "Europe/Berlin", "%v", err)
	}
	return zone, nil
}

// HoldZone makes the scenario's time zone the local one of the process, until the function that it returns is called. A
// run does this by itself; whoever starts goroutines that decode dates longer than it lasts, such as connections, does it
// before. A zone that does not exist is UTC here, and an error of the run.
func HoldZone(s *format.Scenario) (restore func()) {
	zone, err := zoneOf(s)
	if err != nil {
		zone = nil
	}
	return machine.Hold(zone)
}
