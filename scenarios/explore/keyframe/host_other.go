//go:build !linux

package keyframe

import (
	"time"

	"github.com/kubestep/kubestep/scenarios/runner"
)

type host struct{}

// Start makes the Host ready. It is not ok if nobody wants keyframes, or if there cannot be any.
func (h *Host) Start() (ok bool) { return false }

// Become is not called.
func (h *Host) Become(time.Duration) (*runner.Plan, time.Duration) { return nil, 0 }
