// Package agreement compares what is explained about each sync with what the real controllers did in it, for tests that play scenarios.
//
// Its own test plays every scenario that comes with kubestep. Those of package explain play scenarios that nobody would write, and falsify
// what explanations are made from.
package agreement

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/controllers/explain"
	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// Played is a run with everything that explanations need.
type Played struct {
	t       *testing.T
	distort func(line string) string
	// building is the recording until Done.
	building *recording.Builder

	Records []*trace.Record
	// replay is what happened. It is that of the recording, unless this is falsified.
	replay *trace.Replay
	// Seen is the recording that is explained.
	Seen *recording.Recording
	// requests are those of each sync, by the record of its start, without Events, which are sent aside.
	requests map[int64][]*trace.Record
	// Branches counts the branches, steps and reasons of the explanations that were compared.
	Branches map[string]int
}

// New prepares a run, of which everything is played to Sink. What is explained sees the recording only, as lines of JSON; distort, if
// there is one, may falsify them.
func New(t *testing.T, distort func(line string) string) *Played {
	p := &Played{
		t: t, distort: distort, building: recording.NewBuilder(), requests: map[int64][]*trace.Record{}, Branches: map[string]int{},
	}
	if distort != nil {
		p.replay = trace.NewReplay()
	}
	return p
}

// Sink is a trace.Sink.
func (p *Played) Sink(_ *trace.Record, line []byte) {
	r := &trace.Record{}
	decode(p.t, line, r)
	shown := r
	if p.distort != nil {
		if err := p.replay.Apply(r); err != nil {
			p.t.Error(err)
		}
		if lie := p.distort(string(line)); lie != string(line) {
			shown = &trace.Record{}
			decode(p.t, []byte(lie), shown)
		}
	}
	if err := p.building.Add(shown); err != nil {
		p.t.Error(err)
	}
	p.Records = append(p.Records, r)
	if r.Request != nil && !strings.HasPrefix(r.Request.Resource, "events") {
		p.requests[r.Cause] = append(p.requests[r.Cause], r)
	}
}

// Done ends the recording.
func (p *Played) Done() *Played {
	p.Seen = p.building.Done(recording.Origin{}, "")
	if p.distort == nil {
		p.replay = p.Seen.Replay
	}
	return p
}

// Syncs are the ends of the syncs of one controller.
func (p *Played) Syncs(controller string) []*trace.Record {
	var ends []*trace.Record
	for _, r := range p.Records {
		if name, _ := trace.SplitActor(r.Actor); name == controller && r.Sync != nil && r.Sync.Phase == trace.PhaseEnd {
			ends = append(ends, r)
		}
	}
	return ends
}

