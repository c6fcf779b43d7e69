package network

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/engine/activity"
	"github.com/kubestep/kubestep/sim/observe/digest"
	"github.com/kubestep/kubestep/sim/observe/syncs"
	"github.com/kubestep/kubestep/sim/trace"
)

// Options describe a network.
type Options struct {
	Latency
	// QPS and Burst limit each client, as client-go's rate limiter does; QPS 0 means no limit.
	QPS   float64
	Burst int
	// Fairness makes requests wait for their turn, if its Concurrency is not 0.
	Fairness Fairness
	// OpenOrder makes each response an event of its own, even one that takes no time, so that a Chooser decides when it arrives.
	OpenOrder bool
	// LeaveOut leaves out what the server does for watches whatever happens: bookmarks, and the ends after half an hour or
	// more. A record says so.
	LeaveOut bool
	// Server configures the API server.
	Server apiserver.Options
	// Context ends when the simulation ends.
	Context context.Context
	// Go runs f on a goroutine of actor, which the end of the simulation waits for.
	Go func(actor string, f func(ctx context.Context))
	// IDs generates uids and names.
	IDs IDs
	// Written gets the writes of a request before the observers do.
	Written func([]apiserver.Commit)
	// Stored returns an object of the store as clients see it; namespace is empty for cluster-scoped resources.
	Stored func(resource schema.GroupResource, namespace, name string) (runtime.Object, bool)
}

// Parts are what requests meet on their way.
type Parts struct {
	Engine     *engine.Engine
	Recorder   *trace.Recorder
	Activities *activity.Registry
	Observer   *syncs.Observer
}

// IDs generates the uids and names that the server gives to objects.
type IDs interface {
	// Prepare prepares one creation. draw is unique to the request.
	Prepare(draw uint64, generatesName bool)
	// Hold gives out ids of their own until release is called, after which it is as if none had been taken.
	Hold() (release func())
}

// Network is what is between the clients and the API server, and the API server.
type Network struct {
	Parts
	Server *apiserver.Server

	options Options
	// limiters and users are what is known about the clients.
	limiters
	users
	// workers and webhooks are the side of the server.
	workers  workers
	webhooks webhooks
	// fairness decides when requests are executed, nil if they do not wait.
	fairness *apiserver.Fairness
	// turns and written are about the writes to the store, which observers get.
	turns     turns
	written   history
	observers []func(Change)
	answered  []func(seq int64, at time.Duration)
	// Digests compares objects.
	Digests digest.Objects
	// faults and streams are the rules, and the watches that they can hold and cut.
	faults
	streams
}

// Change is a write together with its record.
type Change struct {
	apiserver.Commit
	// Seq is the number of the request's record.
	Seq int64
	// Background is the field of the record.
	Background bool
}

// OnChange registers a function that is called for every write, right after the record of the request. It runs on the
// engine's goroutine and must not block.
func (n *Network) OnChange(f func(Change)) { n.observers = append(n.observers, f) }

// OnAnswer registers a function that is called for every request of a client that the server has executed, with the number of its record
// and the virtual time at which the client will have the answer. It runs on the engine's goroutine and must not block.
func (n *Network) OnAnswer(f func(seq int64, at time.Duration)) { n.answered = append(n.answered, f) }
