// Package tui is the terminal user interface: a debugger for a finished run.
//
// It plays recordings and never touches a live simulation. A separate process runs a scenario to its end; what the
// screen shows is a lookup in the recording by the number of a record, so going back costs no more than going forward.
//
// There is one Model. Update is split by families of messages (update_*.go) and passes keys to the part that owns them:
// the picker, the viewer (which moves, plays and answers in a recording), the help, the prompt. View joins panes of
// package tui/pane, which are drawn from a pane.Moment and have no state.
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
// and review the changes. No other code refers to a view by its name; TestOnlyTheTableKnowsTheViews checks this.
package tui
