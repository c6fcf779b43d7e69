package recording

// phaseTexts are how the phases of a Pod are written: with a mark of one cell, and in words.
var phaseTexts = map[Phase]struct{ mark, word string }{
	Absent:      {" ", "none"},
	Pending:     {"·", "Pending"},
	Running:     {"◔", "running, not ready"},
	Ready:       {"◑", "ready, not yet available"},
	Available:   {"●", "available"},
	Terminating: {"✕", "terminating"},
	Failed:      {"!", "failed"},
	Succeeded:   {"✓", "succeeded"},
}

// Mark is the phase as a sign that takes one cell of a terminal.
func (p Phase) Mark() string { return phaseTexts[p].mark }

// Word is the phase in words.
func (p Phase) Word() string { return phaseTexts[p].word }
