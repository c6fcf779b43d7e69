package sweep

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/explore/future"
	"github.com/kubestep/kubestep/scenarios/explore/place"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// Header is the first line of a file of results: what is swept.
type Header struct {
	Name string `json:"scenario"`
	// File is the scenario as given on the command line.
	File string `json:"file"`
	// Hash is that of the scenario (child.HashOf), and Kubernetes the version whose controllers ran.
	Hash       string `json:"scenarioHash"`
	Kubernetes string `json:"kubernetesVersion"`
	// Kubestep is the version of kubestep, and Promise what its hashes promise: another build may have others.
	Kubestep string `json:"kubestepVersion"`
	Promise  string `json:"promise"`
	// Spaces are the fault spaces, separated by commas, and Compared means that each seed ran without its faults, too.
	Spaces   string `json:"spaces,omitempty"`
	Compared bool   `json:"compared,omitempty"`
	// DrawnWith is the version of Kubernetes whose run the faults are drawn from; empty means that of Kubernetes.
	DrawnWith string `json:"drawnWith,omitempty"`
	// History means that each run was compared with ones that create the wanted objects in an empty cluster.
	History bool `json:"history,omitempty"`
	// Past is what all runs share, if it is not zero: the seeds decide only what comes after it.
	Past child.Past `json:"past,omitzero"`
	// Every is set if the runs are not those of seeds, but those with one fault each at the places of the run of one seed.
	Every Every `json:"every,omitzero"`
	// Plan are the seeds that the sweep has, and the shard of them whose results the file has. A sweep that resumes with another
	// plan adds a line with it; the last one counts. Files of earlier versions have none.
	Plan *Seeds `json:"plan,omitempty"`
}

// Every is a sweep over all places of the run of a seed (package place): their numbers, from 1, are what other sweeps have seeds for.
type Every struct {
	Seed int64 `json:"seed"`
	// Places counts the places, or the pairs.
	Places int64 `json:"places"`
	// Pairs means that each run has two faults: the numbers are those of pairs (place.Number).
	Pairs bool `json:"pairs,omitempty"`
}

// IsZero reports whether the sweep is one over seeds.
func (e Every) IsZero() bool { return e == (Every{}) }

// Unit is what the runs are counted in.
func (h Header) Unit() string {
	switch {
	case h.Every.Pairs:
		return "pair"
	case !h.Every.IsZero():
		return "place"
	}
	return "seed"
}

// numbers lists what the runs are counted in. Pairs have two numbers each: 31,7 and 31,9.
func (h Header) numbers(seeds []int64) string {
	if !h.Every.Pairs {
		return SeedList(seeds)
	}
	var list []string
	for _, seed := range seeds[:min(len(seeds), pairsShown)] {
		list = append(list, place.Number(seed).String())
	}
	return strings.Join(list, "  ") + more(len(seeds)-pairsShown)
}

// pairsShown is how many pairs of a group are listed.
const pairsShown = 20

// number is one of them: place 31, or pair 31,7.
func (h Header) number(seed int64) string {
	if h.Every.Pairs {
		return h.Unit() + " " + place.Number(seed).String()
	}
	return h.Unit() + " " + strconv.FormatInt(seed, 10)
}

// matches reports whether results of two headers belong together, whatever their plans are.
func (h Header) matches(other Header) bool {
	h.File, h.Plan = other.File, other.Plan
	return h == other
}

func (h Header) build() string {
	return fmt.Sprintf("kubestep %s (%s) with Kubernetes %s", h.Kubestep, h.Promise, h.Kubernetes)
}

// how is how the scenario was swept.
func (h Header) how() string {
	if !h.Past.IsZero() {
		return fmt.Sprintf("futures of seed %d from %s on", h.Past.Seed, future.Place(h.Past.Until))
	}
	if !h.Every.IsZero() {
		return fmt.Sprintf("every place of seed %d", h.Every.Seed)
	}
	how := "without fault spaces"
	if h.Spaces != "" {
		how = "with the faults " + h.Spaces
	}
	if h.DrawnWith != "" {
		how += ", drawn with Kubernetes " + h.DrawnWith
	}
	if !h.Compared {
		how += ", not compared"
	}
	if h.History {
		how += ", compared by --history"
	}
	return how
}

// Show is the command that shows the run of a seed, which ended so.
func (h Header) Show(seed int64, how How) string {
	command := "kubestep run " + h.arguments(seed)
	switch {
	case how.Check == child.NoHistory:
		return command + " --compare=history"
	case how.Verdict == runner.Diverged:
		return command + " --compare"
	}
	return command
}

// arguments are those of run and shrink for the run of a seed.
func (h Header) arguments(seed int64) string {
	if !h.Every.IsZero() {
		return fmt.Sprintf("%s --seed %d --place %s", h.File, h.Every.Seed, place.Number(seed))
	}
	if !h.Past.IsZero() {
		first, rest := h.Past.Flags(seed)
		return h.File + " --seed " + first + " --" + future.Flag + " " + cli.ShellWord(rest)
	}
	spaces := ""
	if h.Spaces != "" {
		spaces = " --faults " + h.Spaces
	}
	if h.DrawnWith != "" {
		spaces += " --drawn-with " + h.DrawnWith
	}
	return fmt.Sprintf("%s%s --seed %d", h.File, spaces, seed)
}

// FormatError is a file of results that cannot be used.
type FormatError struct {
	Path    string
	Line    int
	Message string
}

// Error implements error.
func (e *FormatError) Error() string {
	if e.Line == 0 {
		return e.Path + ": " + e.Message
	}
	return fmt.Sprintf("%s:%d: %s", e.Path, e.Line, e.Message)
}

// OtherError is a directory with the results of something else.
type OtherError struct {
	Path string
	// Has is what it holds, Want what was asked for.
	Has, Want Header
}

// Error implements error.
func (e *OtherError) Error() string {
	switch {
	case e.Has.Name != e.Want.Name:
		return fmt.Sprintf("%s contains results of another scenario: %s, not %s", e.Path, e.Has.Name, e.Want.Name)
	case e.Has.Spaces != e.Want.Spaces || e.Has.DrawnWith != e.Want.DrawnWith,
		e.Has.Compared != e.Want.Compared || e.Has.History != e.Want.History || e.Has.Past != e.Want.Past,
		e.Has.Every.Seed != e.Want.Every.Seed:
		return e.Path + " contains results of another sweep: " + e.Has.how() + ", not " + e.Want.how()
	case e.Has.Hash != e.Want.Hash:
		return fmt.Sprintf("%s contains results of an earlier version of the scenario %s", e.Path, e.Has.Name)
	}
	return fmt.Sprintf("%s contains results of another build: %s, not %s", e.Path, e.Has.build(), e.Want.build())
}

// NoPlanError is a file of an earlier version, which does not say which seeds its sweep has.
type NoPlanError struct {
	Path string
	Has  Header
}

// Error implements error.
func (e *NoPlanError) Error() string {
	return fmt.Sprintf("%s does not say which seeds its sweep has: kubestep %s wrote it", e.Path, e.Has.Kubestep)
}

// PlanError is a part of a sweep with other seeds than another part.
type PlanError struct {
	Path      string
	Has, Want Seeds
}

// Error implements error.
func (e *PlanError) Error() string {
	return fmt.Sprintf("%s is a part of another sweep: it has shard %s, not a shard of %s", e.Path, e.Has, e.Want.sweep())
}

// LockedError is a directory that another process writes results to.
type LockedError struct{ Path string }

// Error implements error.
func (e *LockedError) Error() string { return "another sweep is writing to " + e.Path }
