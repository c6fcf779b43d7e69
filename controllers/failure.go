package controllers

// Error means that a controller itself failed: it panicked or returned.
type Error struct {
	Controller string
	Problem    string
	// At is the function, the file and the line of an author's code in which it happened, if known.
	At string
	// Stack is that of the panic, or what a program of its own printed; empty if there was none.
	Stack []byte
	// Try is what may help if the controller itself is to be changed; empty if kubestep may be at fault.
	Try string
}

// Error implements error.
func (e *Error) Error() string {
	text := "controller " + e.Controller + " " + e.Problem
	if e.At != "" {
		text += ", in " + e.At
	}
	return text
}
