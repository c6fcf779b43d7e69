package traffic

import (
	"fmt"
	"io"
	"time"

	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/controllers/kubeproxy"
	"github.com/kubestep/kubestep/sim/trace"
)

// Print writes the course, in lines that are not longer than width; 0 means no limit.
func (c *Course) Print(out io.Writer, width int) {
	fmt.Fprintf(out, "%s from %s to %s\n\n", trace.ObjectName(c.Service), trace.Seconds(c.From), trace.Seconds(c.To))
	c.printRemovals(out, width)
	fmt.Fprintln(out)
	c.printRefusals(out, width)
}

func (c *Course) printRemovals(out io.Writer, width int) {
	if len(c.Removals) == 0 {
		line(out, 2, "No Pod was deleted while a node sent connections to it.", width)
		return
	}
	line(out, 2, "Pods that nodes chose when they were deleted, or later:", width)
	rows := []string{"POD\tNODE\tDELETED\tCHOSEN UNTIL\tFOR\tAS TERMINATING\tENDED\tCHOSEN WHEN DEAD"}
	for _, r := range c.Removals {
		ended := "-"
		if r.Ended != nil {
			ended = trace.Seconds(*r.Ended)
		}
		rows = append(rows, fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s", r.Pod, r.Node, trace.Seconds(r.Deleted), until(r.Until, r.Open),
			trace.Seconds(r.Until-r.Deleted), trace.Seconds(r.Terminating), ended, trace.Seconds(r.Dead)))
	}
	table(out, rows, width)
}

func until(at time.Duration, open bool) string {
	if open {
		return "the end"
	}
	return trace.Seconds(at)
}

func (c *Course) printRefusals(out io.Writer, width int) {
	if len(c.Refusals) == 0 {
		line(out, 2, "Each node had an endpoint all the time.", width)
		return
	}
	line(out, 2, "Times without an endpoint:", width)
	rows := []string{"FROM\tUNTIL\tFOR\tNODES\tTHEY"}
	for _, g := range c.Refusals {
		what := fmt.Sprintf("connections to port %d", g.Port)
		if g.External {
			what += " from outside"
		}
		does := "reject "
		if g.Verdict == kubeproxy.Drop {
			does = "drop "
			what += ": the policy is " + string(g.Policy)
		}
		rows = append(rows, fmt.Sprintf("%s\t%s\t%s\t%s\t%s", trace.Seconds(g.From), until(g.To, g.Open), trace.Seconds(g.To-g.From),
			arithmetic.Few(g.Nodes), does+what))
	}
	table(out, rows, width)
}
