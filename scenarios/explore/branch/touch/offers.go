package touch

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kubestep/kubestep/scenarios/explore/branch"
	"github.com/kubestep/kubestep/scenarios/explore/place"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/scenarios/reading/why"
	"github.com/kubestep/kubestep/sim/kinds"
	"github.com/kubestep/kubestep/sim/trace"
)

// Thing is what a reader points at. One of its fields is set.
type Thing struct {
	// Object is an object of the store, or a node.
	Object trace.Object
	// Program is the name of a component, such as deployment-controller.
	Program string
	// Message is the record of a request, or of a watch event.
	Message int64
}

// Offer is something that may be done to a thing.
type Offer struct {
	// Command is what Parse takes, and About what it does.
	Command string `json:"command"`
	About   string `json:"about"`
}

// Run is a run of a scenario at the beat at which the reader points at something.
type Run struct {
	// Scenario is nil for a session.
	Scenario *format.Scenario
	*scene.Beat
}

// Offers lists what may be done to a thing: first the branches that the scenario prepares, then the end of what holds it back, then
// commands in the order of the table of verbs. It is empty where nothing can be done.
func (r Run) Offers(t Thing) []Offer {
	all := append(r.prepared(t), r.held(t)...)
	switch {
	case t.Message != 0:
		return append(all, r.message(t.Message)...)
	case t.Program != "":
		return append(all, r.program(t.Program)...)
	}
	return append(all, r.about(func(target string) bool { return r.names(target, t.Object) })...)
}

func (r Run) table() *kinds.Table {
	if r.Scenario == nil {
		return kinds.BuiltIn()
	}
	return r.Scenario.Kinds()
}

// about are the commands with a target of which something is true, written with it.
func (r Run) about(is func(target string) bool) (all []Offer) {
	add := func(c *verb.Command, words []string) {
		for _, target := range c.Complete[len(words)](r, words) {
			if is(target) {
				command := append([]string{c.Name}, words...)
				all = append(all, Offer{strings.Join(append(command, target), " "), aboutOf(strings.Join(command, " "), c.About)})
			}
		}
	}
	for _, c := range branch.Commands() {
		if len(c.Complete) == 0 {
			continue
		}
		add(&c, nil)
		if len(c.Complete) > 1 {
			for _, word := range c.Complete[0](r, nil) {
				add(&c, []string{word})
			}
		}
	}
	return all
}

// abouts say what the words of commands do of which each has several.
var abouts = map[string]string{
	"controller crash":   "it stops at once; its queues, caches and expectations are lost",
	"controller restart": "it stops and starts again, with new queues and caches",
	"controller pause":   "it hangs: nothing that it sends arrives, and its leases expire",
	"controller resume":  "it continues where it was paused",
	"node fail":          "it loses power",
	"node shutdown":      "it is shut down, with upstream's kubelet",
	"node partition":     "it loses its network, and its Pods keep running",
	"node recover":       "it is back, or its network is",
	"pod fail":           "its containers exit and are not restarted",
	"pod crashLoop":      "its containers crash one second after each start",
	"pod unready":        "it keeps running, but is not Ready",
	"pod hang":           "it does not stop when it is deleted",
	"pod recover":        "it is as it was",
	"rollout undo":       "back to the template before this one",
	"rollout pause":      "changes of the template wait until it is resumed",
	"rollout resume":     "changes of the template are rolled out again",
	"rollout restart":    "new Pods in place of all",
}

// aboutOf is what a command does, or what one of its words does.
func aboutOf(words, command string) string { return cmp.Or(abouts[words], command) }

// names reports whether a target names an object.
func (r Run) names(target string, o trace.Object) bool {
	k := r.table().Named(o.Resource)
	return k != nil && (TargetOf(k, o) == target || o.Resource == "nodes" && o.Name == target)
}

// TargetOf writes an object as a scenario does: deployment/web, or NAMESPACE/deployment/web.
func TargetOf(k *kinds.Kind, o trace.Object) string {
	target := k.Singular + "/" + o.Name
	if o.Namespace != "" && o.Namespace != "default" {
		return o.Namespace + "/" + target
	}
	return target
}

// Objects implements verb.Scene: those that exist at the beat.
func (r Run) Objects(wanted func(*kinds.Kind) bool) (targets []string) {
	table := r.table()
	for _, o := range r.Beat.Objects() {
		if k := table.Named(o.Object.Resource); k != nil && wanted(k) {
			targets = append(targets, TargetOf(k, o.Object))
		}
	}
	return targets
}

