package scene

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/reading/palette"
	"github.com/kubestep/kubestep/scenarios/reading/why"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// Program is a component of the cluster: what it said or heard last, and what a controller knows, has to do and decided.
type Program struct {
	*Component `json:"-"`
	// Mark is the state of its process as a sign of one cell, and About in words, as far as it is unusual.
	Mark  string       `json:"mark"`
	About string       `json:"about,omitempty"`
	Tone  palette.Tone `json:"tone,omitempty"`
	// Message is its last message; nil before the first.
	Message *Message `json:"message,omitempty"`
	// Queue is what is in its queues, Cache how far its caches are behind the store, and Stale that they are. All of these and Decided
	// are empty for a component without a queue.
	Queue string `json:"queue,omitempty"`
	Cache string `json:"cache,omitempty"`
	Stale bool   `json:"stale,omitempty"`
	// Behind is for how long the oldest change has been missing in its caches; 0 if none is.
	Behind time.Duration `json:"-"`
	// Decided is what its last sync decided. Idle says that no sync has ended yet.
	Decided string `json:"decided,omitempty"`
	Idle    bool   `json:"-"`
	// Nodes are those of the kubelet, and Workers its Pod workers, if it is upstream's: those that wait come first.
	Nodes   []Node   `json:"nodes,omitempty"`
	Workers []Worker `json:"workers,omitempty"`
}

// mostWorkers is how many Pods the kubelets of a recording may run whose workers are shown: nobody reads more, and each takes time.
const mostWorkers = 60

// Worker is the part of a kubelet that has one Pod.
type Worker struct {
	Pod  string `json:"pod"`
	Node string `json:"node"`
	// Does is what it does now, in a few words.
	Does string       `json:"does"`
	Tone palette.Tone `json:"tone,omitempty"`
}

// Node is a node with its Pods. Pods that no node runs yet are on one of the name "no node yet".
type Node struct {
	Name string `json:"name"`
	// Mark is the state of its kubelet, if that is a process of its own and does not run.
	Mark string `json:"mark,omitempty"`
	Pods Pods   `json:"pods"`
}

// Programs are some components, in their order.
func (b *Beat) Programs(of []*Component) []Program {
	leader := b.Instant().Leader()
	programs := make([]Program, len(of))
	for i, component := range of {
		p, actor := &programs[i], b.replica(component, leader)
		*p = Program{Component: component, Mark: "●", Message: b.message(component, actor)}
		switch {
		case component.Syncs:
			process := b.Instant().Process(b.History.ProcessOf(actor))
			p.runs(process, false, b.Times)
			b.knows(p, actor)
			p.Decided, p.Idle = b.decided(actor, process)
		case component.Role == Process:
			process, leads := b.Instant().Process(component.Name), leader == component.Name
			if leader != "" && !leads && process.State == why.Runs {
				process.State = why.Standby
			}
			p.runs(process, leads, b.Times)
		case component.Role == Kubelet:
			p.Nodes = b.Nodes()
			if component.Pods <= mostWorkers {
				p.Workers = b.workers()
			}
			b.kubelets(p)
		}
	}
	return programs
}

// workers are the workers of upstream's kubelets. Nothing tells when they act next if that may be the answer to a question.
func (b *Beat) workers() (workers []Worker) {
	works := b.Instant().Works(why.Words{Since: b.Times.Since, Due: func(at time.Duration) string {
		switch {
		case b.Asked, b.Rec.AsksBefore(at, b.Seq):
			return ""
		case at <= b.Now:
			return "soon"
		}
		return b.Times.Due(at)
	}})
	slices.SortStableFunc(works, func(a, b why.Work) int {
		switch {
		case a.Waits == b.Waits:
			return 0
		case a.Waits:
			return -1
		}
		return 1
	})
	for _, w := range works {
		one := Worker{Pod: w.Pod.Name, Node: w.Node, Does: w.Does}
		if w.Waits {
			one.Tone = palette.Pending
		}
		workers = append(workers, one)
	}
	return workers
}

