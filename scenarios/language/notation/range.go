package notation

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/kubestep/kubestep/scenarios/language/source"
)

// Range is whole numbers, 1 or more, from which the seed draws one: 1..12.
type Range struct{ Min, Max int }

// rangeMax bounds a Range; no run has so many matches.
const rangeMax = 1_000_000

var rangeForm = regexp.MustCompile(`^([0-9]{1,9})(?:\.\.([0-9]{1,9}))?$`)

// ParseRange reads 1..12, or 3, which is a range of one number.
func ParseRange(text string) (Range, error) {
	parts := rangeForm.FindStringSubmatch(text)
	if parts == nil {
		return Range{}, source.Problem("1..12", "invalid range %q", text)
	}
	low, _ := strconv.Atoi(parts[1])
	high := low
	if parts[2] != "" {
		high, _ = strconv.Atoi(parts[2])
	}
	switch {
	case high < low:
		return Range{}, source.Problem(fmt.Sprintf("%d..%d", high, low), "the range %q has no numbers: it ends before it starts", text)
	case low < 1 || high > rangeMax:
		return Range{}, source.Problem("1..12", "the range %q exceeds 1..%d", text, rangeMax)
	}
	return Range{low, high}, nil
}

// String is 1..12, or 3.
func (r Range) String() string {
	if r.Min == r.Max {
		return strconv.Itoa(r.Min)
	}
	return fmt.Sprintf("%d..%d", r.Min, r.Max)
}

// MarshalYAML writes the range as text.
func (r Range) MarshalYAML() (any, error) { return r.String(), nil }
