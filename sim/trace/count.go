package trace

import (
	"fmt"
	"strings"
)

// Count formats a number with its noun, which agrees: 1 check, 2 checks, 2 Ingresses, 3 NetworkPolicies, 2 Endpoints.
func Count[N int | int32 | int64](n N, noun string) string {
	return fmt.Sprintf("%d %s", n, Plural(n, noun))
}

// Plural returns the form of a noun that agrees with a number.
func Plural[N int | int32 | int64](n N, noun string) string {
	hasSuffix := func(suffixes ...string) bool {
		for _, suffix := range suffixes {
			if strings.HasSuffix(noun, suffix) {
				return true
			}
		}
		return false
	}
	switch {
	case n == 1 || noun == "Endpoints":
		return noun
	case hasSuffix("y") && !hasSuffix("ay", "ey", "oy", "uy"):
		return strings.TrimSuffix(noun, "y") + "ies"
	case hasSuffix("s", "x", "ch", "sh"):
		return noun + "es"
	}
	return noun + "s"
}
