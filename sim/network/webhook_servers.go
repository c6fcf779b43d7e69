package network

import (
	"sync/atomic"

	"github.com/kubestep/kubestep/sim/apiserver/webhook"
)

// webhooks are the servers of webhooks.
type webhooks struct {
	servers webhook.Servers
	// barred means that the engine waits for somebody who must not wait for a webhook.
	barred atomic.Bool
}

// without runs f, in which no webhook can be called, because the engine waits for it.
func (w *webhooks) without(f func()) {
	defer w.barred.Store(w.barred.Swap(true))
	f()
}
