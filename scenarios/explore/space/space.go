package space

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/spelling"
	"github.com/kubestep/kubestep/sim/engine"
)

// Space is a set of faults of one kind, from which a seed draws.
type Space struct {
	Name string
	// Sentence says what goes wrong, and Draws what the seed decides.
	Sentence, Draws string

	draw func(*dice, *Profile) []format.FaultRule
}

// All lists the spaces.
func All() []Space { return []Space{flakyAPI, staleCaches, crashAnywhere, nodeLoss, slowNetwork} }

// Names lists their names for a help text.
func Names() string {
	var names []string
	for _, s := range All() {
		names = append(names, s.Name)
	}
	return strings.Join(names, ", ")
}

// UnknownError is a name that no space has.
type UnknownError struct {
	Name string
	// Try is what was probably meant, or all names.
	Try string
}

// Error implements error.
func (e *UnknownError) Error() string { return fmt.Sprintf("unknown fault space %q", e.Name) }

// Named returns the spaces of these names, each of them once, in the order of All. The error is an *UnknownError.
func Named(names []string) ([]Space, error) {
	all := All()
	var known []string
	for _, space := range all {
		known = append(known, space.Name)
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, &UnknownError{name, spelling.Among(name, known)}
		}
	}
	return slices.DeleteFunc(all, func(space Space) bool { return !slices.Contains(names, space.Name) }), nil
}

// Draw returns what goes wrong in the run of a seed. It depends on nothing else: the faults of one space are the same
// with and without the others.
func Draw(spaces []Space, profile *Profile, seed int64) Drawn {
	var drawn Drawn
	for _, space := range spaces {
		rules := space.draw(&dice{seed: uint64(seed), space: space.Name}, profile)
		for i := range rules {
			rules[i].Name = space.Name
			if i > 0 {
				rules[i].Name += fmt.Sprintf("-%d", i+1)
			}
		}
		drawn.Rules = append(drawn.Rules, rules...)
	}
	return drawn
}

// dice draws what a space leaves open. The draws of one space do not depend on those of another one.
type dice struct {
	seed  uint64
	space string
	count int
}

// upTo draws a number from 0 to n-1.
func (d *dice) upTo(n int) int {
	d.count++
	return int(engine.Hash(d.seed, fmt.Sprintf("space|%s|%d", d.space, d.count)) % uint64(n))
}

// chance draws whether something happens, in so many of 100 cases.
func (d *dice) chance(percent int) bool { return d.upTo(100) < percent }

// one draws one of several.
func one[T any](d *dice, of ...T) T { return of[d.upTo(len(of))] }

// from draws a time shortly before one of several, so that the fault applies to what happens then.
func (d *dice) from(times []time.Duration) time.Duration {
	return max(one(d, times...).Truncate(time.Millisecond)-time.Duration(d.upTo(5))*time.Millisecond, 0)
}
