// Package plugins has what the plugins of kubelets share: calls as data, and sockets in memory on which a kubelet, upstream's, calls the
// plugins of its node by gRPC. The packages below it are the plugins: drivers for volumes (csi), device plugins, and drivers for
// dynamic resource allocation.
package plugins

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"time"

	"github.com/kubestep/kubestep/sim/cluster/cri"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/trace"
)

// Call is how a remote procedure call to a plugin goes.
type Call struct {
	// Takes is how long it takes until its answer.
	Takes cri.Range
	// Fails is the error, such as "disk not found"; empty for none.
	Fails string
	// Times is how many calls fail; 0 means all.
	Times int
}

// Calls counts the calls of one server: the plugins of a node, or the controller of a driver. A new value has counted none.
type Calls struct {
	// Seed returns the seed that decides what is drawn now.
	Seed func() uint64
	// Server is part of the key of what is drawn.
	Server string
	// Notice gets each call at its end, and at its begin if it takes time; nil for nobody.
	Notice func(trace.Call)

	mu          sync.Mutex
	made, fails map[string]int
}

// Do makes a call: it returns when the call is over, or when the caller gives up.
func (c *Calls) Do(ctx context.Context, call Call, what trace.Call) error {
	takes, end := c.Begin(call, what)
	if takes > 0 && engine.Sleep(ctx, takes) {
		return end(nil)
	}
	return end(ctx.Err())
}

// Begin begins a call, and returns how long it takes. end ends it, with an error if the caller gave up, and returns the error of the call.
func (c *Calls) Begin(call Call, what trace.Call) (takes time.Duration, end func(gaveUp error) error) {
	takes, fails := c.next(call, what)
	if takes > 0 {
		c.notice(what, trace.PhaseStart, 0, nil)
	}
	began := time.Now()
	return takes, func(err error) error {
		if err == nil {
			err = fails
		}
		c.notice(what, trace.PhaseEnd, time.Since(began), err)
		return err
	}
}

// next is how the next call goes.
func (c *Calls) next(call Call, what trace.Call) (takes time.Duration, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.made == nil {
		c.made, c.fails = map[string]int{}, map[string]int{}
	}
	key := what.Plugin + "|" + what.Method
	of := key + "|" + what.Name + "|" + what.UID
	c.made[of]++
	takes = call.Takes.Min
	if width := call.Takes.Max - call.Takes.Min; width > 0 {
		takes += time.Duration(engine.Hash(c.Seed(), "plugin|"+c.Server+"|"+of+"|"+strconv.Itoa(c.made[of])) % (uint64(width) + 1))
	}
	if call.Fails != "" && (call.Times == 0 || c.fails[key] < call.Times) {
		c.fails[key]++
		err = errors.New(call.Fails)
	}
	return takes, err
}

func (c *Calls) notice(what trace.Call, phase trace.Phase, took time.Duration, err error) {
	if c.Notice == nil {
		return
	}
	what.Phase, what.Took = phase, took
	if err != nil {
		what.Error = err.Error()
	}
	c.Notice(what)
}

// Recorded returns a Notice that writes records of an actor. A call that begins, and one that takes no time, changes nothing by itself.
func Recorded(recorder *trace.Recorder, actor string) func(trace.Call) {
	return func(what trace.Call) {
		record := &trace.Record{Kind: trace.KindCall, Actor: actor, Call: &what}
		record.Background = what.Phase == trace.PhaseStart || what.Took == 0 && what.Error == ""
		recorder.Defer(record, trace.RankOther, func() string {
			return what.Plugin + "|" + what.Namespace + "|" + what.Name + "|" + what.UID + "|" + what.Method + "|" + string(what.Phase)
		}, nil, nil)
	}
}
