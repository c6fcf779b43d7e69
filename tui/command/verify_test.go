package command

import (
	"bytes"
	"errors"
	"testing"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/explore/verify"
)

// TestVerifyDiffers ends verify with exit code 1 when a hash differs.
func TestVerifyDiffers(t *testing.T) {
	for _, output := range []string{"text", "json"} {
		streams := cli.Streams{Out: &bytes.Buffer{}}
		if err := printVerified(streams, &verify.Report{Same: 2, Differs: 1}, output); !errors.Is(err, cli.ErrChecksFailed) {
			t.Errorf("-o %s: one hash differs, and the error is %v", output, err)
		}
		if err := printVerified(streams, &verify.Report{Same: 3}, output); err != nil {
			t.Errorf("-o %s: all hashes are the same, but %v", output, err)
		}
	}
}
