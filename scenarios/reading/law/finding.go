package law

import "time"

// Verdicts of a time.
const (
	// Holds means that all that waits for the time moves by the difference at most, and Idle that nothing moves.
	Holds = "holds"
	Idle  = "idle"
	// Repeats means that something moves by the difference several times, and not more often than objects wait.
	Repeats = "repeats"
	// Decides means that something else happens before the time is over in one of the runs only.
	Decides = "decides"
	// Broken means that a run ends otherwise, that something changes later with a shorter time, or that it moves by the difference more
	// often than objects wait.
	Broken = "broken"
	// Undecided means that the runs cannot be compared.
	Undecided = "undecided"
)

// Finding is what is known of a time.
type Finding struct {
	Time
	// Sentence says what the time bounds.
	Sentence string `json:"sentence"`
	// Verdict is the worst of Tries.
	Verdict string `json:"verdict"`
	Tries   []Try  `json:"tries"`
}

// Try is a run with another length of the time.
type Try struct {
	Length  time.Duration `json:"length"`
	Verdict string        `json:"verdict"`
	// Message is what is broken, or why nothing can be said.
	Message string `json:"message,omitempty"`
	// Move is the object that the message is about, or which moves most. Waiting counts the objects that can
	// wait one after another.
	Move    *Move `json:"move,omitempty"`
	Waiting int   `json:"waiting,omitempty"`
	// Seeds counts the seeds that agree, if more than one was asked.
	Seeds int `json:"seeds,omitempty"`
	// Ends are the objects that end otherwise, each in words.
	Ends []string `json:"ends,omitempty"`
}

// ranks are the verdicts, the one that matters most last.
var ranks = map[string]int{Idle: 1, Undecided: 2, Holds: 3, Decides: 4, Repeats: 5, Broken: 6}

// Conclude sets the verdict.
func (f *Finding) Conclude() {
	for _, try := range f.Tries {
		if ranks[try.Verdict] > ranks[f.Verdict] {
			f.Verdict = try.Verdict
		}
	}
}
