// Package tui is the interface: a debugger for a run that is over.
//
// It plays recordings and never touches a live simulation. A scenario is run to its end by a process of
// its own; what the screen shows is a lookup in the recording by the number of a record, so going back
// costs no more than going forward.
//
// There is one Model. Update splits by families of messages (update_*.go) and hands keys to the part that
// owns them: the picker, the viewer (who moves, plays and answers in a recording), the help, the prompt. View
// joins panes of package tui/pane, which are drawn from a pane.Moment and keep nothing.
//
// # Views
//
// A view is a row of the table in views.go: its key and name, its main pane, and which panes are around it on
// narrow, wide and roomy terminals. Keys, footer, help, docs/reference/keys.md, tabs, the mouse and the layout
// (layout.go, a pure function of the terminal's size) all follow from the table. To add a view, write a pane in
// a file of tui/pane, and a row; then run
//
//	go test ./tui ./docs -rewrite
//
// and look at what changed. No other place knows a view by its name, which TestOnlyTheTableKnowsTheViews holds.
package tui
