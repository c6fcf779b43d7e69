// Package command implements kubestep's command line: the arguments, output and exit code of each command.
//
// Results go to standard output, everything else to standard error. An error is one line "Error: ..." and, if there is
// a suggestion, one line "Try: ...". docs/reference/exit-codes.md lists the exit codes.
package command
