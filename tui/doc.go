// Package tui is the interface: a debugger for a run that is over.
//
// It plays recordings and never touches a live simulation. A scenario is run to its end by a process of
// its own; what the screen shows is a lookup in the recording by the number of a record, so that going back
// is as cheap as going on.
//
// There is one Model. Its Update is split by families of messages (update_*.go), what it draws is made of
// panes (tui/pane), where they are is a pure function of the terminal's size (layout.go), and all keys are
// in one KeyMap (keys.go), from which the help and docs/reference/keys.md are made.
package tui
