package tui

import (
	"context"
	"testing"
	"time"

	"github.com/kubestep/kubestep/tui/internal/opener"

	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/tui/internal/picker"
)

// watched plays a recording to its end at the normal pace and returns for how long it plays. Notes take no time, and questions are
// skipped.
func watched(t *testing.T, v *viewer) time.Duration {
	t.Helper()
	ticks := 0
	for recording.Next(v.Visible, v.Seq) != 0 {
		if v.Question() != nil {
			v.skip()
		}
		if !v.player.playing {
			v.play()
		}
		v.advance()
		if ticks++; ticks > 1e5 {
			t.Fatalf("plays for ever at record %d", v.Seq)
		}
	}
	return time.Duration(ticks) * tickEvery
}

// TestFilm holds that a rolling update can be followed: at the default pace it plays for as long as its film says, which is about two
// minutes. Live it is over in seconds, of which most are waits.
func TestFilm(t *testing.T) {
	rec := recorded(t, "rolling-update")
	film := newViewer(rec)
	if takes := watched(t, film); takes < 80*time.Second || takes > 140*time.Second {
		t.Errorf("the film of rolling-update takes %v, not about two minutes", takes)
	} else if said := film.Scenes.Film.Length(); (takes - said).Abs() > 2*time.Second {
		t.Errorf("the film takes %v, and %v is what it says", takes, said)
	}
	live := newViewer(rec)
	live.Live = true
	if takes := watched(t, live); takes > 20*time.Second {
		t.Errorf("live it takes %v", takes)
	}
}

// recorded is the recording of a shipped scenario.
func recorded(t *testing.T, name string) *recording.Recording {
	t.Helper()
	entries, err := picker.Library(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name == name {
			rec, err := recordings.Open(context.Background(), e, opener.News{})
			if err != nil {
				t.Fatal(err)
			}
			return rec
		}
	}
	t.Fatalf("no scenario %s", name)
	return nil
}

// TestFilmRuns holds that in a film virtual time never goes back, not even within a beat, and that it is never before the record at
// the cursor.
func TestFilmRuns(t *testing.T) {
	v := newViewer(recorded(t, "worked-13"))
	v.play()
	for now := v.Now; v.player.playing; now = v.Now {
		v.advance()
		if v.Now < now || v.Now < v.Rec.At(v.Seq) {
			t.Fatalf("at record %d virtual time is %v, after %v", v.Seq, v.Now, now)
		}
	}
	if v.told() {
		t.Errorf("stops at %d", v.Seq)
	}
}

// TestTheFooterAtTheEnd holds that a play which reaches the end of a lesson does not offer to continue: it names the next lesson, and
// space says the same.
func TestTheFooterAtTheEnd(t *testing.T) {
	for lesson, want := range map[string]string{
		library.Course[0]:                     "the end; enter opens the next lesson: " + library.Course[1],
		library.Course[len(library.Course)-1]: "this is the end of the recording: home goes to its start",
	} {
		v := newViewer(recorded(t, lesson))
		status := ""
		for recording.Next(v.Visible, v.Seq) != 0 {
			if v.Question() != nil {
				v.skip()
			}
			if !v.player.playing {
				v.play()
			}
			status = v.advance()
		}
		if again := v.play(); status != want || again != want {
			t.Errorf("%s ends with %q, and space says %q: want %q", lesson, status, again, want)
		}
	}
}
