//go:build !unix && !windows

package engine

import "time"

var begin = time.Now()

// ProcessorTime is real time here, where a process cannot learn its processor time.
func ProcessorTime() time.Duration { return time.Since(begin) }
