package annotation

import (
	"fmt"
	"regexp"
	"strings"
)

// since is the form of Since.
var since = regexp.MustCompile(`^1\.\d+ \S.*\.$`)

// Before is what a version of Kubernetes, such as v1.35.4, does differently according to the value of Since. It is empty if the
// version is not older than that of the value.
func Before(value, kubernetes string) string {
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
