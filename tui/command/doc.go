// Package command is kubestep's command line: a file for each command, with its help, its flags, the checks of its arguments, and for
// most what it prints. What a command does is in the packages below, behind a function with options, so that it can be used and tested
// without a command line.
//
// Results go to standard output, everything else to standard error. An error is one line "Error: ..." and, if there is
// a suggestion, one line "Try: ...". docs/reference/exit-codes.md lists the exit codes. Package scenarios/cli is the frame of a command.
//
// # Why it is part of the terminal interface
//
// A command line is an interface in a terminal, as the screens are, and two of the commands need the screens: open shows them, and
// screenshot prints one. Here, all commands are assembled in one place (New), from packages below. In scenarios, the packages above would
// have to hand their commands upwards. Only main, a main of somebody's own (Options) and tests import this package.
//
// # How to add a command
//
//   - A file with its constructor, such as verify.go. It ends in a call of a package of scenarios or of tui.
//   - A row in one of the lists of root.go. A command that takes a scenario or a trace has the limits of kubestep run: it is in bounded.
//     TestCommandsAreBounded and TestEveryValueIsCompleted tell what is missing.
//   - A script below docs/commandline: what a user types, what is printed, and the exit code, with wrong input, too. Mistakes in flags are
//     lines of testdata/flags.txt.
//   - docs/reference/commands.md, which go test ./docs -run Fresh -rewrite makes again.
package command
