package place

import (
	"fmt"
	"slices"

	"github.com/kubestep/kubestep/scenarios/language/format"
)

// Number is that of a place, from 1, or two numbers: of a place, and of one in the run with the fault at the first.
type Number int64

// pair is a number that no run has so many places as. Example: place 7 of the run with the fault at place 31 is 31000007.
const pair = 1_000_000

// Pair is the number of a place in the run with the fault at another one.
func Pair(first, second int) Number { return Number(first*pair + second) }

// Parts are the numbers; second is 0 if there is one only.
func (n Number) Parts() (first, second int) {
	if n < pair {
		return int(n), 0
	}
	return int(n / pair), int(n % pair)
}

// String is 31 or 31,7.
func (n Number) String() string {
	first, second := n.Parts()
	if second == 0 {
		return fmt.Sprint(first)
	}
	return fmt.Sprintf("%d,%d", first, second)
}

// ParseNumber reads what String writes; false means that it is no number of a place.
func ParseNumber(text string) (n Number, ok bool) {
	var first, second int
	if _, err := fmt.Sscanf(text, "%d,%d", &first, &second); err == nil && 0 < first && 0 < second && second < pair {
		n = Pair(first, second)
	} else if _, err := fmt.Sscanf(text, "%d", &first); err == nil && 0 < first && first < pair {
		n = Number(first)
	}
	return n, n > 0 && n.String() == text
}

// Fault are the faults of one run: at a place, or at a place and at one in the run with that.
type Fault struct {
	Number Number
	Rules  []format.FaultRule
	// Lines describe them.
	Lines []string
}

// Names are those of the rules, as --compare and --without-faults take them.
func (f Fault) Names() (names []string) {
	for i := range f.Rules {
		names = append(names, f.Rules[i].Name)
	}
	return names
}

// FaultAt is the fault at a place with a number.
func FaultAt(number int, p *Place) Fault { return Fault{Number(number), p.Rules, p.Lines()} }

// With is a second fault, at a place with a number in the run with the first.
func (f Fault) With(second int, p *Place) Fault {
	rules := slices.Clone(p.Rules)
	for i := range rules {
		rules[i].Name = SecondName(rules[i].Name)
	}
	// The rules of the second fault come first: each request meets them, even if the first fault refuses it.
	return Fault{Pair(int(f.Number), second), slices.Concat(rules, f.Rules), slices.Concat(f.Lines, p.Lines())}
}

// SecondName is the name of a rule of a second fault, since both may be of one kind.
func SecondName(name string) string { return name + "-2" }
