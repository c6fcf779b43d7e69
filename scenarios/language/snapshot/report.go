package snapshot

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubestep/kubestep/sim/trace"
)

// Report describes the result of reading a dump.
type Report struct {
	// Restored counts the objects of the scenario: 3 Nodes, 10 Pods. It is empty without a dump.
	Restored string
	// Taken says which requests of users the scenario has as steps.
	Taken []string
	// Omitted, Created and Warnings are sentences: what is not in the scenario, what the dump did not contain, and what
	// may differ from the cluster. States are contradictions in the dump, such as an object that should have been removed, and
	// what the scenario makes of them.
	Omitted, Created, States, Warnings []string
	// Fetch is the command for a dump with the kinds that this one lacks; empty if it lacks none.
	Fetch string
	// Invented says for objects whose state in a run depends on a Node that the dump does not have which Node that is.
	Invented map[trace.Object]string
}

// Print prints the report, a line for each sentence.
func (r *Report) Print(out io.Writer) {
	if r.Restored != "" {
		fmt.Fprintf(out, "restored: %s\n", r.Restored)
	}
	for _, part := range []struct {
		title string
		lines []string
	}{{"taken", r.Taken}, {"omitted", r.Omitted}, {"created", r.Created}, {"state", r.States}, {"warning", r.Warnings}} {
		for _, line := range part.lines {
			fmt.Fprintf(out, "%s: %s\n", part.title, line)
		}
	}
}

// counts counts things by name.
type counts map[string]int

func (c counts) String() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(c)) {
		parts = append(parts, trace.Count(c[name], name))
	}
	return strings.Join(parts, ", ")
}

// namesMax is how many names a sentence of the report lists.
const namesMax = 5

// some lists names, and counts those that are too many.
func some(names []string) string {
	if more := len(names) - namesMax; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:namesMax], ", "), more)
	}
	return strings.Join(names, ", ")
}

// title names an object in a sentence: Pod shop/web-1, Node ip-1.
func title(o *unstructured.Unstructured) string {
	if o.GetNamespace() == "" {
		return o.GetKind() + " " + o.GetName()
	}
	return o.GetKind() + " " + o.GetNamespace() + "/" + o.GetName()
}
