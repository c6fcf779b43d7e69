// Package signal is what upstream's integration tests get in place of Go's package os/signal. A goroutine that waits for
// a signal of the operating system would keep virtual time from proceeding, and the runner sends none.
package signal

import (
	"context"
	"os"
)

// Notify relays no signal.
func Notify(chan<- os.Signal, ...os.Signal) {}

// Stop does nothing, since no signal is relayed.
func Stop(chan<- os.Signal) {}

// NotifyContext returns a context that no signal ends.
func NotifyContext(parent context.Context, _ ...os.Signal) (context.Context, context.CancelFunc) {
	return context.WithCancel(parent)
}
