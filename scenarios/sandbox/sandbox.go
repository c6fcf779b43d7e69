// Package sandbox starts a process that cannot reach files or the network.
//
// On Linux, the process starts in a Landlock domain and, where the system allows it, in a network namespace of its own,
// which has no interfaces. Both apply from its first instruction on, and to all of its threads. What it may use is what it
// is given: the files that are open when it starts. Landlock is not available everywhere, so Start says what is enforced.
//
// The library github.com/landlock-lsm/go-landlock restricts the calling process. A program that is linked with cgo needs
// another library for that, to reach all threads; a process that has not started yet has none.
package sandbox

import (
	"fmt"
	"io"
	"strings"
)

// Enforced is what a process cannot reach.
type Enforced struct {
	// Files and TCP are enforced by Landlock, and Network by a network namespace.
	Files, TCP, Network bool
}

// String says what is out of reach, and Missing what is not; both are "" for nothing.
func (e Enforced) String() string { return strings.Join(e.list(true), " and ") }

// Missing is the counterpart of String.
func (e Enforced) Missing() string { return strings.Join(e.list(false), " and ") }

// Print says what a scenario cannot reach, and what only the limits keep from it.
func (e Enforced) Print(out io.Writer) {
	if text := e.String(); text != "" {
		fmt.Fprintln(out, "untrusted: the scenario cannot reach "+text)
	}
	if text := e.Missing(); text != "" {
		fmt.Fprintln(out, "Warning: this system cannot keep a process from "+text+"; only the limits apply")
	}
}

func (e Enforced) list(enforced bool) []string {
	var list []string
	if e.Files == enforced {
		list = append(list, "files")
	}
	switch {
	case (e.Network || e.TCP) != enforced:
	case e.TCP && !e.Network:
		list = append(list, "TCP connections")
	default:
		list = append(list, "the network")
	}
	return list
}
