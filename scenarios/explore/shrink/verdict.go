package shrink

import (
	"context"
	"crypto/sha256"
	"slices"
	"time"

	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// key is the hash of a draft's text.
type key [sha256.Size]byte

// verdict is how the runs of a draft ended.
type verdict struct {
	fails   bool
	failure child.Failure
	hash    string
	settled time.Duration
	// lasts means that it was found to fail with the original horizon, too.
	lasts bool
}

// judge reports whether a candidate still fails as it should. What is not a scenario does not.
func (s *session) judge(ctx context.Context, d *draft) (*verdict, error) {
	text := d.text()
	sum := key(sha256.Sum256(text))
	s.mu.Lock()
	known := s.seen[sum]
	s.mu.Unlock()
	var v verdict
	if known != nil {
		v = *known
	} else if _, err := format.Parse(s.File, text, verb.All); err == nil {
		report, err := s.play(ctx, d, d.seed)
		if err != nil {
			return nil, err
		}
		v.failure, v.fails = s.fails(d, report)
		v.hash, v.settled = report.Hash, report.Settled
		if v.fails && s.guarded {
			if v.fails, err = s.sameReason(ctx, d, v.failure); err != nil {
				return nil, err
			}
		}
	}
	if v.fails && !v.lasts && (!s.late || d.horizon() != s.draft.horizon()) {
		var err error
		if v.fails, err = s.failsInTheEnd(ctx, d); err != nil {
			return nil, err
		}
		v.lasts = true
	}
	s.mu.Lock()
	s.seen[sum] = &v
	s.mu.Unlock()
	return &v, nil
}

// fails reports whether the run of a draft failed what it should.
func (s *session) fails(d *draft, report *child.Report) (child.Failure, bool) {
	if s.verdict != "" {
		if report.Wrong || report.Result != s.verdict || report.End != s.end {
			return child.Failure{}, false
		}
		return failureOf(report), true
	}
	name := s.check
	if d.step >= 0 {
		name = format.StepPath(d.step)
	}
	if report.Wrong || s.rests && !report.Rests {
		return child.Failure{}, false
	}
	i := slices.IndexFunc(report.Failures, func(f child.Failure) bool { return f.Name == name && f.By == s.by })
	if i < 0 {
		return child.Failure{}, false
	}
	return report.Failures[i], true
}

// failsInTheEnd reports whether a draft that fails also does so with the horizon of the original: a shorter horizon ends a
// run sooner, and must not be what makes it fail. What the state decides stays decided however long the run lasts, so that only a
// change of the horizon itself is tried then: very long runs leave out routine that short ones have.
func (s *session) failsInTheEnd(ctx context.Context, d *draft) (bool, error) {
	if !s.owes(d) {
		return true, nil
	}
	whole := d.clone()
	if s.whole == "" {
		removeField(whole.find("spec"), horizon)
	} else {
		setField(whole.find("spec"), horizon, s.whole)
	}
	report, err := s.play(ctx, whole, d.seed)
	if err != nil {
		return false, err
	}
	_, fails := s.fails(whole, report)
	return fails, nil
}

// owes reports whether a draft that fails has to be tried with the original horizon, too.
func (s *session) owes(d *draft) bool {
	lasting := s.by == "" && !s.standsStill()
	return d.horizon() != s.whole && !(lasting && d.horizon() == s.draft.horizon())
}

func (s *session) play(ctx context.Context, d *draft, seed int64) (*child.Report, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.runs.Add(1)
	job := child.Job{File: s.File, Text: string(d.text()), Seed: seed, Against: s.Against, Orders: d.orders}
	switch s.verdict {
	case runner.Diverged:
		job.Compare, job.SameEnd, job.History = !s.History, !s.History, s.History
	case runner.Late:
		job.Compare = true
	}
	return s.Run(ctx, job)
}
