package notation

import (
	"testing"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/source"
)

func TestParseDuration(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"5s": 5 * time.Second, "1m30s": 90 * time.Second, "250ms": 250 * time.Millisecond,
		"1.5h": 90 * time.Minute, "0s": 0, "3µs": 3 * time.Microsecond,
	} {
		if got, err := ParseDuration(text); err != nil || got.Duration != want {
			t.Errorf("ParseDuration(%q) = %v, %v, want %v", text, got, err, want)
		}
	}
	for text, try := range map[string]string{
		"5 s": "5s", "5": "5s", "0": "0s", "-5s": "5s", "5sec": "5s", "2 minutes": "2m", "1d": "24h",
		"1w": "168h", "1,5s": "1.5s", "1h 30m": "1h30m", "5S": "5s", ".5s": "500ms", "+5s": "5s",
		"": "5s", "soon": "5s", "five seconds": "5s", "5x": "5s", "1e3s": "5s",
		"99999999999999999999h": "8760h (one year) or less",
	} {
		_, err := ParseDuration(text)
		e, ok := err.(*source.Error)
		if !ok || e.Try != try {
			t.Errorf("ParseDuration(%q) = %v, want Try %q", text, err, try)
		} else if ok && e.Try != try {
			t.Errorf("ParseDuration(%q) tries %q, want %q", text, e.Try, try)
		}
	}
}

func TestParseDelay(t *testing.T) {
	for _, text := range []string{"never", "2s", "0s", "1ms..5ms", "30m..2h", "1h30m"} {
		got, err := ParseDelay(text)
		if err != nil || got.String() != text {
			t.Errorf("ParseDelay(%q) = %v, %v", text, got, err)
		}
	}
	if got, _ := ParseDelay("1ms..1ms"); got.String() != "1ms" {
		t.Errorf("a range of one value prints as %q", got)
	}
	for text, try := range map[string]string{
		"5ms..1ms": "1ms..5ms", "1..5ms": "1ms..5ms", "1ms-5ms": "1ms..5ms", "1 ms .. 5 ms": "1ms..5ms",
		"1ms...5ms": "1ms..5ms", "Never": "never", "5": "5s", "..": "5s..5s",
		"1s..": "1s..5s", "-1s": "1s",
	} {
		_, err := ParseDelay(text)
		if e, ok := err.(*source.Error); !ok || e.Try != try {
			t.Errorf("ParseDelay(%q) = %#v, want Try %q", text, err, try)
		}
	}
}
