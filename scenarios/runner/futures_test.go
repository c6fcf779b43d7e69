package runner

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/sim/trace"
)

// futureLine is a line of a trace, and the virtual time of its record.
type futureLine struct {
	at   time.Duration
	text []byte
}

// lines runs a scenario with futures.
func lines(t *testing.T, scenario *format.Scenario, futures ...format.Future) (lines []futureLine, hash string) {
	t.Helper()
	with := *scenario
	with.Spec.Futures = futures
	outcome, err := Run(&with, RunOptions{Sinks: []trace.Sink{func(record *trace.Record, line []byte) {
		lines = append(lines, futureLine{record.At, bytes.Clone(line)})
	}}})
	if err != nil {
		t.Fatal(err)
	}
	return lines, outcome.TraceHash
}

// until are the lines before a time.
func until(from time.Duration, lines []futureLine) []futureLine {
	i := slices.IndexFunc(lines, func(l futureLine) bool { return l.at >= from })
	if i < 0 {
		return lines
	}
	return lines[:i]
}

// TestFutureAtARecord: a future that begins at a record has the same records until then, and others soon afterwards.
func TestFutureAtARecord(t *testing.T) {
	scenario, err := library.Load("worked-13")
	if err != nil {
		t.Fatal(err)
	}
	plain, whole := lines(t, scenario)
	for _, record := range []int64{1, 150, 400} {
		future := format.Future{Record: &record, Seed: 42}
		got, hash := lines(t, scenario, future)
		if _, again := lines(t, scenario, future); again != hash {
			t.Errorf("the future of record %d has the hashes %s and %s", record, hash, again)
		}
		shared := 0
		for shared < len(got) && bytes.Equal(got[shared].text, plain[shared].text) {
			shared++
		}
		if int64(shared) < record || !bytes.Contains(got[shared].text, []byte(`"kind":"future"`)) {
			t.Errorf("the future of record %d shares %d records, then comes %s", record, shared, got[shared].text)
		}
	}
	none := int64(len(plain)) + 1
	if _, hash := lines(t, scenario, format.Future{Record: &none, Seed: 42}); hash != whole {
		t.Error("a future of a record that does not exist changes the run")
	}
}

// TestFuturesHaveOnePast runs scenarios with the futures of two seeds from one time on: they do the same before it and something else
// afterwards, each the same again when it is run again. A future of the seed that a run has already is the plain run.
func TestFuturesHaveOnePast(t *testing.T) {
	for name, from := range map[string]time.Duration{
		"rolling-update":  5150 * time.Millisecond,
		"leader-election": 12 * time.Second,
		"worked-13":       6 * time.Second,
	} {
		t.Run(name, func(t *testing.T) {
			scenario, err := library.Load(name)
			if err != nil {
				t.Fatal(err)
			}
			at := func(seed int64) format.Future {
				return format.Future{From: &notation.Duration{Duration: from}, Seed: seed}
			}
			plain, hash := lines(t, scenario)
			if _, same := lines(t, scenario, at(scenario.Spec.Seed)); same != hash {
				t.Errorf("with a future of its own seed, the run has the hash %s, not %s", same, hash)
			}
			hashes := map[string]bool{hash: true}
			for _, seed := range []int64{42, 43} {
				got, first := lines(t, scenario, at(seed))
				if _, again := lines(t, scenario, at(seed)); again != first {
					t.Errorf("the future of seed %d has the hashes %s and %s", seed, first, again)
				}
				hashes[first] = true
				past, want := until(from, got), until(from, plain)
				if !slices.EqualFunc(past, want, func(a, b futureLine) bool { return bytes.Equal(a.text, b.text) }) {
					t.Errorf("the future of seed %d has another past: %d lines, not %d", seed, len(past), len(want))
				}
			}
			if len(hashes) != 3 {
				t.Errorf("two futures and the plain run have %d different hashes", len(hashes))
			}
		})
	}
}
