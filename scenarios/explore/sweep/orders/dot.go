package orders

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/trace"
)

// DOT writes the graph in the language of Graphviz: a node for each state, with its time and what has changed there, and an edge for each
// choice, with the event that comes next. The edges of choices other than 0 are dashed.
func (g *Graph) DOT(out io.Writer, name string) error {
	w := &errorWriter{out: out}
	w.printf("digraph %s {\n\tnode [shape=box, fontsize=10]\n\tedge [fontsize=9]\n", strconv.Quote(name))
	for _, s := range g.States {
		w.printf("\ts%d [label=%s]\n", s.Number, strconv.Quote(s.label()))
	}
	for _, end := range g.Ends {
		shape := "doublecircle"
		if end.Failed() {
			shape = "doubleoctagon, color=red"
		}
		w.printf("\te%d [label=%s, shape=%s]\n", end.Number, strconv.Quote(end.Text()), shape)
	}
	for _, s := range g.States {
		for chosen, next := range s.Next {
			if next == nil {
				continue
			}
			style := ""
			if chosen > 0 {
				style = ", style=dashed"
			}
			label := strconv.Quote(strconv.Itoa(chosen) + " " + Words(s.Open[chosen]))
			w.printf("\ts%d -> %s [label=%s%s]\n", s.Number, next.name(), label, style)
		}
	}
	w.printf("}\n")
	return w.err
}

// name is that of a node.
func (p *Place) name() string {
	if p.End != nil {
		return "e" + strconv.Itoa(p.End.Number)
	}
	return "s" + strconv.Itoa(p.State.Number)
}

// label is the text of a node.
func (s *State) label() string {
	lines := []string{trace.Seconds(s.At)}
	for _, fact := range s.Changed {
		lines = append(lines, strings.TrimSpace(fact.Object+" "+fact.Values))
	}
	return strings.Join(lines, "\n")
}

// Words says what comes next.
func Words(open child.Open) string {
	switch open.Kind {
	case engine.OpenWatch:
		return "event to " + open.Name
	case engine.OpenSync:
		return "sync of " + open.Name
	case engine.OpenAnswer:
		return "answer to " + open.Name
	}
	return open.Name
}

// errorWriter remembers the first error.
type errorWriter struct {
	out io.Writer
	err error
}

func (w *errorWriter) printf(format string, values ...any) {
	if w.err == nil {
		_, w.err = fmt.Fprintf(w.out, format, values...)
	}
}
