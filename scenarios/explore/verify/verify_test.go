package verify

import (
	"bytes"
	"strings"
	"testing"
)

// TestReport counts a run that breaks down as a difference, and shows which hashes differ.
func TestReport(t *testing.T) {
	const recorded, other = "sha256:0123456789abcdef0123", "sha256:fedcba9876543210fedc"
	report := NewReport([]Scenario{
		{Name: "create", Result: Same, Recorded: recorded, Hash: recorded},
		{Name: "cronjob", Result: Differs, Recorded: recorded, Hash: other},
		{Name: "namespace", Result: Open, Hash: other},
		{Name: "rounding", Result: Error, Recorded: recorded, Error: "frozen"},
	})
	if report.Same != 1 || report.Differs != 2 {
		t.Errorf("%d same, %d different", report.Same, report.Differs)
	}
	var out bytes.Buffer
	if err := report.Write(&out); err != nil {
		t.Fatal(err)
	}
	const want = `NAME       RESULT   RECORDED             THIS MACHINE
create     same     sha256:0123456789ab  sha256:0123456789ab
cronjob    differs  sha256:0123456789ab  sha256:fedcba987654
namespace  open     -                    sha256:fedcba987654
rounding   error    sha256:0123456789ab  frozen

1 same, 2 different  `
	if !strings.HasPrefix(out.String(), want) {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}
