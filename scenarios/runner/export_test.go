package runner

import "testing"

// Judged sets what else is checked when a shipped scenario is run again.
func Judged(options func(t *testing.T, file string) (RunOptions, func())) { judged = options }
