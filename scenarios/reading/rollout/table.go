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
		r := rowOf(&list[i])
		fmt.Fprintf(w, "  %s\t%d\t%s\n", trace.Seconds(r.At), r.Record,
			strings.Join([]string{r.Pods, r.Available, r.Old, r.New, r.Up, r.Down, r.Why}, "\t"))
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
