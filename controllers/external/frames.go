package external

// This file is the same in packages external and ctrlmain, but for the name of the package: the two ends of one connection, in
// two modules. Each frame is a value of encoding/gob.

// frameVersion changes when a frame does.
const frameVersion = 1

// hello is the first frame to a program.
type hello struct {
	Version int
	Name    string
	// Seed decides what the Go runtime of the program decides.
	Seed uint64
	// Now is the virtual date, in nanoseconds since 1970.
	Now int64
}

// resume lets a program continue.
type resume struct {
	// Now is the virtual date, in nanoseconds since 1970. It is not later than the Next of the turn before.
	Now     int64
	Arrived []arrival
}

// arrival is a part of a response.
type arrival struct {
	// ID is that of the request.
	ID uint64
	// Status and Header are set in the first part, unless Failed is set.
	Status int
	Header map[string][]string
	// Data is the next part of the body, and Last means that nothing comes after it.
	Data []byte
	Last bool
	// Failed is why there is no response, or no more of it; empty if there is.
	Failed string
}

// turn is what a program did until all of its goroutines waited.
type turn struct {
	// Version is that of the program's end of the connection.
	Version int
	// Notes are what happened in its work queues.
	Notes []note
	Sent  []request
	// Canceled are the requests whose responses nobody wants any more.
	Canceled []uint64
	// Next is the date of the program's next timer, in nanoseconds since 1970; 0 if there is none.
	Next int64
	// Returned means that the function of the program has returned, and Problem is its error; empty if there was none.
	Returned bool
	Problem  string
}

// request is an HTTP request.
type request struct {
	ID uint64
	// Task is the sync that sent it, or 0.
	Task        uint64
	Method, URL string
	Header      map[string][]string
	Body        []byte
}

// note is something that happened in a work queue.
type note struct {
	Kind  queueEvent
	Queue string
	// Seconds is how long a key waited that was taken.
	Seconds float64
	// Task is the sync that the goroutine worked on, or 0; Begins is the sync that begins when a key is taken.
	Task, Begins uint64
}

// queueEvent is what happened in a work queue.
type queueEvent int

const (
	queueAdded queueEvent = iota
	queueTaken
	queueDone
	queueDelayed
)
