// Package command implements kubestep's command line: the arguments, output and exit code of each command.
//
// Results go to standard output, everything else to standard error. An error is one line "Error: ..." and, if there is
// a suggestion, one line "Try: ...". The exit code is 0 on success, 1 when a check failed, 2 when the command or the
// scenario is wrong, and 3 when kubestep itself failed.
package command
