package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
)

// printSeams lists the files with build tags for versions, and what they use of Kubernetes.
func (c *checker) printSeams(out io.Writer) {
	for _, file := range slices.Sorted(maps.Keys(c.seams)) {
		fmt.Fprintln(out, file)
		for _, used := range c.seams[file] {
			fmt.Fprintf(out, "  %s\n", used)
		}
	}
}
