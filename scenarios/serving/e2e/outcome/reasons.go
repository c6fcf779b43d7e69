package outcome

// Reason is why tests do not pass.
type Reason struct {
	// Name is what expected.txt has.
	Name string
	// Text is the thing that is missing, in one sentence.
	Text string
}

// Reasons are all of them.
var Reasons = []Reason{}
