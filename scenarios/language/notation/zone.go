package notation

import (
	_ "embed"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/spelling"
)

// zoneNames are the time zones that Go's own zone data has, one a line, sorted. The zone data of a machine may know more
// or fewer, so it is not asked: a name is right or wrong on every machine alike.
//
//go:embed zones.txt
var zoneNames string

// CheckZone finds the mistake in the name of a time zone.
func CheckZone(name string) error {
	zones := strings.Fields(zoneNames)
	if _, known := slices.BinarySearch(zones, name); known {
		return nil
	}
	return source.Problem(tryZone(name, zones), "unknown time zone %q", name)
}

// offset is a distance from UTC: GMT+3, UTC-05:30, +2.
var offset = regexp.MustCompile(`^(?i:GMT|UTC)?([+-])0?(\d{1,2})(:?[0-5]\d)?$`)

// tryZone is the zone that was probably meant: the one with that distance from UTC, one that is spelled like it, or one
// for a city's name alone.
func tryZone(name string, zones []string) string {
	const example = "Europe/Berlin"
	if parts := offset.FindStringSubmatch(name); parts != nil {
		// The signs of these names are those of POSIX: Etc/GMT-3 is three hours ahead of UTC.
		zone := "Etc/GMT" + map[string]string{"+": "-", "-": "+"}[parts[1]] + parts[2]
		if _, known := slices.BinarySearch(zones, zone); known && strings.Trim(parts[3], ":0") == "" {
			return zone
		}
		return example
	}
	if near := spelling.Nearest(name, zones); near != "" {
		return near
	}
	for _, zone := range zones {
		if spelling.Same(path.Base(zone), name) {
			return zone
		}
	}
	return example
}
