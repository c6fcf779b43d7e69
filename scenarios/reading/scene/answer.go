package scene

import (
	"strconv"
	"strings"
)

// SameAnswer compares what a reader said with an answer, as people do: case and spaces do not matter, and 2.0 is 2.
func SameAnswer(said, answer string) bool {
	plain := func(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }
	if plain(said) == plain(answer) {
		return true
	}
	a, err := strconv.ParseFloat(plain(said), 64)
	b, err2 := strconv.ParseFloat(plain(answer), 64)
	return err == nil && err2 == nil && a == b
}
