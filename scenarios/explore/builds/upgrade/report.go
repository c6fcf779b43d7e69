package upgrade

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/kubestep/kubestep/scenarios/reading/compare"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// Report says what a version did with the state of another one. Its JSON form is for programs.
type Report struct {
	Scenario string `json:"scenario"`
	From     string `json:"from"`
	To       string `json:"to"`
	// At is when the new version starts, and For how long it runs.
	At  time.Duration `json:"at"`
	For time.Duration `json:"for"`
	// Rolls means that the upgrade deletes, restarts or creates Pods that the old version leaves alone.
	Rolls     bool       `json:"rolls"`
	Workloads []Workload `json:"workloads,omitempty"`
	// Changes are what controllers of the new version want, and OnlyTo those that the old version does not want.
	Changes []Change    `json:"changes,omitempty"`
	OnlyTo  []Change    `json:"onlyTo,omitempty"`
	Actors  []ActorPair `json:"actors,omitempty"`
}

// Workload is one whose Pods are deleted, restarted or created by one of the versions.
type Workload struct {
	trace.Object
	Pods Pods `json:"pods"`
	// Without is what the old version does with the same state; nil if both are one version.
	Without *Pods `json:"without,omitempty"`
}

// ActorPair is what an actor did with the new version, and with the old one.
type ActorPair struct {
	Actor   string `json:"actor"`
	Cost    Cost   `json:"cost"`
	Without *Cost  `json:"without,omitempty"`
}

// compareHalves reports what to did; from, which may be nil, is what the old version did.
func (r *Report) compareHalves(to, from *recording.Recording) {
	after := observe(to)
	var before *half
	if from != nil {
		before = observe(from)
	}
	r.Changes = after.changes
	r.OnlyTo = after.changes
	if before != nil {
		r.OnlyTo = onlyFirst(after.changes, before.changes)
	}
	objects := map[trace.Object]bool{}
	for object := range after.pods {
		objects[object] = true
	}
	if before != nil {
		for object := range before.pods {
			objects[object] = true
		}
	}
	for object := range objects {
		w := Workload{Object: object}
		if pods := after.pods[object]; pods != nil {
			w.Pods = *pods
		}
		if before != nil {
			w.Without = &Pods{}
			if pods := before.pods[object]; pods != nil {
				*w.Without = *pods
			}
		}
		if w.Pods.rolls() || w.Without != nil && w.Without.rolls() {
			r.Workloads = append(r.Workloads, w)
			r.Rolls = r.Rolls || w.doesMore()
		}
	}
	slices.SortFunc(r.Workloads, func(a, b Workload) int {
		return cmp.Or(cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	r.actors(after, before)
}

// doesMore reports whether the new version does more to the Pods than the old one.
func (w Workload) doesMore() bool {
	without := Pods{}
	if w.Without != nil {
		without = *w.Without
	}
	return w.Pods.Deleted > without.Deleted || w.Pods.Restarted > without.Restarted || w.Pods.Created > without.Created
}

func (r *Report) actors(after, before *half) {
	names := map[string]bool{}
	for name := range after.costs {
		names[name] = true
	}
	if before != nil {
		for name := range before.costs {
			names[name] = true
		}
	}
	for name := range names {
		pair := ActorPair{Actor: name, Cost: *after.cost(name)}
		if before != nil {
			pair.Without = before.cost(name)
		}
		r.Actors = append(r.Actors, pair)
	}
	slices.SortFunc(r.Actors, func(a, b ActorPair) int { return cmp.Compare(a.Actor, b.Actor) })
}

// onlyFirst are the changes of the first list that the second one does not have; each stands for one.
func onlyFirst(first, second []Change) (only []Change) {
	known := map[string]int{}
	for _, c := range second {
		known[c.Actor+"\x00"+c.Text]++
	}
	for _, c := range first {
		key := c.Actor + "\x00" + c.Text
		if known[key] > 0 {
			known[key]--
			continue
		}
		only = append(only, c)
	}
	return only
}

// changesShown is how many changes the text has; -o json has all.
const changesShown = 20

// Print writes the report as text.
func (r *Report) Print(out io.Writer) {
	fmt.Fprintf(out, "%s: Kubernetes %s until %s, then %s for %s\n\n", r.Scenario, r.From, trace.Seconds(r.At), r.To, r.For)
	switch {
	case r.Rolls:
		fmt.Fprintf(out, "Pods roll with %s. Times count from the upgrade.\n", r.To)
	case len(r.Workloads) > 0:
		fmt.Fprintf(out, "Nothing rolls because of the upgrade. These Pods change with %s, too:\n", r.From)
	default:
		fmt.Fprintln(out, "Nothing rolls: no Pod is deleted, restarted or created.")
	}
	r.printWorkloads(out)
	r.printChanges(out)
	r.printActors(out)
}

func (r *Report) printWorkloads(out io.Writer) {
	if len(r.Workloads) == 0 {
		return
	}
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprint(w, "WORKLOAD\tPODS\tDELETED\tRESTARTED\tCREATED\tFIRST\tLAST")
	if r.Workloads[0].Without != nil {
		fmt.Fprintf(w, "\tWITH %s", r.From)
	}
	fmt.Fprintln(w)
	for _, each := range r.Workloads {
		p := each.Pods
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%s\t%s", trace.ObjectName(each.Object), p.Existed, p.Deleted, p.Restarted, p.Created,
			trace.Seconds(p.First), trace.Seconds(p.Last))
		switch {
		case each.Without == nil:
		case each.Without.rolls():
			fmt.Fprintf(w, "\t%d deleted, %d restarted, %d created", each.Without.Deleted, each.Without.Restarted, each.Without.Created)
		default:
			fmt.Fprint(w, "\tnothing")
		}
		fmt.Fprintln(w)
	}
	_ = w.Flush()
}

func (r *Report) printChanges(out io.Writer) {
	title := "What controllers want other than before:"
	if r.From != r.To {
		title = fmt.Sprintf("What controllers want with %s, and not with %s:", r.To, r.From)
	}
	if len(r.OnlyTo) == 0 {
		fmt.Fprintln(out, "\nNo object changes, other than in its status.")
		return
	}
	fmt.Fprintln(out, "\n"+title)
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	for _, c := range r.OnlyTo[:min(len(r.OnlyTo), changesShown)] {
		fmt.Fprintf(w, "  %s\t%s\t%s\n", trace.Seconds(c.At), c.Actor, strings.ReplaceAll(c.Text, "\t", " "))
	}
	_ = w.Flush()
	if more := len(r.OnlyTo) - changesShown; more > 0 {
		fmt.Fprintf(out, "  and %d more (-o json)\n", more)
	}
}

func (r *Report) printActors(out io.Writer) {
	fmt.Fprintln(out)
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	head := "ACTOR"
	if r.From != r.To {
		head = fmt.Sprintf("ACTOR (%s | %s)", r.From, r.To)
	}
	fmt.Fprintln(w, head+"\tSYNCS\tFAILED\tWRITES\tSTATUS WRITES\tCONFLICTS")
	for _, pair := range r.Actors {
		before := pair.Cost
		if pair.Without != nil {
			before = *pair.Without
		}
		fmt.Fprint(w, pair.Actor)
		compare.PrintCounts(w, [][2]int{
			{before.Syncs, pair.Cost.Syncs}, {before.Failed, pair.Cost.Failed}, {before.Writes, pair.Cost.Writes},
			{before.Status, pair.Cost.Status}, {before.Conflicts, pair.Cost.Conflicts},
		})
	}
	_ = w.Flush()
}
