// Package keymap has all keys of the interface and all that can be typed, with what they do. The help, the footer and
// docs/reference/keys.md are made from it.
package keymap

import (
	"github.com/charmbracelet/bubbles/key"

	"github.com/kubestep/kubestep/tui/internal/views"
)

// KeyMap has all keys of the interface. Help, footer and docs/reference/keys.md are made from it; which keys do
// something is shown by enabling and disabling them.
type KeyMap struct {
	Next, Previous            key.Binding
	NextWrite, PreviousWrite  key.Binding
	NextSync, PreviousSync    key.Binding
	NextDecision, OldDecision key.Binding
	NextStep, PreviousStep    key.Binding
	NextError, PreviousError  key.Binding
	Cause, Back               key.Binding
	NextChange, OldChange     key.Binding
	Start, End                key.Binding
	Goto, Filter, All         key.Binding

	Play, Faster, Slower, Live, Idle key.Binding

	// Views and Shortcuts are those of the table of views, in its order. A view without a shortcut has an empty one.
	Views, Shortcuts          []key.Binding
	Command, Divergence       key.Binding
	Present, Background       key.Binding
	Panel, PreviousPanel      key.Binding
	Up, Down                  key.Binding
	ScrollDown, ScrollUp      key.Binding
	NextWorkload, OldWorkload key.Binding

	Again, Glossary key.Binding

	Open, Escape, Help, Quit key.Binding
}

func bind(help, about string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, about))
}

// New returns the keys.
func New() KeyMap {
	k := KeyMap{
		Next:          bind("n l →", "next record", "n", "right", "l"),
		Previous:      bind("p h N ←", "previous record", "p", "N", "left", "h"),
		NextWrite:     bind("w", "next API write", "w"),
		PreviousWrite: bind("W", "previous API write", "W"),
		NextSync:      bind("s", "next sync of a controller", "s"),
		PreviousSync:  bind("S", "previous sync", "S"),
		NextDecision:  bind("d", "next decision of a controller", "d"),
		OldDecision:   bind("D", "previous decision", "D"),
		NextStep:      bind("a", "next action of the scenario", "a"),
		PreviousStep:  bind("A", "previous action", "A"),
		NextError:     bind("e", "next error or failed check", "e"),
		PreviousError: bind("E", "previous error or failed check", "E"),
		Cause:         bind("c", "go to the cause of this record", "c"),
		Back:          bind("C", "return from a jump with c, g or a click", "C", "backspace"),
		NextChange:    bind(".", "next write of the selected object", "."),
		OldChange:     bind(",", "previous write of the selected object", ","),
		Start:         bind("home", "first record, as gg", "home"),
		End:           bind("end G", "last record", "end", "G"),
		Goto:          bind("g", "go to a time (12.4s) or a record (412)", "g"),
		Filter:        bind("/", "filter the list", "/"),
		All:           bind("v", "show every record, or only the important ones", "v"),

		Play:   bind("space", "play, pause", " "),
		Faster: bind("+ =", "play faster, up to 64x", "+", "="),
		Slower: bind("-", "play slower, down to 0.25x", "-"),
		Live:   bind("t", "play live, in proportion to virtual time, or a beat for each record", "t"),
		Idle:   bind("i", "skip idle time in a live play, or not", "i"),

		Command:       bind(": b", "add a step here, in a branch", ":", "b"),
		Divergence:    bind("f", "first record that the parent of the branch does not have", "f"),
		Present:       bind("P", "presentation mode for a projector", "P"),
		Background:    bind("L", "colors for a light or a dark background", "L"),
		Panel:         bind("tab", "next panel", "tab"),
		PreviousPanel: bind("shift+tab", "previous panel", "shift+tab"),
		Up:            bind("↑ k", "select the line above, or scroll", "up", "k"),
		Down:          bind("↓ j", "select the line below, or scroll", "down", "j"),
		ScrollDown:    bind("pgdn ^d", "scroll the panel down", "pgdown", "ctrl+d"),
		ScrollUp:      bind("pgup ^u", "scroll the panel up", "pgup", "ctrl+u"),
		NextWorkload:  bind("]", "next workload", "]"),
		OldWorkload:   bind("[", "previous workload", "["),

		Again:    bind("r", "answer the last question again", "r"),
		Glossary: bind("K", "glossary: what the words on the screen mean", "K"),

		Open:   bind("enter", "open what is selected, look inside it; the next lesson at the end", "enter"),
		Escape: bind("esc", "close help, prompt, filter, recording; back to the stage", "esc"),
		Help:   bind("?", "help", "?"),
		Quit:   bind("q", "quit", "q", "ctrl+c"),
	}
	for _, v := range views.All {
		k.Views = append(k.Views, bind(v.Key, v.Name+": "+v.About, v.Key))
		shortcut := key.NewBinding()
		if v.Shortcut.Pane != nil {
			shortcut = bind(v.Shortcut.Key, v.Shortcut.About, v.Shortcut.Key)
		}
		k.Shortcuts = append(k.Shortcuts, shortcut)
	}
	return k
}

// Group is some keys that belong together.
type Group struct {
	Title string
	Keys  []*key.Binding
}

// Groups lists all keys, for people.
func (k *KeyMap) Groups() []Group {
	return []Group{
		{"Moving", []*key.Binding{
			&k.Next, &k.Previous, &k.NextWrite, &k.PreviousWrite, &k.NextDecision, &k.OldDecision,
			&k.NextSync, &k.PreviousSync, &k.NextStep, &k.PreviousStep,
			&k.NextError, &k.PreviousError, &k.Cause, &k.Back, &k.NextChange, &k.OldChange, &k.Goto, &k.Start, &k.End,
		}},
		{"What if", []*key.Binding{&k.Command, &k.Divergence}},
		{"Playing", []*key.Binding{&k.Play, &k.Faster, &k.Slower, &k.Live, &k.Idle}},
		{"Looking", append(k.ofViews(),
			&k.Present, &k.Background,
			&k.Panel, &k.PreviousPanel, &k.Up, &k.Down, &k.ScrollDown, &k.ScrollUp, &k.NextWorkload, &k.OldWorkload,
			&k.Filter, &k.All, &k.Again, &k.Glossary,
		)},
		{"Leaving", []*key.Binding{&k.Open, &k.Escape, &k.Help, &k.Quit}},
	}
}

// ofViews are the keys of the table of views.
func (k *KeyMap) ofViews() []*key.Binding {
	var keys []*key.Binding
	for i := range k.Views {
		keys = append(keys, &k.Views[i])
	}
	for i := range k.Shortcuts {
		if len(k.Shortcuts[i].Keys()) > 0 {
			keys = append(keys, &k.Shortcuts[i])
		}
	}
	return keys
}
