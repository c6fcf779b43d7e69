package invariant

import (
	"fmt"
	"strconv"

	"github.com/kubestep/kubestep/sim/network"
	"github.com/kubestep/kubestep/sim/trace"
)

var watchOrder = Invariant{
	Name: "watch-order",
	Sentence: "The resourceVersions of the events of one watch only increase, and an informer that lists again does not get an older " +
		"state, unless a fault makes its list stale.",
	Forgives: "The initial ADDED events of a watch without a resourceVersion: they are sorted by name.",
	Upstream: "https://kubernetes.io/docs/reference/using-api/api-concepts/#efficient-detection-of-changes",
	watch: func(r *Run) watcher {
		return &order{run: r, newest: map[*network.Stream]uint64{}, last: map[view]*network.Stream{}, lists: map[view]list{}}
	},
}

type order struct {
	passive
	run *Run
	// newest is the revision of the newest event of each stream, last the newest stream of each informer.
	newest map[*network.Stream]uint64
	last   map[view]*network.Stream
	// lists are the newest lists of each informer.
	lists  map[view]list
	looked bool
}

// view is an informer: who watches what.
type view struct{ actor, resource string }

// list is the answer to a list: its revision, its record, and whether a fault decided it.
type list struct {
	rv   uint64
	seq  int64
	past bool
}

func (o *order) hasLooked() bool { return o.looked }

func (o *order) record(record *trace.Record) {
	if record.Request == nil || record.Request.Verb != "list" || record.Request.Code != 200 {
		return
	}
	if rv, err := strconv.ParseUint(record.Request.RV, 10, 64); err == nil {
		o.lists[view{record.Actor, record.Request.Resource}] = list{rv, record.Seq, record.FaultSeq != 0}
	}
}

// opened looks at an informer that connects again: what it lists after its watch has ended is not older than what the
// watch sent.
func (o *order) opened(stream *network.Stream) {
	if stream.Selective {
		return
	}
	informer := view{stream.Actor, stream.Resource}
	before := o.last[informer]
	listed, known := o.lists[informer]
	o.last[informer] = stream
	o.newest[stream] = stream.From
	if before == nil || before.Open() || before.Namespace != stream.Namespace {
		return
	}
	// An informer that streams its list (client-go's WatchListClient) has no list, and its watch begins at no revision.
	if newest := o.newest[before]; known && stream.From == listed.rv && listed.rv < newest && !listed.past {
		o.run.broken(listed.seq, fmt.Sprintf("%s listed %s at resourceVersion %d, but its watch was already at %d",
			stream.Actor, stream.Resource, listed.rv, newest))
	}
	delete(o.newest, before)
}

func (o *order) delivered(d *network.Delivery) {
	if d.Revision == 0 {
		return
	}
	o.looked = true
	newest := o.newest[d.Stream]
	if d.Revision < newest && !d.Listed {
		o.run.broken(d.Seq, fmt.Sprintf("the watch of %s on %s got resourceVersion %d after %d: %s of %s",
			d.Actor, d.Resource, d.Revision, newest, d.Type,
			trace.ObjectName(trace.Object{Resource: d.Resource, Namespace: d.Namespace, Name: d.Name})))
	}
	o.newest[d.Stream] = max(newest, d.Revision)
}
