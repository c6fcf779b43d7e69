package runner

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
)

// Summary is the one line that ends a run.
func (o *Outcome) Summary() string {
	return strings.Join([]string{
		o.Result, o.Scenario, o.counted(),
		"virtual " + duration(o.VirtualSeconds).Round(time.Millisecond).String(), "settled " + trace.Seconds(duration(o.SettledSeconds)) + o.unmet(),
		fmt.Sprintf("wall %.3fs", o.WallSeconds),
		fmt.Sprintf("events %d", o.Events), fmt.Sprintf("records %d", o.Records),
		o.seeds(), o.promise(), o.TraceHash, "kubernetes " + o.KubernetesVersion,
	}, "  ")
}

// seeds are those of the run: seed 1, 42 from 5.150s, 43 never.
func (o *Outcome) seeds() string {
	text := fmt.Sprintf("seed %d", o.Seed)
	for _, future := range o.Futures {
		text += fmt.Sprintf(", %d from %s", future.Seed, trace.Seconds(duration(future.AtSeconds)))
	}
	for _, seed := range o.Unbegun {
		text += fmt.Sprintf(", %d never", seed)
	}
	return text
}

// counted tells how many of the scenario's checks passed, and how many invariants held.
func (o *Outcome) counted() string {
	var passed, all [2]int
	for _, check := range o.Checks {
		kind := 0
		if check.Invariant {
			kind = 1
		}
		all[kind]++
		if check.Result == Pass {
			passed[kind]++
		}
	}
	text := fmt.Sprintf("checks %d/%d  invariants %d/%d", passed[0], all[0], passed[1], all[1])
	if skipped := len(o.SkippedInvariants); skipped > 0 {
		text += fmt.Sprintf(" (%d skipped)", skipped)
	}
	return text
}

// promise is what the hash stands for: the build, and whose order is open.
func (o *Outcome) promise() string {
	if len(o.OpenOrder) == 0 {
		return o.Promise
	}
	return o.Promise + " (order open: " + strings.Join(o.OpenOrder, ", ") + ")"
}

// UnmetVerdicts are those of objects at the end of a run, in the order in which they are listed.
var UnmetVerdicts = []string{Stuck, "held", "waiting"}

// Verdict is one of UnmetVerdicts.
func (u Unmet) Verdict() string {
	switch {
	case u.Stuck:
		return Stuck
	case u.Held:
		return "held"
	}
	return "waiting"
}

// unmet counts the objects that are hot, and those that are stuck, held or waiting at the end of a run.
func (o *Outcome) unmet() string {
	count := map[string]int{}
	for _, u := range o.Unmet {
		count[u.Verdict()]++
	}
	text := ""
	if len(o.Hot) > 0 {
		text = fmt.Sprintf("  hot %d", len(o.Hot))
	}
	for _, verdict := range UnmetVerdicts {
		if count[verdict] > 0 {
			text += fmt.Sprintf("  %s %d", verdict, count[verdict])
		}
	}
	return text
}

func duration(seconds float64) time.Duration { return time.Duration(seconds * float64(time.Second)) }

// PrintUnmet says which controllers are hot, which objects are stuck or held at the end of the run, and what others wait for. Under each
// is the command that says why.
func (o *Outcome) PrintUnmet(out io.Writer, why func(object string) string) {
	for _, hot := range o.Hot {
		fmt.Fprintf(out, "\n%-7s  %s\n", VerdictWord(Hot), hot)
		if strings.Contains(hot.Object, "/") {
			fmt.Fprintf(out, "  Why: %s\n", why(hot.Object))
		}
	}
	for _, verdict := range UnmetVerdicts {
		for _, u := range o.Unmet {
			if u.Verdict() != verdict {
				continue
			}
			label := verdict
			if u.Stuck {
				label = VerdictWord(verdict)
			}
			fmt.Fprintf(out, "\n%-7s  %s: %s\n  Why: %s\n", label, u.Object, u.Lack, why(u.Object))
		}
	}
}
