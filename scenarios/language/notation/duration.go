package notation

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/source"
)

// Duration is a time.Duration in Go's notation: 5s, 1m30s, 250ms.
type Duration struct{ time.Duration }

// NewDuration is a Duration for a field that may be absent.
func NewDuration(d time.Duration) *Duration { return &Duration{d} }

// Delay is a duration, a range that is drawn from the seed (1ms..5ms), or never.
type Delay struct {
	Min, Max time.Duration
	Never    bool
}

// never is a Delay that does not end.
const never = "never"

// DurationPattern is Go's notation of a duration, without the forms that only confuse (.5s, +5s,
// 0).
const DurationPattern = `([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+`

// DelayPattern is the notation of a delay.
const DelayPattern = `(` + never + `|` + DurationPattern + `(\.\.` + DurationPattern + `)?)`

var (
	durationForm = regexp.MustCompile(`^` + DurationPattern + `$`)
	durationWord = regexp.MustCompile(`([0-9]*[.,]?[0-9]+)\s*([a-zµμ]*)`)
)

// ParseDuration reads 5s, 1m30s or 250ms. Errors are *Error and say what to write instead.
func ParseDuration(text string) (Duration, error) {
	if strings.HasPrefix(text, "-") {
		return Duration{}, source.Problem(durationTry(strings.TrimPrefix(text, "-")),
			"invalid duration %q: must not be negative", text)
	}
	if durationForm.MatchString(text) {
		if d, err := time.ParseDuration(text); err == nil {
			return Duration{d}, nil
		}
		return Duration{}, source.Problem("8760h (one year) or less", "the duration %q is too long", text)
	}
	return Duration{}, source.Problem(durationTry(text), "invalid duration %q", text)
}

// ParseDelay reads a duration, a range such as 1ms..5ms, or never.
func ParseDelay(text string) (Delay, error) {
	if text == never {
		return Delay{Never: true}, nil
	}
	if strings.EqualFold(text, never) {
		return Delay{}, source.Problem(never, "invalid delay %q", text)
	}
	low, high, isRange := strings.Cut(text, "..")
	if !isRange {
		d, err := ParseDuration(text)
		if low, high, dashed := strings.Cut(text, "-"); err != nil && dashed && low != "" {
			return Delay{}, rangeProblem(text, low, high)
		}
		return Delay{Min: d.Duration, Max: d.Duration}, err
	}
	lowest, err1 := ParseDuration(low)
	highest, err2 := ParseDuration(high)
	if err1 != nil || err2 != nil {
		return Delay{}, rangeProblem(text, low, high)
	}
	if lowest.Duration > highest.Duration {
		return Delay{}, source.Problem(high+".."+low, "the range %q ends before it starts", text)
	}
	return Delay{Min: lowest.Duration, Max: highest.Duration}, nil
}

// rangeProblem repairs both ends: "1..5ms" and "1ms - 5ms" are 1ms..5ms.
func rangeProblem(text, low, high string) error {
	high = strings.Trim(high, " .-")
	low = strings.Trim(low, " .-")
	const digits = "0123456789."
	if low != "" && strings.Trim(low, digits) == "" {
		low += strings.TrimLeft(high, digits)
	}
	return source.Problem(durationTry(low)+".."+durationTry(high), "invalid range %q", text)
}

// durationUnits are the words that people write for Go's units, and how many of Go's unit one of
// them is.
var durationUnits = map[string]struct {
	unit  string
	times time.Duration
}{
	"": {"s", time.Second}, "sec": {"s", time.Second}, "secs": {"s", time.Second},
	"second": {"s", time.Second}, "seconds": {"s", time.Second},
	"min": {"m", time.Minute}, "mins": {"m", time.Minute},
	"minute": {"m", time.Minute}, "minutes": {"m", time.Minute},
	"hr": {"h", time.Hour}, "hrs": {"h", time.Hour},
	"hour": {"h", time.Hour}, "hours": {"h", time.Hour},
	"d": {"", 24 * time.Hour}, "day": {"", 24 * time.Hour}, "days": {"", 24 * time.Hour},
	"w": {"", 7 * 24 * time.Hour}, "week": {"", 7 * 24 * time.Hour}, "weeks": {"", 7 * 24 * time.Hour},
	"msec": {"ms", time.Millisecond}, "millis": {"ms", time.Millisecond},
	"milliseconds": {"ms", time.Millisecond},
}

// durationTry repairs a duration: "5 s" is 5s, "5" is 5s, "2 minutes" is 2m, "1d" is 24h.
func durationTry(text string) string {
	const sample = "5s"
	var total time.Duration
	words := durationWord.FindAllStringSubmatch(strings.ToLower(text), -1)
	for _, word := range words {
		number, unit := strings.ReplaceAll(word[1], ",", "."), word[2]
		times := time.Duration(1)
		if known, ok := durationUnits[unit]; ok {
			unit = known.unit
			if unit == "" {
				unit, times = "h", known.times/time.Hour
			}
		}
		d, err := time.ParseDuration(number + unit)
		if err != nil || d > 365*24*time.Hour {
			return sample
		}
		total += d * times
	}
	if len(words) == 0 {
		return sample
	}
	return Text(total)
}

// String writes the duration as it is written in a scenario, without the zero parts that Go
// appends: 30m and not 30m0s.
func (d Duration) String() string { return Text(d.Duration) }

// MarshalYAML writes the duration as text.
func (d Duration) MarshalYAML() (any, error) { return d.String(), nil }

// MarshalYAML writes the delay as text.
func (d Delay) MarshalYAML() (any, error) { return d.String(), nil }

// String is never, 2s or 1ms..5ms.
func (d Delay) String() string {
	switch {
	case d.Never:
		return never
	case d.Min == d.Max:
		return Text(d.Min)
	}
	return fmt.Sprintf("%s..%s", Text(d.Min), Text(d.Max))
}

// Text is a time.Duration in the same notation.
func Text(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
