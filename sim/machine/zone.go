package machine

import (
	"os"
	"sync"
	"time"
)

// utc is the time zone of a simulation whose scenario does not set one. It is not time.UTC: Go treats time.UTC as a
// special value, so that a time that was read and a time that was decoded would differ, which they do not on a machine
// whose zone is UTC.
var utc = time.FixedZone("UTC", 0)

// Zone is the time zone of this name, such as Europe/Berlin; UTC for "".
func Zone(name string) (*time.Location, error) {
	if name == "" || name == "UTC" {
		return utc, nil
	}
	zones.Lock()
	defer zones.Unlock()
	if zone := zones.loaded[name]; zone != nil {
		return zone, nil
	}
	zone, err := time.LoadLocation(name)
	if err == nil {
		zones.loaded[name] = zone
	}
	return zone, err
}

// zones have one value for each name, so that a second Hold of a zone writes nothing.
var zones = struct {
	sync.Mutex
	loaded map[string]*time.Location
}{loaded: map[string]*time.Location{}}

// Hold makes zone the local time zone of the process, UTC if it is nil, and keeps Go from looking for zone data where
// the environment says. The function that it returns takes this back. Upstream reads a CronJob's schedule without
// timeZone in the local zone, and the API machinery decodes every time into it.
//
// time.Local is a variable that time.Now reads, so Hold comes before goroutines that look at the clock, such as a
// watchdog. A second Hold of the same zone writes nothing.
func Hold(zone *time.Location) (restore func()) {
	if zone == nil {
		zone = utc
	}
	before := time.Local
	if before != zone {
		time.Local = zone
	}
	restoreVariable := unset("ZONEINFO")
	return func() {
		if before != zone {
			time.Local = before
		}
		restoreVariable()
	}
}

// unset removes a variable from the environment. Setting it again cannot fail, since it was there.
func unset(name string) (restore func()) {
	value, ok := os.LookupEnv(name)
	if !ok {
		return func() {}
	}
	_ = os.Unsetenv(name)
	return func() { _ = os.Setenv(name, value) }
}
