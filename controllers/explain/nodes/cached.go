package nodes

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubestep/kubestep/controllers/explain/internal/observed"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// view is what a controller had in its caches when it sent a request that belongs to no sync.
type view struct {
	rec   *recording.Recording
	actor string
	// seq is the last record before the request, and begun that with which its process started, 0 for the first start.
	seq, begun int64
}

func viewOf(rec *recording.Recording, record *trace.Record) view {
	return view{rec, record.Actor, rec.Find(record.Request.Sent), observed.Begun(rec, record)}
}

// node is a node in one version; nil if it is unknown.
func (v view) node(name string, rv uint64) *corev1.Node {
	node := &corev1.Node{}
	object := v.rec.Replay.ObjectVersion(trace.Object{Resource: "nodes", Name: name}, rv)
	if object == nil || observed.Convert(object, node) != nil {
		return nil
	}
	return node
}

// nodes are those in the cache.
func (v view) nodes() []*corev1.Node {
	var all []*corev1.Node
	cache := v.rec.Caches.Read(v.actor, "nodes")
	for _, o := range cache.Objects("", v.seq) {
		if node := v.node(o.Name, cache.Version(o, v.seq)); node != nil {
			all = append(all, node)
		}
	}
	return all
}

// since is the time from which on all versions of an object in the cache were as asked, without a break and within the life of the
// process.
func (v view) since(o trace.Object, is func(rv uint64) bool) time.Duration {
	cache := v.rec.Caches.Read(v.actor, o.Resource)
	first := int64(0)
	for seq, rv := range cache.History(o, v.seq) {
		if !is(rv) {
			break
		}
		if first = seq; seq < v.begun {
			break
		}
	}
	if first < v.begun {
		// The cache was filled again.
		first = cache.FirstAfter(v.begun)
	}
	return v.rec.At(first)
}
