package visible

import (
	"regexp"
	"strings"
)

// style is an escape sequence that sets colors and weight, and nothing else.
var style = regexp.MustCompile("\x1b\\[[0-9;]*m")

// Screen is Text for a screen that has styles: the escape sequences of colors stay.
func Screen(text string) string {
	if next(text, "\n\x1b") < 0 && strings.Count(text, "\x1b") == len(style.FindAllStringIndex(text, -1)) {
		return text
	}
	var b strings.Builder
	done := 0
	for _, at := range style.FindAllStringIndex(text, -1) {
		b.WriteString(show(text[done:at[0]], "\n") + text[at[0]:at[1]])
		done = at[1]
	}
	return b.String() + show(text[done:], "\n")
}
