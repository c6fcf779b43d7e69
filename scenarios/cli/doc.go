// Package cli is the frame of every command: streams, exit codes, mistakes of its user, and limits.
//
// A command writes results to standard output (Streams.Stdout, or Raw for what has a form of its own) and everything else to standard
// error. It returns an error; package tui/command, which has the commands, prints the error as one line "Error: ..." and, if there is a
// hint, one line "Try: ...", and picks the exit code. A wrong use of the command line is a UsageError:
//
//	Error: unknown command "rnu"
//	Try: kubestep run
//
// The packages below are the parts of a command that have an idea of their own: files that are written (output), limits on time and
// memory (limits), signals (interrupt), processes that can reach nothing (sandbox).
package cli
