package trace

import (
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// TestText prints the recordings in testdata/text. The scripts say what each of them is about. After a
// change, run with -rewrite and read the difference.
func TestText(t *testing.T) {
	datadriven.Walk(t, "testdata/text", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			options := TextOptions{Verbose: d.HasArg("verbose")}
			d.MaybeScanArgs(t, "width", &options.Width)
			var out strings.Builder
			text := NewText(&out, options)
			for record, err := range ReadJSONL(strings.NewReader(d.Input + "\n")) {
				if err != nil {
					d.Fatalf(t, "%v", err)
				}
				if err := text.Write(record); err != nil {
					d.Fatalf(t, "%v", err)
				}
			}
			if err := text.Close(); err != nil {
				d.Fatalf(t, "%v", err)
			}
			return out.String()
		})
	})
}
