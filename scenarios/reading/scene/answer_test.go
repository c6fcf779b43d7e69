package scene

import "testing"

// TestSameAnswer compares as a teacher would.
func TestSameAnswer(t *testing.T) {
	for _, c := range []struct {
		said, answer string
		want         bool
	}{
		{"13", "13", true}, {" 13 ", "13", true}, {"13.0", "13", true}, {"12", "13", false},
		{"Recreate", "recreate", true}, {"rolling  update", "Rolling update", true}, {"", "13", false}, {"ten", "10", false},
	} {
		if SameAnswer(c.said, c.answer) != c.want {
			t.Errorf("said %q, the answer is %q: want %v", c.said, c.answer, c.want)
		}
	}
}
