// Package input is the border: the one way in which commands open files that somebody else may have written - scenarios, traces,
// archives, dumps, audit logs, results of sweeps, kubeconfigs.
//
// Open takes the kinds of content that its caller can read. What a file is follows from its first bytes, never from its name. A file
// that is clearly something else is refused with the name of what it is and the command that reads it; one that is nothing that this
// package knows is left to the reader of the caller, which says what is wrong where. Each kind has a budget, the size above which it is
// not read (see Budget).
//
// Only regular files are opened. A named pipe would wait for a writer that may never come, a device such as /dev/zero never ends.
// A file is read up to the size that it had when it was opened: some files of /proc, which have no size, make their reader wait, too.
// A file that the first one names is not opened.
//
// docs/explanation/threat-model.md says who writes which file, and what it cannot do; a test there (docs/border_test.go) finds
// every other way to open one.
package input
