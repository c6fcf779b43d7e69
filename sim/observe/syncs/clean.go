package syncs

import (
	"fmt"
	"regexp"
)

// address is a pointer that upstream printed, as in the %v of an object with a pointer in it. It differs between runs.
var address = regexp.MustCompile(`\b0x[0-9a-f]{6,16}\b`)

// goroutine is the number of a goroutine in the stack of a panic that a controller recovered from. Goroutines of the garbage
// collector have numbers, too.
var goroutine = regexp.MustCompile(`\bgoroutine \d+`)

// moduleCache is the directory of the sources when the binary was built, as in the names of reflectors.
var moduleCache = regexp.MustCompile(`[^\s=:"]*/(k8s\.io/[a-z-]+@v)`)

// textMax bounds one printed value: some of upstream's errors contain whole objects.
const textMax = 400

// clean prepares a text of upstream for the trace: identical in every run, and of bounded length.
func clean(text string) string {
	text = address.ReplaceAllString(text, "0x...")
	text = goroutine.ReplaceAllString(text, "goroutine ...")
	text = moduleCache.ReplaceAllString(text, "$1")
	if runes := []rune(text); len(runes) > textMax {
		text = fmt.Sprintf("%s... (%d more characters)", string(runes[:textMax]), len(runes)-textMax)
	}
	return text
}
