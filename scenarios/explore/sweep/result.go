package sweep

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/reading/compare"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// Result is how the run of one seed ended, and a line of results. A sweep may have millions of them, so the line has the
// details only where no other seed has them: of several runs that ended in the same way, one has the details, and the lines of
// the others refer to it. Of a run that passed like the run without its faults, only the hash is kept. What is left out comes
// again from a run with the seed.
type Result struct {
	Seed   int64  `json:"seed"`
	Result string `json:"result"`
	// Returned means that the run ended when it was as the run without faults again (child.Job.Return). If it passed, there is no hash.
	Returned bool `json:"returned,omitempty"`
	Hash     Hash `json:"hash,omitzero"`
	// Like is a seed whose run ended in the same way, and whose line, which comes before, has the details.
	Like *int64 `json:"like,omitempty"`
	// The details. End, Stuck, Hot, Faults and Comparison are those of child.Report.
	Failures []child.Failure `json:"failures,omitempty"`
	End      string          `json:"end,omitempty"`
	Stuck    string          `json:"stuck,omitempty"`
	Hot      string          `json:"hot,omitempty"`
	Faults   []string        `json:"faults,omitempty"`
	// Rules are the names of the rules of the faults at a place or a pair (package place); nil for a seed.
	Rules      []string          `json:"rules,omitempty"`
	Comparison *child.Comparison `json:"comparison,omitempty"`
	// Needs are those of the faults that the run needs to end as it does; nil if it is not known.
	Needs []string `json:"needs,omitempty"`
	// Decisions are those of a run that failed, up to its first failure; Paths those of a run that passed
	// which no run before it had taken.
	Decisions []compare.Decision `json:"decisions,omitempty"`
	Paths     []Hash             `json:"paths,omitempty"`
	// Confirmed means that the seed ran once more in a fresh process, which the first failures of each group do, and
	// Unconfirmed what came instead of the same trace. OpenOrder are then the controllers whose order Go decides.
	Confirmed   bool     `json:"confirmed,omitempty"`
	Unconfirmed string   `json:"unconfirmed,omitempty"`
	OpenOrder   []string `json:"openOrder,omitempty"`

	wrong *WrongError
}

// Passed reports whether the run passed.
func (r *Result) Passed() bool { return r.Result == runner.Pass }

// brief is the result without its details.
func (r *Result) brief() *Result {
	return &Result{
		Seed: r.Seed, Result: r.Result, Returned: r.Returned, Hash: r.Hash, Paths: r.Paths,
		Needs: r.Needs, Confirmed: r.Confirmed, Unconfirmed: r.Unconfirmed, OpenOrder: r.OpenOrder,
	}
}

// isBare reports whether the result says nothing about how the run ended but its verdict: it is that of a run which confirms
// another.
func (r *Result) isBare() bool {
	return r.Like == nil && len(r.Failures) == 0 && r.Stuck == "" && r.Hot == "" && r.End == "" && r.Comparison == nil
}

// Hash is the beginning of a hash, which is enough to tell traces and paths apart; 0 is no hash.
type Hash uint64

// HashOf is the beginning of a hash in hexadecimal digits, with or without the name of its function.
func HashOf(text string) (Hash, error) {
	if text == "" {
		return 0, nil
	}
	_, digits, found := strings.Cut(text, ":")
	if !found {
		digits = text
	}
	const digitsKept = 16
	value, err := strconv.ParseUint(digits[:min(len(digits), digitsKept)], 16, 64)
	if err != nil {
		return 0, fmt.Errorf("%.80q is not a hash", text)
	}
	return Hash(value), nil
}

// String is the hash in hexadecimal digits.
func (h Hash) String() string { return fmt.Sprintf("%016x", uint64(h)) }

// MarshalText implements encoding.TextMarshaler.
func (h Hash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (h *Hash) UnmarshalText(text []byte) (err error) {
	*h, err = HashOf(string(text))
	return err
}
