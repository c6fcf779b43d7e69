package why

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/kubestep/kubestep/sim/trace"
)

// Reproduction says whether a run that starts in the state of a dump shows what the cluster shows.
type Reproduction string

// The results of a comparison.
const (
	// Reproduced means that the object is not in its desired state at the end of the run either: the cause is in the dump.
	Reproduced Reproduction = "reproduced"
	// NotReproduced means that it is. What kept it from that in the cluster is in no dump: a stale cache, a key that was dropped. A restart
	// of the controller ends it, because the run begins with one.
	NotReproduced Reproduction = "not reproduced"
	// NotComparable means that the run does not show it, because the dump lacks something.
	NotComparable Reproduction = "not comparable"
)

// Comparison is what a cluster said of an object that is not in its desired state, and what a run does about it.
type Comparison struct {
	Object trace.Object `json:"object"`
	Result Reproduction `json:"result"`
	// Said is what the cluster said: Events of type Warning, and conditions.
	Said []string `json:"said,omitempty"`
	// Run is the state at the end of the run, in a sentence.
	Run string `json:"run"`
	// Reason is why the result is what it is.
	Reason string `json:"reason,omitempty"`
}

// Dumped is what is known of a dump beside its objects.
type Dumped struct {
	// Said is what the cluster said about an object.
	Said func(trace.Object) []string
	// Invented are objects whose state in the run depends on a Node that the dump does not have, and Fetch is the command that fetches
	// kinds that the dump lacks; empty if it lacks none.
	Invented map[trace.Object]string
	Fetch    string
}

// Compare compares the objects of a namespace of a dump that are not in their desired state with the end of a run that starts there; of all
// namespaces if it is empty.
func Compare(dump, run *Instant, namespace string, known Dumped) []*Comparison {
	after := map[trace.Object]*Answer{}
	for _, a := range run.Unmet(namespace) {
		if a.Verdict != Content {
			after[a.Object] = a
		}
	}
	var all []*Comparison
	for _, a := range dump.Unmet(namespace) {
		if a.Verdict == Content || a.Verdict == Undecided {
			continue
		}
		c := &Comparison{Object: a.Object, Said: known.Said(a.Object)}
		c.judge(a, after[a.Object], run.exists(a.Object), known)
		all = append(all, c)
	}
	return all
}

// judge compares one object. then is nil if it is in its desired state after the run, or does not exist any more.
func (c *Comparison) judge(now, then *Answer, exists bool, known Dumped) {
	node := known.Invented[c.Object]
	switch {
	case then != nil:
		c.Result = Reproduced
		c.Run = string(then.Verdict) + ": " + cmp.Or(then.Lacks, now.Lacks)
		if len(then.Holds) > 0 {
			c.Run += "; " + then.Holds[0]
		}
		c.Reason = "the cause is in the dump"
		return
	case exists:
		c.Run = "as wanted"
	default:
		c.Run = "it does not exist any more"
	}
	switch {
	case node != "":
		c.Result, c.Reason = NotComparable, fmt.Sprintf("the dump does not have Node %s, and the run has a new one", node)
	case known.Fetch != "":
		c.Result, c.Reason = NotComparable, "the dump lacks kinds: "+known.Fetch
	default:
		c.Result = NotReproduced
		c.Reason = fmt.Sprintf("a restart of %s heals it, because its cause is not in the dump, such as a stale cache or a dropped key",
			cmp.Or(now.Controller, "the controllers"))
	}
}

// PrintComparisons writes comparisons, in lines that are not longer than width; 0 means no limit.
func PrintComparisons(out io.Writer, all []*Comparison, width int) {
	if len(all) == 0 {
		return
	}
	fmt.Fprintln(out, "\nWhat the cluster said, and what a run from this state does:")
	for _, c := range all {
		t := &text{width: width}
		t.lines = append(t.lines, "", trace.ObjectName(c.Object)+": "+string(c.Result))
		for n, said := range c.Said {
			label := "cluster"
			if n > 0 {
				label = ""
			}
			t.line(label, said)
		}
		t.line("run", c.Run)
		t.line("result", c.Reason)
		fmt.Fprintln(out, strings.Join(t.lines, "\n"))
	}
}
