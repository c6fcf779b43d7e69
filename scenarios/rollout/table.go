package rollout

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/controllers/explain/deployment"
	"github.com/kubestep/kubestep/sim/trace"
)

// table writes the table of one Deployment: the sizes before and after each sync, and why. Lines are cut
// at width columns; 0 means no limit.
func table(out io.Writer, key string, list []arithmetic.Explanation, width int) {
	fmt.Fprintln(out, key)
	printLimits(out, list)
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "  TIME\tRECORD\tPODS\tAVAILABLE\tOLD\tNEW\tUP\tDOWN\tWHY")
	for i := range list {
		e := &list[i]
		if e.Rollout == nil {
			fmt.Fprintf(w, "  %s\t%d\t\t\t\t\t\t\t%s\n", trace.Seconds(e.At), e.Start, e.Verdict)
			continue
		}
		c := changeOf(e)
		fmt.Fprintf(w, "  %s\t%d\t%d\t%d\t%s\t%s\t%s\t%s\t%s\n", trace.Seconds(e.At), e.Start, e.Rollout.Pods, e.Rollout.Available,
			arrow(e.Rollout.Old, c.old), arrow(e.Rollout.New, c.new), counted("+", c.up), counted("-", c.down), reason(e))
	}
	w.Flush()
	for line := range strings.Lines(text.String()) {
		line = strings.TrimRight(line, " \n")
		if runes := []rune(line); width > 0 && len(runes) > width {
			line = string(runes[:width-1]) + "…"
		}
		fmt.Fprintln(out, line)
	}
	fmt.Fprintln(out)
}

// printLimits writes what maxSurge and maxUnavailable come to, the first time that they are computed.
func printLimits(out io.Writer, list []arithmetic.Explanation) {
	for i := range list {
		for _, step := range list[i].Steps {
			if step.Function != deployment.LimitsFunction {
				continue
			}
			only := arithmetic.Explanation{Steps: []arithmetic.Step{step}}
			for _, line := range only.Text(0)[1:] {
				if strings.HasPrefix(line, "   ") {
					fmt.Fprintln(out, line[1:])
				}
			}
			fmt.Fprintln(out)
			return
		}
	}
}

// change is what a sync does to the sizes.
type change struct{ old, new, up, down int32 }

func changeOf(e *arithmetic.Explanation) change {
	c := change{old: e.Rollout.Old, new: e.Rollout.New}
	for _, effect := range e.Effects {
		difference := effect.To - effect.From
		if effect.ReplicaSet == e.Rollout.NewReplicaSet {
			c.new += difference
		} else {
			c.old += difference
		}
		c.up += max(difference, 0)
		c.down += max(-difference, 0)
	}
	return c
}

func arrow(from, to int32) string {
	if from == to {
		return fmt.Sprint(from)
	}
	return fmt.Sprintf("%d -> %d", from, to)
}

func counted(sign string, n int32) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s%d", sign, n)
}

// reason is the last column: the arithmetic, the way if it is not a rollout, and what the API server refused. That a
// status has to be written again is not worth a word.
func reason(e *arithmetic.Explanation) string {
	text := e.Why
	if text == "" {
		text = e.Verdict
	}
	for _, effect := range e.Effects {
		if effect.Deleted {
			text += "; " + effect.String()
		}
	}
	if e.Branch != arithmetic.BranchRolling && e.Branch != arithmetic.BranchRecreate {
		text = e.Branch + ": " + text
	}
	if n := len(e.Requests); e.Refused != "" && n > 0 && !strings.HasSuffix(e.Requests[n-1], "/status") {
		text += "; then " + e.Refused
	}
	return text
}
