package builds

import (
	"fmt"
	"strings"
)

// ParseRange reads 1.34..1.37, both ends included, or one version.
func ParseRange(text string) (low, high Version, err error) {
	first, last, found := strings.Cut(text, "..")
	if !found {
		last = first
	}
	if low, err = Parse(first); err == nil {
		high, err = Parse(last)
	}
	switch {
	case err != nil:
		return low, high, &Error{Message: fmt.Sprintf("%q is not a range of versions of Kubernetes", text), Try: "--kubernetes 1.34..1.37"}
	case low.Major != high.Major || Compare(low, high) > 0 && !low.Is(high):
		return low, high, &Error{
			Message: fmt.Sprintf("the range %s ends before it begins", text), Try: fmt.Sprintf("--kubernetes %s..%s", last, first),
		}
	}
	return low, high, nil
}

// IsWithin reports whether a version is in a range. 1.36 as its end includes all patch versions.
func (v Version) IsWithin(low, high Version) bool {
	return Compare(v, low) >= 0 && (Compare(v, high) <= 0 || v.Is(high))
}

// Minors are the minor versions of a range.
func Minors(low, high Version) (minors []Version) {
	for v := low.minor(); v.Minor <= high.Minor; v.Minor++ {
		minors = append(minors, v)
	}
	return minors
}