func decode(t *testing.T, data json.RawMessage, into any) {
	t.Helper()
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

// done is what a sync really did.
type done struct {
	// requests are like "update replicasets/web-7d9f", effects as an explanation has them.
	requests, effects []string
	// refused is the index of the first request that was answered with an error; -1 for none.
	refused int
}

func (p *Played) done(t *testing.T, start int64) done {
	d := done{refused: -1}
	for i, r := range p.requests[start] {
		q := r.Request
		plural, _, _ := strings.Cut(q.Resource, ".")
		text := q.Verb + " " + plural + "/" + q.Name
		if q.Subresource != "" {
			text += "/" + q.Subresource
		}
		d.requests = append(d.requests, text)
		// Somebody else may have deleted an old ReplicaSet already; that changes nothing.
		gone := q.Verb == "delete" && q.Code == 404
		if q.Code >= 300 && !gone && d.refused < 0 {
			d.refused = i
		}
		if gone {
			d.effects = append(d.effects, arithmetic.Effect{ReplicaSet: q.Name, Deleted: true}.String())
		}
		for _, w := range q.Writes {
			if w.Resource == "replicasets.apps" {
				d.effects = append(d.effects, effects(t, w)...)
			}
		}
	}
	// ReplicaSets are adopted in the order of the cache.
	slices.SortStableFunc(d.requests, func(a, b string) int {
		if strings.HasPrefix(a, "patch ") && strings.HasPrefix(b, "patch ") {
			return strings.Compare(a, b)
		}
		return 0
	})
	return d
}

// effects are what a write of a ReplicaSet changed, as far as an explanation tells it.
func effects(t *testing.T, w trace.Write) []string {
	e := arithmetic.Effect{ReplicaSet: w.Name}
	switch w.Op {
	case trace.OpCreate:
		var rs struct{ Spec struct{ Replicas int32 } }
		decode(t, w.New, &rs)
		e.To, e.Created = rs.Spec.Replicas, true
		return []string{e.String()}
	case trace.OpDelete:
		e.Deleted = true
		return []string{e.String()}
	}
	for _, c := range w.Changes {
		if c.Path == "spec.replicas" {
			decode(t, c.Old, &e.From)
			decode(t, c.New, &e.To)
			return []string{e.String()}
		}
	}
	return nil
}

// Tally counts how explanations compare with what happened.
type Tally struct {
	syncs, cut, statuses int
	// Acted counts the syncs that changed a ReplicaSet, and Wrong those that are explained wrong.
	Acted, Wrong int
}

// Add adds the syncs of another run.
func (a *Tally) Add(b Tally) {
	a.syncs, a.Acted, a.cut = a.syncs+b.syncs, a.Acted+b.Acted, a.cut+b.cut
	a.statuses, a.Wrong = a.statuses+b.statuses, a.Wrong+b.Wrong
}

// String is a line.
func (a Tally) String() string {
	return fmt.Sprintf("%d syncs: %d are explained wrong; %d changed ReplicaSets, %d statuses were compared, "+
		"%d ended at a refused request and were compared up to it", a.syncs, a.Wrong, a.Acted, a.statuses, a.cut)
}

// CompareRollouts compares the explanation of every sync of the Deployment controller with what the
// controller did in it: each request, each changed size, and the reason of the condition Progressing.
func (p *Played) CompareRollouts(t *testing.T, wrong func(format string, args ...any)) Tally {
	t.Helper()
	var n Tally
	tell := func(format string, args ...any) {
		n.Wrong++
		wrong(format, args...)
	}
	for _, end := range p.Syncs("deployment-controller") {
		n.syncs++
		e := explain.At(p.Seen, end.Sync.Start)
		if e == nil {
			tell("record %d has no explanation", end.Sync.Start)
			continue
		}
		countBranches(p.Branches, e)
		did := p.done(t, e.Start)
		if len(did.effects) > 0 {
			n.Acted++
		}
		var said []string
		for _, effect := range e.Effects {
			said = append(said, effect.String())
		}
		if e.Refused != "" {
			n.cut++
			did.requests = did.requests[:min(len(e.Requests), len(did.requests))]
		}
		switch {
		case !slices.Equal(e.Requests, did.requests) || !slices.Equal(said, did.effects) || e.Refused != "" && did.refused < 0:
			tell("record %d (%s) says\n  %q %q, but the controller did\n  %q %q\n%s", e.Start, e.Branch,
				said, e.Requests, did.effects, did.requests, strings.Join(e.Text(0), "\n"))
		case did.refused < 0 && slices.Contains(did.requests, statusUpdate(end.Sync.Key)):
			n.statuses++
			if got := p.progressing(end); got != e.Progressing {
				tell("record %d says Progressing %q, but the Deployment has %q\n%s", e.Start, e.Progressing, got,
					strings.Join(e.Text(0), "\n"))
			}
		}
	}
	return n
}

// statusUpdate is the request that writes the status of the Deployment with a key.
func statusUpdate(key string) string {
	return "update deployments/" + key[strings.Index(key, "/")+1:] + "/status"
}

// progressing is the reason of the Deployment's condition when a sync ends.
func (p *Played) progressing(end *trace.Record) string {
	namespace, name, _ := strings.Cut(end.Sync.Key, "/")
	object := p.replay.ObjectAt(trace.Object{Resource: "deployments.apps", Namespace: namespace, Name: name}, end.Seq)
	status, _ := object["status"].(map[string]any)
	conditions, _ := status["conditions"].([]any)
	for _, c := range conditions {
		if condition := c.(map[string]any); condition["type"] == "Progressing" {
			reason, _ := condition["reason"].(string)
			return reason
		}
	}
	return ""
}

// countBranches counts which ways a sync took.
func countBranches(branches map[string]int, e *arithmetic.Explanation) {
	branches[e.Branch]++
	branches[e.Progressing]++
	for _, step := range e.Steps {
		branches[step.Title]++
		branches[step.Function]++
	}
}
