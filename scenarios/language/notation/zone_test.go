package notation

import (
	"archive/zip"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // zone data for machines that have none

	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/sim/simtest/golden"
)

// TestZones keeps the list of names in step with the zone data of the Go toolchain, which is what time/tzdata links
// into the program. With -rewrite, it writes the list.
func TestZones(t *testing.T) {
	const list = "zones.txt"
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatalf("go env: %v", err)
	}
	archive, err := zip.OpenReader(filepath.Join(strings.TrimSpace(string(root)), "lib", "time", "zoneinfo.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	var names []string
	for _, file := range archive.File {
		// Factory is what a machine has whose zone nobody has set.
		if !strings.HasSuffix(file.Name, "/") && file.Name != "Factory" {
			names = append(names, file.Name)
		}
	}
	slices.Sort(names)
	golden.Compare(t, list, strings.Join(names, "\n")+"\n")
	for _, name := range names {
		if _, err := time.LoadLocation(name); err != nil {
			t.Error(err)
		}
		if err := CheckZone(name); err != nil {
			t.Error(err)
		}
	}
}

// TestCheckZone proposes the zone that was probably meant.
func TestCheckZone(t *testing.T) {
	for name, try := range map[string]string{
		"Europe/Berln":        "Europe/Berlin",
		"europe/berlin":       "Europe/Berlin",
		"America/New York":    "America/New_York",
		"kathmandu":           "Asia/Kathmandu",
		"":                    "Europe/Berlin",
		"Local":               "Europe/Berlin",
		"posix/Europe/Berlin": "Europe/Berlin",
		"7":                   "Europe/Berlin",
		"GMT+3":               "Etc/GMT-3",
		"UTC-05:00":           "Etc/GMT+5",
		"+02":                 "Etc/GMT-2",
		"UTC+5:30":            "Europe/Berlin",
		"GMT+20":              "Europe/Berlin",
	} {
		wrong, ok := CheckZone(name).(*source.Error)
		if !ok || wrong.Try != try || !strings.Contains(wrong.Message, "unknown time zone") {
			t.Errorf("%q: %+v, want the hint %s", name, wrong, try)
		}
	}
}
