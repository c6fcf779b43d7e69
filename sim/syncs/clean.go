package syncs

import (
	"fmt"
	"regexp"
)

// address is a pointer that upstream printed, as in the %v of an object with a pointer in it. It differs
// from run to run.
var address = regexp.MustCompile(`\b0x[0-9a-f]{6,16}\b`)

// moduleCache is where the sources lay when the binary was built, as in the names of reflectors.
var moduleCache = regexp.MustCompile(`[^\s=:"]*/(k8s\.io/[a-z-]+@v)`)

// textMax bounds one printed value: whole objects stand in some of upstream's errors.
const textMax = 400

// clean makes a text of upstream fit for the trace: the same in every run, and of bounded length.
func clean(text string) string {
	text = address.ReplaceAllString(text, "0x...")
	text = moduleCache.ReplaceAllString(text, "$1")
	if runes := []rune(text); len(runes) > textMax {
		text = fmt.Sprintf("%s... (%d more characters)", string(runes[:textMax]), len(runes)-textMax)
	}
	return text
}
