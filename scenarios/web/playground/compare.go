package playground

import (
	"bytes"
	"strings"

	"github.com/kubestep/kubestep/scenarios/explore/branch"
	"github.com/kubestep/kubestep/scenarios/reading/compare"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace/file/tracefile"
)

// Comparison is what two runs have in common, and what not.
type Comparison struct {
	Equal bool `json:"equal"`
	// Text is what kubestep diff prints, and Report its JSON form.
	Text   string          `json:"text"`
	Report *compare.Report `json:"report"`
	// Parts are the first records in which the runs differ, without what only tells about a run; 0 where one has ended.
	Parts [2]int64 `json:"parts"`
}

// Compare compares the archives of two runs.
func Compare(a, b []byte) (*Comparison, error) {
	var recs [2]*recording.Recording
	for i, packed := range [][]byte{a, b} {
		rec, err := recording.Read(bytes.NewReader(packed), recording.Origin{Name: []string{"A", "B"}[i]})
		if err != nil {
			return nil, &Failure{Message: "the trace cannot be read: " + err.Error(), Try: "run the scenario again"}
		}
		recs[i] = rec
	}
	report := compare.Compare(recs[0], recs[1])
	var text strings.Builder
	const width = 160
	report.Print(&text, width)
	c := &Comparison{Equal: report.Equal, Text: text.String(), Report: report}
	c.Parts[0], c.Parts[1] = branch.Divergence(recs[0], recs[1])
	return c, nil
}

// Lines are the JSON lines of an archive.
func Lines(packed []byte) ([]byte, error) {
	var out bytes.Buffer
	if err := tracefile.Convert(bytes.NewReader(packed), tracefile.Lines(&out)); err != nil {
		return nil, &Failure{Message: "the trace cannot be read: " + err.Error(), Try: "run the scenario again"}
	}
	return out.Bytes(), nil
}
