package verify

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
)

// Write prints the report as a table, and what it counts.
func (r *Report) Write(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "NAME\tRESULT\tRECORDED\tTHIS MACHINE")
	for _, s := range r.Scenarios {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", s.Name, s.Result, cmp.Or(short(s.Recorded), "-"), cmp.Or(short(s.Hash), s.Error))
	}
	err := w.Flush()
	_, last := fmt.Fprintf(out, "\n%d same, %d different  %s  %s  kubernetes %s\n",
		r.Same, r.Differs, r.Build, r.Platform, r.KubernetesVersion)
	return errors.Join(err, last)
}

// short is enough of a hash to see a difference.
func short(hash string) string {
	const length = len("sha256:") + 12
	return hash[:min(length, len(hash))]
}
