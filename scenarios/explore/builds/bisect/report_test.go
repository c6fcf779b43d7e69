package bisect

import (
	"strings"
	"testing"
)

// TestConclude names every version in which the result changes. A version that cannot run the scenario decides nothing.
func TestConclude(t *testing.T) {
	report := &Report{Scenario: "db", Versions: []Verdict{
		{"1.33.9", "pass", ""}, {"1.34.0", "fail", "no-pod-replaced: false"}, {"1.34.1", "error", "unknown feature gate"},
		{"1.34.2", "fail", "no-pod-replaced: false"}, {"1.34.4", "pass", ""},
	}, NotBuilt: []string{"1.35"}}
	report.conclude()
	var out strings.Builder
	report.Print(&out)
	const want = `KUBERNETES  RESULT  REASON
1.33.9      pass
1.34.0      fail   no-pod-replaced: false
1.34.1      error  unknown feature gate
1.34.2      fail   no-pod-replaced: false
1.34.4      pass

db: fails since 1.34.0; 1.33.9 is the last version before
db: passes since 1.34.4; 1.34.2 is the last version before
1 version cannot run it: -o json has the whole reason
Not built: 1.35 (make build KUBERNETES=1.35)
`
	if got := out.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
