package compare

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
)

// The most that the text shows of what differs; -o json has all of it.
const (
	objectsShown = 20
	fieldsShown  = 8
)

// Print writes the comparison of two runs as text, with lines of records cut to a width; 0 means no limit.
func (r *Report) Print(out io.Writer, width int) {
	if r.Equal {
		fmt.Fprintf(out, "A and B are identical: %s, %s\n", trace.Count(r.A.Len(), "record"), r.A.Hash)
		return
	}
	printSide(out, "A", r.A)
	printSide(out, "B", r.B)
	r.printDivergence(out, width)
	r.printDifferences(out)
}

// printDifferences writes what differs. What is not compared is empty, and has no text.
func (r *Report) printDifferences(out io.Writer) {
	printDecision(out, r.Decision)
	printActors(out, r.Actors)
	printChecks(out, r.Checks)
	printWrites(out, r.Writes)
	printHistory(out, r.History)
	printOutages(out, r.Outages)
	printFinal(out, r.Final)
}

// PrintPerturbed writes the comparison of a run without faults, which is A, and with them. faults and steps count them.
func (r *Report) PrintPerturbed(out io.Writer, faults, steps int) {
	printSide(out, "A", r.A)
	printSide(out, "B", r.B)
	fmt.Fprintf(out, "\nOnly B has the faults: %d of spec.faults, %d of spec.steps.\n", faults, steps)
	if r.Equal {
		fmt.Fprintln(out, "They made no difference.")
		return
	}
	printFinal(out, r.Final)
	printOutages(out, r.Outages)
	printHistory(out, r.History)
	printDecision(out, r.Decision)
	printActors(out, r.Actors)
}

// PrintVersions writes the comparison of two versions of Kubernetes.
func (r *Report) PrintVersions(out io.Writer) {
	printSide(out, "A", r.A)
	printSide(out, "B", r.B)
	r.printDifferences(out)
}

func printSide(out io.Writer, side string, r *Side) {
	fmt.Fprintf(out, "%s  %s", side, r.Name)
	if r.Seed != nil {
		fmt.Fprintf(out, "  seed %d", *r.Seed)
	}
	if r.Result != "" {
		fmt.Fprintf(out, "  %s", r.Result)
	}
	fmt.Fprintf(out, "  %s  %s\n", trace.Count(r.Len(), "record"), r.Hash)
}

func (r *Report) printDivergence(out io.Writer, width int) {
	d, causesA, causesB := r.Divergence, r.A.rec.Causes(), r.B.rec.Causes()
	fmt.Fprintf(out, "\nThe first record that differs is record %d:\n", d.Seq)
	if len(d.Before) > 0 {
		fmt.Fprint(out, Lines(d.Before, causesA, width))
	}
	for _, side := range []struct {
		name   string
		record *trace.Record
		causes *trace.Causes
	}{{"A", d.A, causesA}, {"B", d.B, causesB}} {
		if side.record == nil {
			fmt.Fprintf(out, "%s (has ended)\n", side.name)
			continue
		}
		text := Lines([]*trace.Record{side.record}, side.causes, width)
		fmt.Fprint(out, side.name+text[1:])
	}
	if d.A != nil && d.B != nil && Lines([]*trace.Record{d.A}, causesA, 0) == Lines([]*trace.Record{d.B}, causesB, 0) {
		fmt.Fprintln(out, "  (the text form omits the difference; -o json shows the complete records)")
	}
}

func printDecision(out io.Writer, p *DecisionPair) {
	if p == nil {
		fmt.Fprintln(out, "\nAll controllers made the same decisions.")
		return
	}
	fmt.Fprintf(out, "\nThe first decision that differs is by %s for %s:\n", p.Actor, p.Key)
	for _, side := range []struct {
		name     string
		decision *Decision
	}{{"A", p.A}, {"B", p.B}} {
		if side.decision == nil {
			fmt.Fprintf(out, "%s             (no more)\n", side.name)
			continue
		}
		fmt.Fprintf(out, "%s  %10s  %s\n", side.name, trace.Seconds(side.decision.At), side.decision.Text)
	}
}

func printActors(out io.Writer, actors []ActorPair) {
	fmt.Fprintln(out)
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "ACTOR (A | B)\tSYNCS\tFAILED\tWRITES\tCONFLICTS")
	for _, pair := range actors {
		fmt.Fprint(w, pair.Actor)
		PrintCounts(w, [][2]int{
			{pair.A.Syncs, pair.B.Syncs}, {pair.A.Failed, pair.B.Failed},
			{pair.A.Writes, pair.B.Writes}, {pair.A.Conflicts, pair.B.Conflicts},
		})
	}
	_ = w.Flush()
}

// PrintCounts writes the rest of a row of a table: the counts of both sides, or one where they are equal.
func PrintCounts(w io.Writer, counts [][2]int) {
	for _, count := range counts {
		if count[0] == count[1] {
			fmt.Fprintf(w, "\t%d", count[0])
		} else {
			fmt.Fprintf(w, "\t%d | %d", count[0], count[1])
		}
	}
	fmt.Fprintln(w)
}

