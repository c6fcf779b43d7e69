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

// local is what time.Local points to, unless the program has changed that; held is the zone that it is a copy of, nil if nobody holds one.
var (
	local = time.Local
	held  *time.Location
)

// Hold makes zone the local time zone of the process, UTC if it is nil, and keeps Go from looking for zone data where
// the environment says. The function that it returns takes this back. Upstream reads a CronJob's schedule without
// timeZone in the local zone, and the API machinery decodes every time into it.
//
// The variable time.Local stays as it is, and what it points to changes: each time.Now reads the variable, which the
// runtime does whenever a timer outside of the simulation fires, and only who wants a date reads the zone itself. A
// second Hold of the same zone writes nothing, so connections may decode dates while somebody else holds it for longer.
func Hold(zone *time.Location) (restore func()) {
	if zone == nil {
		zone = utc
	}
	restoreLocal, restoreVariable := setLocal(zone), unset("ZONEINFO")
	return func() {
		restoreLocal()
		restoreVariable()
	}
}

// setLocal changes the local time zone.
func setLocal(zone *time.Location) (restore func()) {
	variable := time.Local
	if variable != local {
		// Who sets it, such as to time.UTC, does so before anything else. That zone itself must not change.
		time.Local = local
	}
	// Go finds out about the machine's zone when somebody first asks for its name. That must not be later.
	_ = local.String()
	before, content := held, *local
	if before != zone {
		held, *local = zone, *zone
	}
	return func() {
		if before != zone {
			held, *local = before, content
		}
		if variable != local {
			time.Local = variable
		}
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
