// Package sandbox starts a process that cannot reach files, the network, or other processes, and ends it when its time is over.
//
// On Linux, the process starts in a Landlock domain, behind a filter of system calls (seccomp) and, where the system allows it, in
// namespaces of its own for the network, which has no interfaces, for processes and for System V IPC. All of them apply from its
// first instruction on, and to all of its threads. What it may use is what it is given: standard input and output, the files of
// exec.Cmd, and an empty folder for temporary files, which is removed afterwards. Files that this process has inherited are closed,
// and of the environment only a list of harmless variables is passed. Not every system has all of this, so Run says what is
// enforced, or refuses.
//
// The process is the same program, and trusted until it reads what is not. Before that, it calls Seal: from there on, it cannot start
// a program or a process, or signal another one, and the kernel limits its memory, processor time, files and their sizes. The
// process that started it keeps the clock and looks at its memory, so that one which is stopped, or does not obey, ends in time.
//
// What is left: the metadata of files can be read by their paths, which Landlock does not cover, and the kernel's own code behind the
// system calls that are allowed. Other systems than Linux have the environment, the clock and the process's own limits only.
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
	// Files and TCP are enforced by Landlock, Network by a network namespace, and Calls by a filter of system calls.
	Files, TCP, Network, Calls bool
}

// String says what is out of reach, and Missing what is not; both are "" for nothing.
func (e Enforced) String() string { return joined(e.list(true)) }

// Missing is the counterpart of String.
func (e Enforced) Missing() string { return joined(e.list(false)) }

// joined is a list in words: a, b and c.
func joined(list []string) string {
	if last := len(list) - 1; last > 0 {
		return strings.Join(list[:last], ", ") + " and " + list[last]
	}
	return strings.Join(list, "")
}

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
	if e.Calls == enforced {
		list = append(list, "system calls that it does not need")
	}
	return list
}
