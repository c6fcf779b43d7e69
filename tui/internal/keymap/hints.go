package keymap

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"

	"github.com/kubestep/kubestep/tui/internal/views"
)

// Hint is an entry of the footer: one key, or a pair of opposite ones.
type Hint struct {
	keys  []*key.Binding
	Short string
}

// Hints are what the footer shows of the keys, the most useful first.
func (k *KeyMap) Hints() []Hint {
	hints := []Hint{
		{[]*key.Binding{&k.Open}, "open"},
		{[]*key.Binding{&k.Next, &k.Previous}, "record"},
		{[]*key.Binding{&k.Play}, "play"},
		{[]*key.Binding{&k.NextDecision, &k.OldDecision}, "decision"},
		{[]*key.Binding{&k.NextWrite, &k.PreviousWrite}, "write"},
		{[]*key.Binding{&k.NextSync, &k.PreviousSync}, "sync"},
		{[]*key.Binding{&k.NextStep, &k.PreviousStep}, "action"},
		{[]*key.Binding{&k.Command}, "what if"},
		{[]*key.Binding{&k.Cause}, "cause"},
		{[]*key.Binding{&k.Back}, "back"},
		{[]*key.Binding{&k.NextError, &k.PreviousError}, "error"},
	}
	for i, v := range views.All {
		hints = append(hints, Hint{[]*key.Binding{&k.Shortcuts[i]}, v.Shortcut.Hint})
	}
	return append(hints,
		Hint{[]*key.Binding{&k.Panel}, "panel"},
		Hint{[]*key.Binding{&k.Goto}, "go to"},
		Hint{[]*key.Binding{&k.Filter}, "filter"},
		Hint{[]*key.Binding{&k.Glossary}, "glossary"},
	)
}

// Binding is the hint as one key: the first name of each of its keys that does something now.
func (h Hint) Binding() key.Binding {
	var names []string
	for _, k := range h.keys {
		if k.Enabled() {
			name, _, _ := strings.Cut(k.Help().Key, " ")
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return key.NewBinding()
	}
	text := strings.Join(names, "/")
	return bind(text, h.Short, text)
}
