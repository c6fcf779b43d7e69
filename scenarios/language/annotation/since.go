package annotation

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// since is the form of Since, and except that of Except.
var (
	since  = regexp.MustCompile(`^1\.\d+ \S.*\.$`)
	except = regexp.MustCompile(`^1\.\d+\.\d+(,1\.\d+\.\d+)* \S.*\.$`)
)

// Differs is what a version of Kubernetes, such as v1.35.4, does differently according to the annotations Since and Except. It is
// empty if the scenario passes with this version.
func Differs(annotations map[string]string, kubernetes string) string {
	if text := before(annotations[Since], kubernetes); text != "" {
		return text
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

// before is what a version does differently according to the value of Since. It is empty if the version is not older than that of
// the value.
func before(value, kubernetes string) string {
	var first, minor int
	if _, err := fmt.Sscanf(value, "1.%d", &first); err != nil {
		return ""
	}
	if _, err := fmt.Sscanf(kubernetes, "v1.%d.", &minor); err != nil || minor >= first {
		return ""
	}
	version, text, _ := strings.Cut(value, " ")
	return fmt.Sprintf("it is for Kubernetes %s and newer, and this is %s. %s", version, kubernetes, text)
}
