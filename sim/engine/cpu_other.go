//go:build !unix && !windows

package engine

import "time"

// started is when the process began.
var started = time.Now()

// ProcessorTime is real time here, where a process cannot learn its processor time.
func ProcessorTime() time.Duration { return time.Since(started) }
