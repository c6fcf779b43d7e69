// Package visible shows characters that a terminal acts upon, or does not show, by their numbers.
//
// Scenarios, traces and the names of files may come from anywhere. A control character in one of them moves the
// cursor, clears the screen or sets the clipboard of whoever reads it. A control character of bidirectional text makes
// a name look like another one, and so does a character without width, such as a zero-width joiner. Everything that
// prints text for people passes it through this package first, which writes such characters as JSON or strconv.Quote
// do: \x1b, \r, \u202e. It leaves all other text as it is.
package visible

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Line shows all control characters of a text, its newlines and tabs, too: what it returns stays on one line.
func Line(text string) string { return show(text, "") }

// Text is Line for a text that has lines: newlines and tabs stay.
func Text(text string) string { return show(text, "\n\t") }

// IsHidden says whether a terminal acts upon a character, shows the text around it in another order, or shows nothing
// for it.
func IsHidden(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, hidden...) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// hidden are the characters for formats, among them those of bidirectional text, zero-width joiners, soft hyphens and
// tags, the separators of lines and paragraphs, and fillers and selectors that are ignored where a font has no form for
// them. A prepended concatenation mark, such as the Arabic number sign, is one for formats that shows.
var hidden = []*unicode.RangeTable{
	unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector,
}

// show writes a text with its hidden characters shown, other than those to keep.
func show(text, keep string) string {
	at := next(text, keep)
	if at < 0 {
		return text
	}
	var b strings.Builder
	for at >= 0 {
		_, size := utf8.DecodeRuneInString(text[at:])
		b.WriteString(text[:at] + name(text[at:at+size]))
		text = text[at+size:]
		at = next(text, keep)
	}
	return b.String() + text
}

// next is where the first character to show begins, or -1. A byte that is no UTF-8 is one: to some terminals 0x9b
// means what the control character U+009B means.
func next(text, keep string) int {
	for i := 0; i < len(text); {
		if c := text[i]; c >= ' ' && c < 0x7f {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && size == 1 || IsHidden(r) && !strings.ContainsRune(keep, r) {
			return i
		}
		i += size
	}
	return -1
}

// name is how a character, or a byte that is none, is written. DEL is \u007f, and a character above U+FFFF two
// surrogates, so that what is written for characters that may stand in JSON is an escape sequence of JSON.
func name(character string) string {
	if character == "\x7f" {
		return `\u007f`
	}
	if r, _ := utf8.DecodeRuneInString(character); r > 0xffff {
		high, low := utf16.EncodeRune(r)
		return fmt.Sprintf(`\u%04x\u%04x`, high, low)
	}
	quoted := strconv.QuoteToASCII(character)
	return quoted[1 : len(quoted)-1]
}
