package outline

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// Texts has each text of some outlines once.
type Texts map[string]string

// table are the texts of an outline. A text is made when a record has it: the outline of a block has a thousand of them, most of which
// are names of objects.
type table struct {
	// raw are the texts, those that are textQuoted as JSON, and made those that were made so far.
	raw   [][]byte
	made  []string
	state []textState
	known Texts
}

type textState byte

const (
	textPlain textState = iota
	textQuoted
	textMade
)

// newTable takes a JSON list of texts apart.
func newTable(list []byte, known Texts) (*table, error) {
	t := &table{known: known}
	if !t.split(list) {
		// Somebody else has written the list, with spaces, or it is wrong.
		var texts []string
		if err := json.Unmarshal(list, &texts); err != nil {
			return nil, fmt.Errorf("the texts of the outline: %w", err)
		}
		t.raw, t.state = make([][]byte, len(texts)), make([]textState, len(texts))
		for i, text := range texts {
			t.raw[i] = []byte(text)
		}
	}
	t.made = make([]string, len(t.raw))
	return t, nil
}

// split finds the texts of a list without spaces, and reports whether it is one.
func (t *table) split(list []byte) bool {
	n := bytes.Count(list, []byte(`","`)) + 1
	t.raw, t.state = make([][]byte, 0, n), make([]textState, 0, n)
	if len(list) < len(`[""]`) || list[0] != '[' || list[len(list)-1] != ']' {
		return false
	}
	for at := 1; at < len(list); {
		if list[at] != '"' {
			return false
		}
		end, state := at+1, textPlain
		for ; end < len(list) && list[end] != '"'; end++ {
			switch c := list[end]; {
			case c == '\\':
				state = textQuoted
				end++
			case c < ' ' || c >= utf8.RuneSelf:
				state = textQuoted
			}
		}
		if end+1 >= len(list) {
			return false
		}
		text := list[at+1 : end]
		if state == textQuoted {
			if text = list[at : end+1]; !json.Valid(text) {
				return false
			}
		}
		t.raw, t.state = append(t.raw, text), append(t.state, state)
		switch at = end + 2; list[end+1] {
		case ']':
			return at == len(list)
		case ',':
		default:
			return false
		}
	}
	return false
}

// text is a text by its number, if there is one.
func (t *table) text(n uint64) (text string, ok bool) {
	if n >= uint64(len(t.raw)) {
		return "", false
	}
	if t.state[n] != textMade {
		raw := t.raw[n]
		if t.state[n] == textQuoted {
			var whole string
			if json.Unmarshal(raw, &whole) != nil {
				return "", false
			}
			raw = []byte(whole)
		}
		t.made[n], t.state[n] = t.known.text(raw), textMade
	}
	return t.made[n], true
}

// text is a text that is made once.
func (k Texts) text(raw []byte) string {
	if same, ok := k[string(raw)]; ok {
		return same
	}
	text := string(raw)
	if k != nil {
		k[text] = text
	}
	return text
}
