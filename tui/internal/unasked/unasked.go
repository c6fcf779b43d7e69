// Package unasked keeps the libraries of the interface from asking the terminal for its colors before main.
//
// Bubble Tea's init asks for the background color (OSC 11) and the position of the cursor (DSR 6), and waits five seconds for an
// answer. Terminals of CI services, of script(1) and of recorders never answer, so that every command of kubestep would begin with
// this pause, also those without an interface. The libraries do not ask where TERM is dumb. Therefore this package sets TERM before
// their init, and package tui calls Restore after it.
//
// The language defines the order (The Go Programming Language Specification, Program initialization): of the packages whose imports
// are all initialized, the first by import path is next. This package needs os alone, and its path comes before
// github.com/muesli/termenv, which needs os, too, and which Bubble Tea and Lip Gloss need. So it must not import more than os, and
// nothing else of kubestep may import Bubble Tea. TestNoCommandAsksTheTerminal holds that it works.
package unasked

import "os"

// variable names the kind of the terminal; libraries ask a silent one for nothing.
const variable, silent = "TERM", "dumb"

// terminal is the value of the variable for main, and set whether it has one.
var terminal, set = os.LookupEnv(variable)

func init() { _ = os.Setenv(variable, silent) }

// Restore gives TERM its value again.
func Restore() {
	if set {
		_ = os.Setenv(variable, terminal)
	} else {
		_ = os.Unsetenv(variable)
	}
}
