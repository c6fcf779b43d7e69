package tui

import (
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// named are the keys that have names.
var named = map[string]tea.KeyType{
	"enter": tea.KeyEnter, "esc": tea.KeyEsc, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft,
	"right": tea.KeyRight, "home": tea.KeyHome, "end": tea.KeyEnd, "pgdown": tea.KeyPgDown, "pgup": tea.KeyPgUp,
	"ctrl+c": tea.KeyCtrlC, "shift+tab": tea.KeyShiftTab, "space": tea.KeySpace, "backspace": tea.KeyBackspace,
}

// typed reads keys as they are written in a script: enter and so on are keys, 12*n is twelve times n, and
// anything else is typed letter by letter. An underscore is a space, and quotes around a text do not count.
func typed(word string) []tea.KeyMsg {
	if count, rest, ok := strings.Cut(word, "*"); ok {
		if n, err := strconv.Atoi(count); err == nil {
			var keys []tea.KeyMsg
			for range n {
				keys = append(keys, typed(rest)...)
			}
			return keys
		}
	}
	if kind, ok := named[word]; ok {
		msg := tea.KeyMsg{Type: kind}
		if kind == tea.KeySpace {
			msg.Runes = []rune{' '}
		}
		return []tea.KeyMsg{msg}
	}
	var keys []tea.KeyMsg
	for _, r := range strings.ReplaceAll(strings.Trim(word, `"`), "_", " ") {
		keys = append(keys, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
	return keys
}

// press sends keys, and runs what they ask for until nothing is left to do. A prompt asks for its blinking cursor
// only.
func (m *Model) press(words ...string) {
	for _, word := range words {
		for _, key := range typed(word) {
			_, cmd := m.Update(key)
			for cmd != nil && m.prompt.ask == nil {
				_, cmd = m.Update(cmd())
			}
		}
	}
}
