// Package external runs a controller that is a program of its own: built in its own module, with its own version of client-go.
//
// The program has a main function of package ctrlmain, below this one. It runs in a bubble of its own, and the two bubbles
// take turns. Whenever the simulation is quiescent and something has arrived for the program, the engine's goroutine sends
// it there together with the date, and waits in real time for what the program does until it is quiescent, too: the
// requests that it sends, and when its next timer is due. The requests pass the gate like those of any controller, so
// latencies, faults and the trace are the same.
//
// A crash kills the program, and a restart starts another. A program that ends by itself crashes.
package external
