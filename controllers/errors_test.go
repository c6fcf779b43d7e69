package controllers

import (
	"testing"

	"github.com/kubestep/kubestep/sim/observe/syncs"
)

func TestReadError(t *testing.T) {
	for _, test := range []struct {
		in   string
		want syncs.ReportedError
	}{
		{
			`sync "default/web-5d9" failed with read version: 31 is not as new as written version: 41 for group resource pods`,
			syncs.ReportedError{
				Text: `sync "default/web-5d9" failed with a cache that has not yet seen this controller's own last write`,
				Key:  "default/web-5d9", Stale: true,
			},
		},
		{`default/agent failed with : timeout`, syncs.ReportedError{Text: `default/agent failed with : timeout`, Key: "default/agent"}},
		{`pods "x" not found`, syncs.ReportedError{Text: `pods "x" not found`}},
	} {
		if got := readError(test.in); got != test.want {
			t.Errorf("readError(%q) = %+v, want %+v", test.in, got, test.want)
		}
	}
}
