package scenariotest_test

import "testing"

// TestExample runs what the documentation shows.
func TestExample(t *testing.T) { playSitekeeper(t) }