// Processes implements verb.Scene: those of the components of the run that can crash.
func (r Run) Processes() (names []string) {
	for _, c := range r.Components {
		for _, actor := range c.Actors() {
			if name := r.process(c, actor); name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// Watches implements verb.Scene: what an actor watches, or who watches if the actor is empty.
func (r Run) Watches(actor string) (names []string) {
	for _, s := range r.Rec.StreamsAt(r.Seq) {
		who, resource, _ := strings.Cut(s.Name, "/")
		name := who
		if actor != "" {
			name, _, _ = strings.Cut(resource, ".")
		}
		if (actor == "" || actor == who) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// process is the process of an actor, empty for one that is none: kubectl, and the stand-ins of kube-scheduler and of kubelets.
func (r Run) process(c *scene.Component, actor string) string {
	var k format.Kubernetes
	if r.Scenario != nil {
		k = r.Scenario.Spec.Kubernetes
	}
	name, suffix := trace.SplitActor(actor)
	switch {
	case c.Role == scene.Client, c.Role == scene.Kubelet && suffix == "",
		name == trace.SchedulerActor && k.Scheduler != format.KubeScheduler:
		return ""
	case c.Role == scene.Controller, c.Role == scene.Process, c.Role == scene.Scheduler, c.Role == scene.Kubelet:
		return r.History.ProcessOf(actor)
	}
	return ""
}

// fitting are the operations that make sense for a process in a state.
var fitting = map[why.ProcessState][]string{
	why.Runs: {"crash", "restart", "pause"}, why.Paused: {"resume", "crash", "restart"}, why.Dead: {"restart"},
}

// program is what may be done to a component: to its processes, to what they watch, and to the lease of the leader.
func (r Run) program(name string) (all []Offer) {
	i := slices.IndexFunc(r.Components, func(c *scene.Component) bool { return c.Name == name })
	if i < 0 {
		return nil
	}
	c := r.Components[i]
	for _, actor := range c.Actors() {
		process := r.process(c, actor)
		if process == "" {
			continue
		}
		state := r.Instant().Process(process).State
		for _, o := range r.about(func(target string) bool { return target == process }) {
			if words := strings.Fields(o.Command); slices.Contains(fitting[state], words[1]) && !contains(all, o.Command) {
				all = append(all, o)
			}
		}
		all = append(all, r.watches(c, actor)...)
		all = append(all, r.deposed(actor)...)
	}
	return all
}

func contains(all []Offer, command string) bool {
	return slices.ContainsFunc(all, func(o Offer) bool { return o.Command == command })
}

// heldFor is how long a watch is held that a reader points at: long enough to see what becomes of it, and shorter than most waits.
const heldFor = "30s"

// watches holds or ends the watches with which a component learns of its keys.
func (r Run) watches(c *scene.Component, of string) (all []Offer) {
	for _, s := range r.Rec.StreamsAt(r.Seq) {
		actor, resource, _ := strings.Cut(s.Name, "/")
		if !r.Informs(actor, of, resource) || !slices.Contains(c.Resources, resource) {
			continue
		}
		plural, _, _ := strings.Cut(resource, ".")
		for _, command := range []verb.Command{verb.HoldWatch, verb.ExpireWatch} {
			line, about := strings.Join([]string{command.Name, actor, plural}, " "), "its watch ends, and it lists "+plural+" again"
			if command.Name == verb.HoldWatch.Name {
				line, about = line+" "+heldFor, "it hears nothing of "+plural+" for "+heldFor
			}
			all = append(all, Offer{line, about})
		}
	}
	return all
}

// deposed is the fault in which the next write of a leader arrives after its lease.
func (r Run) deposed(actor string) []Offer {
	for record := range r.Rec.Of(trace.KindRequest) {
		if record.Seq < r.Seq || record.Actor != actor {
			continue
		}
		for _, p := range r.places(record.Seq) {
			if p.Kind == place.Deposed {
				return []Offer{r.fault(&p, record.Seq)}
			}
		}
		if len(record.Request.Writes) > 0 {
			break
		}
	}
	return nil
}

// message are the places at a record.
func (r Run) message(seq int64) (all []Offer) {
	for _, p := range r.places(seq) {
		all = append(all, r.fault(&p, seq))
	}
	return all
}

func (r Run) places(seq int64) []place.Place {
	if r.Scenario == nil {
		return nil
	}
	return place.At(r.Scenario, r.Rec.All(), seq)
}

func (r Run) fault(p *place.Place, seq int64) Offer {
	kinds := place.Kinds()
	i := slices.IndexFunc(kinds, func(k place.Kind) bool { return k.Name == p.Kind })
	return Offer{fmt.Sprintf("%s %s %d", Fault.Name, p.Kind, seq), kinds[i].Sentence}
}
