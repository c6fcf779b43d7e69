//go:build !unix && !windows

package engine

import "time"

var begin = time.Now()

// processorTime is real time here, where a process cannot learn its processor time.
func processorTime() time.Duration { return time.Since(begin) }
