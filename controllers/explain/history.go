package explain

import (
	"encoding/json"
	"sort"
	"strings"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
)

// History knows what the informers' caches held at each record of a trace. A cache is what its informer
// listed, plus the watch events that arrived since; both name versions that the store had, and the store
// can be rebuilt from the writes.
type History struct {
	replay *trace.Replay
	// feeds says that Add feeds the replay, too.
	feeds bool
	// caches are the informers by their stream: shared-informers/replicasets.
	caches map[string]*cached
	syncs  map[int64]*recorded
	// epoch is the time of At 0, once an object has told it.
	epoch time.Time
}

// recorded is what the trace says of one sync.
type recorded struct {
	start, end *trace.Record
	requests   []*trace.Record
}

// cached is one informer's cache over time.
type cached struct{ objects map[trace.Object][]seen }

// seen is a version of an object that entered a cache with the record seq; 0 says that the object left it.
type seen struct {
	seq int64
	rv  uint64
}

// NewHistory returns a History before the first record.
func NewHistory() *History {
	h := NewHistoryOf(trace.NewReplay())
	h.feeds = true
	return h
}

// NewHistoryOf uses a replay that somebody else feeds, each record before it comes to Add.
func NewHistoryOf(replay *trace.Replay) *History {
	return &History{
		replay: replay, caches: map[string]*cached{}, syncs: map[int64]*recorded{},
	}
}

// Add takes the next record.
func (h *History) Add(record *trace.Record) error {
	switch {
	case record.Request != nil:
		if h.feeds {
			if err := h.replay.Apply(record); err != nil {
				return err
			}
		}
		h.request(record)
	case record.Watch != nil:
		h.watch(record)
	case record.Sync != nil && record.Sync.Phase == trace.PhaseStart:
		h.syncs[record.Seq] = &recorded{start: record}
	case record.Sync != nil:
		if s := h.syncs[record.Sync.Start]; s != nil {
			s.end = record
			h.syncs[record.Seq] = s
		}
	}
	return nil
}

func (h *History) request(record *trace.Record) {
	for i := range record.Request.Writes {
		w := &record.Request.Writes[i]
		if h.epoch.IsZero() && w.Op == trace.OpCreate {
			h.epoch = epoch(w.New, record.At)
		}
	}
	// Events are sent aside, at any time.
	if s := h.syncs[record.Cause]; s != nil && !strings.HasPrefix(record.Request.Resource, "events") {
		s.requests = append(s.requests, record)
	}
	if record.Request.Verb == "list" && record.Request.Code == 200 && record.Request.Items != nil {
		h.listed(record)
	}
}

// epoch is when At was 0. A creationTimestamp has no fractions of seconds, a start has none either.
func epoch(created json.RawMessage, at time.Duration) time.Time {
	var object struct {
		Metadata struct {
			CreationTimestamp time.Time `json:"creationTimestamp"`
		} `json:"metadata"`
	}
	if json.Unmarshal(created, &object) != nil || object.Metadata.CreationTimestamp.IsZero() {
		return time.Time{}
	}
	start := object.Metadata.CreationTimestamp.Add(-at)
	if whole := start.Truncate(time.Second); !whole.Equal(start) {
		start = whole.Add(time.Second)
	}
	return start
}

// listed fills a cache with what existed, and empties it of everything else.
func (h *History) listed(record *trace.Record) {
	c := h.cache(streamName(record.Actor, record.Request.Resource))
	for o := range c.objects {
		c.add(o, seen{seq: record.Seq})
	}
	for _, o := range h.replay.Objects(record.Request.Resource, record.Seq) {
		c.add(o, seen{record.Seq, number(resourceVersion(h.replay.ObjectAt(o, record.Seq)))})
	}
}

func (h *History) watch(record *trace.Record) {
	w := record.Watch
	c := h.cache(w.Stream)
	switch w.Type {
	case "DELETED":
		c.add(w.Object, seen{seq: record.Seq})
	case "ADDED", "MODIFIED":
		c.add(w.Object, seen{record.Seq, w.RV})
	}
}

func (h *History) cache(stream string) *cached {
	c := h.caches[stream]
	if c == nil {
		c = &cached{objects: map[trace.Object][]seen{}}
		h.caches[stream] = c
	}
	return c
}

func (c *cached) add(o trace.Object, s seen) { c.objects[o] = append(c.objects[o], s) }

// at is what the cache held of an object just before the record seq; nil for nothing.
func (c *cached) at(replay *trace.Replay, o trace.Object, seq int64) map[string]any {
	versions := c.objects[o]
	// A list empties and fills a cache with one record: the later of the two counts.
	i := sort.Search(len(versions), func(i int) bool { return versions[i].seq >= seq })
	if i == 0 {
		return nil
	}
	return replay.ObjectVersion(o, versions[i-1].rv)
}

// streamName is how the stream of an informer is called: shared-informers/replicasets.
func streamName(actor, resource string) string {
	plural, _, _ := strings.Cut(resource, ".")
	return actor + "/" + plural
}

// time is the virtual time of a record; zero when the trace did not tell.
func (h *History) time(at time.Duration) time.Time {
	if h.epoch.IsZero() {
		return time.Time{}
	}
	return h.epoch.Add(at)
}
