package network

import (
	"time"

	"github.com/kubestep/kubestep/sim/network/fault"
)

// What the tests look at, which are clients of a whole simulation: package sim imports this one.
var (
	EventTime = eventTime
	Revision  = revisionOf
	Refuse    = refuse
)

const (
	StoreActor   = storeActor
	RetryMax     = retryMax
	UnreadBuffer = unreadBuffer
)

// Lag is how far the events of a stream are behind now.
func (n *Network) Lag(stream string) time.Duration { return n.lag(stream) }

// CutAll ends the streams to which a rule applies.
func (n *Network) CutAll(rule *fault.Rule) { n.cutAll(rule) }
