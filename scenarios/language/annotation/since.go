package annotation

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// minor is the form of Since and Until, and except that of Except.
var (
	minor  = regexp.MustCompile(`^1\.\d+ \S.*\.$`)
	except = regexp.MustCompile(`^1\.\d+\.\d+(,1\.\d+\.\d+)* \S.*\.$`)
)

// Differs is what a version of Kubernetes, such as v1.35.4, does differently according to the annotations Since, Until and Except. It is
// empty if the scenario passes with this version.
func Differs(annotations map[string]string, kubernetes string) string {
	if distance, found := after(annotations[Since], kubernetes); found && distance < 0 {
		return outside(annotations[Since], "newer", kubernetes)
	}
	if IsPast(annotations, kubernetes) {
		return outside(annotations[Until], "older", kubernetes)
	}
	versions, text, found := strings.Cut(annotations[Except], " ")
	if !found || !slices.Contains(Excepted(annotations[Except]), kubernetes) {
		return ""
	}
	return fmt.Sprintf("it is not for Kubernetes %s, and this is %s. %s", strings.ReplaceAll(versions, ",", " and "), kubernetes, text)
}

// Excepted are the versions in a value of Except, such as v1.35.0.
func Excepted(value string) (versions []string) {
	names, _, found := strings.Cut(value, " ")
	if !found {
		return nil
	}
	for name := range strings.SplitSeq(names, ",") {
		versions = append(versions, "v"+name)
	}
	return versions
}

// IsPast reports whether a version of Kubernetes is newer than that of Until: what the scenario shows has ended.
func IsPast(annotations map[string]string, kubernetes string) bool {
	distance, found := after(annotations[Until], kubernetes)
	return found && distance > 0
}

// after is how many minor versions a version of Kubernetes is after that at the beginning of a value of Since or Until.
func after(value, kubernetes string) (distance int, found bool) {
	var said, is int
	if _, err := fmt.Sscanf(value, "1.%d", &said); err != nil {
		return 0, false
	}
	if _, err := fmt.Sscanf(kubernetes, "v1.%d.", &is); err != nil {
		return 0, false
	}
	return is - said, true
}

// outside says that a scenario is for the version of a value and all on one side of it, and why.
func outside(value, side, kubernetes string) string {
	version, text, _ := strings.Cut(value, " ")
	return fmt.Sprintf("it is for Kubernetes %s and %s, and this is %s. %s", version, side, kubernetes, text)
}