// kubelets sets which kubelets of nodes do not run. Upstream's are processes of their own; the stand-in is one for all nodes.
func (b *Beat) kubelets(p *Program) {
	var down []string
	for _, actor := range p.actors {
		process := b.Instant().Process(b.History.ProcessOf(actor))
		var one Program
		if one.runs(process, false, b.Times); one.About != "" {
			down = append(down, process.Name+" "+one.About)
			p.Mark, p.Tone = one.Mark, one.Tone
			for n := range p.Nodes {
				if controllers.KubeletProcess(p.Nodes[n].Name) == process.Name {
					p.Nodes[n].Mark = one.Mark
				}
			}
		}
	}
	p.About = strings.Join(down, ", ")
	if len(down) < len(p.actors) {
		p.Mark, p.Tone = "●", ""
	}
}

// replica is the actor of a component: that of the leader, or else the one that was active last.
func (b *Beat) replica(o *Component, leader string) string {
	last, active := int64(-1), o.actors[0]
	for _, actor := range o.actors {
		if leader != "" && b.History.ProcessOf(actor) == leader {
			return actor
		}
		if at := recording.Latest(b.Rec.OfActor(actor), b.Seq); at > last {
			last, active = at, actor
		}
	}
	return active
}

// runs sets how the state of a process is seen; leads says that it holds the lease.
func (p *Program) runs(process why.Process, leads bool, t Times) {
	switch {
	case process.State == why.Dead:
		p.Mark, p.About, p.Tone = "✕", process.Why+" "+t.Ended(process.Since), palette.Dim
		if leads {
			p.About += ", has the lease"
		}
	case process.State == why.Paused:
		p.Mark, p.About, p.Tone = "‖", "paused "+t.Since(process.Since), palette.Dim
	case process.State == why.Standby:
		p.Mark, p.About, p.Tone = "○", "waits for the lease", palette.Dim
	case leads:
		p.Mark, p.About = "◆", "leader"
	}
}

// knows sets what is in the queues of a controller, of which some have several, and how far its caches are behind the store.
func (b *Beat) knows(p *Program, actor string) {
	var all Queue
	for _, q := range b.Queues() {
		if q.Actor == actor {
			all.add(&q)
		}
	}
	p.Queue = all.words(b.Times)
	p.Cache = "up to date"
	var behind []string
	for _, resource := range p.Resources {
		from := b.Rec.Caches.Read(actor, resource)
		if from == nil {
			continue
		}
		plural, _, _ := strings.Cut(resource, ".")
		for _, c := range b.Caches() {
			if c.name == from.Actor+"/"+plural && c.Behind > 0 {
				p.Behind = max(p.Behind, b.Now-c.Changes[0].At)
				behind = append(behind, fmt.Sprintf("%s %d behind %s", plural, c.Behind, b.Times.Since(c.Changes[0].At)))
			}
		}
	}
	if len(behind) > 0 {
		p.Cache, p.Stale = strings.Join(behind, ", "), true
	}
}

// decided is what the last sync of a controller decided. An open question conceals it, but not that a process has crashed, which decides
// nothing.
func (b *Beat) decided(actor string, process why.Process) (words string, idle bool) {
	switch {
	case b.Asked && process.State == why.Dead:
		return process.Why + ": it decides nothing", false
	case b.Asked:
		return "what it decides is the question", false
	}
	of := b.Rec.OfActor(actor)
	for last := recording.Latest(of, b.Seq); last != 0; last = recording.Previous(of, last) {
		record := b.Rec.Record(last)
		if record.Sync == nil || record.Sync.Phase != trace.PhaseEnd {
			continue
		}
		verdict := b.Rec.Row(b.Rec.SyncOf(last)).Outcome
		if e := b.at(last); e != nil {
			verdict = e.Verdict
		}
		return record.Sync.Key + ": " + verdict, false
	}
	return "no sync has ended yet", true
}

// Nodes are the nodes by name, each with its Pods by their phases.
func (b *Beat) Nodes() []Node {
	nodes := []Node{}
	for _, node := range b.Rec.NodesAt(b.Seq, b.Now) {
		name := node.Name
		if name == "" {
			name = "no node yet"
		}
		nodes = append(nodes, Node{Name: name, Pods: slices.Sorted(slices.Values(Pods(node.Pods)))})
	}
	return nodes
}
