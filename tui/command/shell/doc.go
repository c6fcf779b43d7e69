// Package shell serves the shell in which kubestep is used: completion of what somebody types, man pages, and the reference of the
// commands.
//
// All are made from the command tree, so they need no table of commands and flags of their own. A help text names the value of
// a flag in capitals, such as --seed SEED, and so does the usage of a command name its arguments, such as run FILE. This word
// says what may stand in its place: values.go is the table of these words.
package shell
