// Package command is kubestep's command line: what each command takes, prints and returns.
//
// Results go to standard output, everything else to standard error. An error is one line "Error: ..." and,
// where there is something better to do, one line "Try: ...". The exit code is 0 when all is well, 1 when a
// check failed, 2 when the command or the scenario is wrong, and 3 when kubestep itself failed.
package command
