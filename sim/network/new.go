package network

import (
	"golang.org/x/time/rate"

	"github.com/kubestep/kubestep/sim/apiserver"
)

// New creates the API server and the network before it. It must be called inside a bubble.
func New(parts Parts, options Options) (*Network, error) {
	n := &Network{
		Parts: parts, options: options, workers: newWorkers(parts.Engine.Now()),
		limiters: limiters{qps: options.QPS, burst: options.Burst, of: map[string]*rate.Limiter{}}, faults: newFaults(parts.Engine),
	}
	options.Server.OnWrite, options.Server.CallWebhook = n.awaitTurn, n.callWebhook
	options.Server.CallServer = n.callServer
	var err error
	n.Server, err = apiserver.New(n.turns.collect, options.Server)
	return n, err
}

// Disconnect ends all watches and abandons the requests that faults hold, after the engine was closed.
func (n *Network) Disconnect() {
	n.abandonHeld()
	n.closeStreams()
}
