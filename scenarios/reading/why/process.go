package why

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim/trace"
)

// ProcessState is whether a process works.
type ProcessState string

// The states of a process. A standby works, but another replica has the lease.
const (
	Runs    ProcessState = "runs"
	Dead    ProcessState = "dead"
	Paused  ProcessState = "paused"
	Standby ProcessState = "standby"
)

// Process is a process with controllers at an instant.
type Process struct {
	Name  string
	State ProcessState
	// Seq is the record of the change to this state, 0 for none; Since is its time.
	Seq   int64
	Since time.Duration
	// Why says what happened, such as "crashed".
	Why string
	// Back is the record of the next start in the recording, 0 for none.
	Back int64
}

// change is a change of a process at a record.
type change struct {
	seq   int64
	state ProcessState
	why   string
}

// startedAgain is the reason of a process that runs after a restart.
const startedAgain = "started again"

// changed notes a crash, a pause, and a start of a process.
func (h *History) changed(record *trace.Record) {
	if f := record.Fault; f != nil {
		switch {
		case f.Resource == "nodes" && f.Verb == "":
			h.lost(record.Seq, f.Name, f.Effect, "fault "+f.Rule)
		case f.Effect == trace.EffectRestart:
			h.note(record.Actor, change{record.Seq, Runs, startedAgain})
		case f.Effect == trace.EffectPowerOff:
			h.note(record.Actor, change{record.Seq, Dead, "ended when its node lost power"})
		case f.Has(trace.EffectCrash), f.Has(trace.EffectCrashBefore), f.Has(trace.EffectCrashWatching):
			h.note(h.process(record.Actor), change{record.Seq, Dead, "crashed by fault " + f.Rule})
		}
		return
	}
	if what, node, zone := verb.NodeOf(record.Action); what != "" && record.Action.Error == "" {
		for _, name := range h.nodesOf(node, zone, record.Seq) {
			h.lost(record.Seq, name, what, record.Action.Verb+" "+record.Action.Text)
		}
		return
	}
	did := verb.ControllerOf(record.Action)
	switch {
	case did == nil || record.Action.Error != "":
	case did.Crash != "":
		h.note(did.Crash, change{record.Seq, Dead, "crashed"})
	case did.Pause != "":
		h.note(did.Pause, change{record.Seq, Paused, "paused"})
	case did.Resume != "":
		h.note(did.Resume, change{record.Seq, Runs, "resumed"})
	}
}

// lost notes what becomes of the kubelet of a node that loses power, is disconnected, or recovers. Each node has one, be it upstream's or
// the stand-in, which is no process of its own.
func (h *History) lost(seq int64, node, what, by string) {
	kubelet := controllers.KubeletProcess(node)
	switch what {
	case trace.EffectFail:
		h.note(kubelet, change{seq, Dead, fmt.Sprintf("lost power (%s)", by)})
	case trace.EffectPartition:
		h.note(kubelet, change{seq, Paused, fmt.Sprintf("was disconnected from the API server (%s)", by)})
	case trace.EffectRecover:
		h.note(kubelet, change{seq, Runs, "recovered"})
	}
}

// nodesOf are a node, or those that are in a zone after record seq.
func (h *History) nodesOf(node, zone string, seq int64) (names []string) {
	if zone == "" {
		return []string{node}
	}
	for _, o := range h.rec.Replay.Objects("nodes", seq) {
		if of, ok := h.At(seq, h.rec.At(seq)).object(o).(*corev1.Node); ok && of.Labels[corev1.LabelTopologyZone] == zone {
			names = append(names, o.Name)
		}
	}
	return names
}

func (h *History) note(process string, c change) {
	h.processes[process] = append(h.processes[process], c)
}

// Process is the state of a process, apart from its lease.
func (i *Instant) Process(name string) Process {
	p := Process{Name: name, State: Runs}
	for _, c := range i.processes[name] {
		if c.seq > i.seq {
			if c.state == Runs && p.Back == 0 {
				p.Back = c.seq
			}
			continue
		}
		p.State, p.Seq, p.Since, p.Why = c.state, c.seq, i.rec.At(c.seq), c.why
	}
	return p
}

// started is the record of the last start of a process, 0 for the first.
func (i *Instant) started(process string) int64 {
	var last int64
	for _, c := range i.processes[process] {
		if c.seq <= i.seq && c.why == startedAgain {
			last = c.seq
		}
	}
	return last
}

// Leader is the process that holds the lease of kube-controller-manager; empty if there is no lease.
func (i *Instant) Leader() string {
	leader, _ := i.leader(controllers.ManagerName)
	return leader
}

// ProcessOf is the name of the process that an actor belongs to.
func (h *History) ProcessOf(actor string) string { return h.process(actor) }
