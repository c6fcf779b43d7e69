package outline

import (
	"encoding/binary"
	"hash/maphash"

	"github.com/kubestep/kubestep/sim/trace"
)

// Digest is a number that two records share if their outlines are the same, apart from Facts, the uids of creations and what an update
// changes. It is another one in each process, so nobody can make records that have the same by chance.
func Digest(r *trace.Record) uint64 {
	d := digest{at: make([]byte, 0, 256)}
	d.numbers(r.Seq, int64(r.At), r.Cause, r.FaultSeq, flag(r.Background))
	d.texts(string(r.Kind), r.Actor)
	switch {
	case r.Request != nil:
		d.request(r.Request)
	case r.Watch != nil:
		w := r.Watch
		d.texts(w.Type)
		d.object(w.Object)
		d.numbers(int64(w.RV), int64(w.Written))
	case r.Sync != nil:
		s := r.Sync
		d.texts(string(s.Phase), s.Queue, s.Key)
		if s.Phase != trace.PhaseStart {
			d.numbers(s.Start, flag(s.Requeued), flag(s.Error != ""))
		}
	case r.Timer != nil:
		d.texts(r.Timer.Queue, r.Timer.Key)
	case r.Container != nil:
		d.texts(r.Container.UID)
	case r.Fault != nil:
		d.texts(r.Fault.Verb, r.Fault.Effect)
	case r.Check != nil:
		d.numbers(flag(r.Check.Passed))
	}
	return maphash.Bytes(seed, d.at)
}

var seed = maphash.MakeSeed()

type digest struct{ at []byte }

func (d *digest) numbers(numbers ...int64) {
	for _, n := range numbers {
		d.at = binary.AppendVarint(d.at, n)
	}
}

func (d *digest) texts(texts ...string) {
	for _, text := range texts {
		d.numbers(int64(len(text)))
		d.at = append(d.at, text...)
	}
}

func (d *digest) object(o trace.Object) { d.texts(o.Resource, o.Namespace, o.Name) }

func (d *digest) request(q *trace.Request) {
	d.texts(q.Verb, q.Subresource)
	d.object(q.Object)
	d.numbers(int64(q.Code), int64(len(q.Webhooks)), int64(len(q.Writes)))
	d.numbers(q.Webhooks...)
	for i := range q.Writes {
		w := &q.Writes[i]
		d.texts(string(w.Op))
		d.object(w.Object)
		d.numbers(int64(w.RV))
	}
}

func flag(set bool) int64 {
	if set {
		return 1
	}
	return 0
}
