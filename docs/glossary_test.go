package docs_test

import (
	"testing"

	"github.com/kubestep/kubestep/scenarios/reading/glossary"
	"github.com/kubestep/kubestep/sim/simtest/golden"
)

// TestGlossaryIsFresh compares docs/reference/glossary.md with the terms of package glossary; -rewrite makes it again.
func TestGlossaryIsFresh(t *testing.T) {
	golden.Page(t, "reference/glossary.md", "scenarios/reading/glossary", glossary.Reference())
}