func printChecks(out io.Writer, checks []CheckPair) {
	if len(checks) == 0 {
		return
	}
	fmt.Fprintln(out, "\nChecks with different results:")
	for _, pair := range checks {
		fmt.Fprintf(out, "  %s\n    A  %s\n    B  %s\n", pair.Name, verdictText(pair.A), verdictText(pair.B))
	}
}

func verdictText(v *Verdict) string {
	switch {
	case v == nil:
		return "not decided"
	case v.Passed:
		return "passed: " + v.Message
	}
	return "failed: " + v.Message
}

// printPairs lists the first pairs in columns below a title; nothing if there are none.
func printPairs[P any](out io.Writer, title string, pairs []P, line func(w io.Writer, pair P)) {
	if len(pairs) == 0 {
		return
	}
	fmt.Fprintln(out, "\n"+title)
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	for _, pair := range pairs[:min(len(pairs), objectsShown)] {
		line(w, pair)
	}
	_ = w.Flush()
	printMore(out, "  ", len(pairs)-objectsShown)
}

func printWrites(out io.Writer, writes []WritesPair) {
	printPairs(out, "Objects with different numbers of writes (A | B):", writes, func(w io.Writer, pair WritesPair) {
		fmt.Fprintf(w, "  %s\t%d | %d\n", trace.ObjectName(pair.Object), pair.A, pair.B)
	})
}

func printHistory(out io.Writer, history []HistoryPair) {
	const title = "Objects with different numbers of creations or deletions (A | B):"
	printPairs(out, title, history, func(w io.Writer, pair HistoryPair) {
		of := ""
		if pair.Owner != "" {
			of = " of " + pair.Owner
		}
		fmt.Fprintf(w, "  %s%s\t%sd\t%d | %d\n", pair.Resource, of, pair.Op, pair.A, pair.B)
	})
}

// printOutages lists the outages that differ, each with the longest one of the side that is out for longer.
func printOutages(out io.Writer, outages []OutagePair) {
	const title = "Outages that differ: times with fewer available Pods or endpoints than before (A | B):"
	printPairs(out, title, outages, func(w io.Writer, pair OutagePair) {
		side, longest := "A", pair.A.Longest()
		if pair.B.Total > pair.A.Total {
			side, longest = "B", pair.B.Longest()
		}
		end := trace.Seconds(longest.To)
		if longest.Lasts {
			end = "the end"
		}
		why := ""
		if pair.Long {
			why = "; longer than the faults explain"
		}
		fmt.Fprintf(w, "  %s\t%s | %s\t%s | %s\tlongest in %s: from %s to %s%s\n", trace.ObjectName(pair.Object),
			outageTime(pair.A), outageTime(pair.B), fewest(pair.A), fewest(pair.B), side, trace.Seconds(longest.From), end, why)
	})
}

func outageTime(o Outage) string { return o.Total.Round(time.Millisecond).String() }

// fewest is the least number in an outage.
func fewest(o Outage) string {
	if len(o.Periods) == 0 {
		return "none"
	}
	return fmt.Sprintf("%d of %d", o.Fewest, o.Of)
}

func printMore(out io.Writer, indent string, n int) {
	if n > 0 {
		fmt.Fprintf(out, "%sand %d more (-o json)\n", indent, n)
	}
}

func printFinal(out io.Writer, final []FinalPair) {
	if len(final) == 0 {
		fmt.Fprintln(out, "\nBoth end in the same state.")
		return
	}
	fmt.Fprintln(out, "\nObjects that differ at the end (A | B):")
	for _, pair := range final[:min(len(final), objectsShown)] {
		name := pair.Subject()
		switch {
		case pair.A == 0 && pair.B == 1:
			fmt.Fprintf(out, "  %s only in B\n", name)
		case pair.A == 1 && pair.B == 0:
			fmt.Fprintf(out, "  %s only in A\n", name)
		case pair.A != pair.B:
			fmt.Fprintf(out, "  %s: %d | %d objects\n", name, pair.A, pair.B)
		case pair.A > 1:
			fmt.Fprintf(out, "  %s x%s\n", name, strconv.Itoa(pair.A))
		default:
			fmt.Fprintf(out, "  %s\n", name)
		}
		for _, field := range pair.Fields[:min(len(pair.Fields), fieldsShown)] {
			fmt.Fprintf(out, "    %s  %s | %s\n", field.Path, field.A, field.B)
		}
		printMore(out, "    ", len(pair.Fields)-fieldsShown)
	}
	printMore(out, "  ", len(final)-objectsShown)
}

// Lines writes records of a trace in the verbose text form, one a line, indented, with the causes that their trace knows. Lines are cut to
// a width; 0 means no limit.
func Lines(records []*trace.Record, causes *trace.Causes, width int) string {
	var text bytes.Buffer
	w := trace.NewText(&text, trace.TextOptions{Verbose: true, Width: width, Causes: causes})
	for _, record := range records {
		// Writing to memory cannot fail.
		_ = w.Write(record)
	}
	_ = w.Close()
	return "  " + strings.ReplaceAll(strings.TrimRight(text.String(), "\n"), "\n", "\n  ") + "\n"
}
