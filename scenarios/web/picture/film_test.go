package picture_test

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/web/picture"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/tui/command/commandtest"
)

func TestMain(m *testing.M) { commandtest.Main(m) }

func recorded(t *testing.T, file, title string) *recording.Recording {
	t.Helper()
	rec, err := child.Run{File: file}.Record(t.Context(), recording.Origin{Name: file, Title: title}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

var options = picture.Options{From: 5 * time.Second, Length: 20 * time.Second, Still: 7 * time.Second, Footer: "a < b"}

// TestFilm holds what a README needs: a well-formed picture of at most 150 kB that loads nothing, runs no script, has colors for light
// and dark, loops, and stands still for those who prefer that.
func TestFilm(t *testing.T) {
	text, err := picture.Film(recorded(t, "rolling-update", "</svg><script>a</script>\u202e"), options)
	if err != nil {
		t.Fatal(err)
	}
	if len(text) > 150_000 {
		t.Errorf("the picture has %d bytes", len(text))
	}
	for _, want := range []string{
		"prefers-color-scheme: dark", "prefers-reduced-motion:reduce", "animation-iteration-count:infinite", "animation-duration:20s", "a &lt; b", `\u202e`,
		"it creates 3 Pods: 3 wanted, 0 there", "ReplicaSet v2", `r="6" class="failed `, "8 least", "13 most",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the picture has no %q", want)
		}
	}
	if found := regexp.MustCompile(`<script|href="[^#]|url\(|@import|%!`).FindString(text); found != "" {
		t.Errorf("the picture has %q", found)
	}
	decoder := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if !picture.Is(strings.NewReader(text)) || picture.Is(strings.NewReader("<svg></svg>")) {
		t.Error("a picture is not recognized, or another one is")
	}
}

// TestTracks holds that each animation that is used exists, begins at 0% and ends at 100%.
func TestTracks(t *testing.T) {
	text, err := picture.Film(recorded(t, "rolling-update", "a"), options)
	if err != nil {
		t.Fatal(err)
	}
	tracks := regexp.MustCompile(`@keyframes (\w+)\{(.*)\}`).FindAllStringSubmatch(text, -1)
	if len(tracks) < 40 {
		t.Fatalf("the picture has %d animations", len(tracks))
	}
	for _, track := range tracks {
		if !strings.Contains(text, `[sl] `+track[1]) && !regexp.MustCompile(`class="[^"]*\b[sl] `+track[1]+`"`).MatchString(text) {
			t.Errorf("no element has animation %s", track[1])
		}
		least, most := 100.0, 0.0
		for _, part := range regexp.MustCompile(`([0-9.]+)%`).FindAllStringSubmatch(track[2], -1) {
			at, err := strconv.ParseFloat(part[1], 64)
			if err != nil {
				t.Fatal(err)
			}
			least, most = min(least, at), max(most, at)
		}
		if least != 0 || most != 100 {
			t.Errorf("animation %s is from %v%% to %v%%: %s", track[1], least, most, track[2])
		}
	}
}

// TestNothingToShow says why there is no picture.
func TestNothingToShow(t *testing.T) {
	file := filepath.Join(t.TempDir(), "empty.yaml")
	scenario := "apiVersion: kubestep.dev/v1alpha1\nkind: Scenario\nmetadata: {name: empty}\nspec:\n  title: Nothing\n  steps:\n" +
		"  - create: |\n      apiVersion: v1\n      kind: ConfigMap\n      metadata: {name: a}\n"
	if err := os.WriteFile(file, []byte(scenario), 0o600); err != nil {
		t.Fatal(err)
	}
	late := options
	late.From = time.Hour
	short := options
	short.Length = time.Second
	for _, c := range []struct {
		file    string
		options picture.Options
		want    string
	}{
		{file, options, "the run has no workload"},
		{"rolling-update", late, "nothing happens from 3600.000s on"},
		{"rolling-update", short, "the film must take more than 2s"},
	} {
		if _, err := picture.Film(recorded(t, c.file, c.file), c.options); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.file, err, c.want)
		}
	}
}
