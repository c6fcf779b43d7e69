// Package tui is the terminal user interface: a debugger for a finished run.
//
// It plays recordings and never touches a live simulation. A separate process runs a scenario to its end; what the
// screen shows is a lookup in the recording by the number of a record, so going back costs no more than going forward.
//
// There is one Model. Update is split by families of messages (update_*.go) and passes keys to the part that owns them:
// the picker, the viewer (which moves, plays and answers in a recording), the help, the prompt. View joins panes of
// package tui/internal/pane, which are drawn from a pane.Moment and have no state.
//
// Package tui/internal/views is the table of views, and where their panes are on a terminal of some size.
package tui
