package clusterip_test

import (
	"fmt"
	"testing"

	"github.com/kubestep/kubestep/sim/apiserver/clusterip"
)

// TestSubnets parses what kube-apiserver accepts, and refuses the rest.
func TestSubnets(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", "[10.96.0.0/12]"},
		{"10.0.0.0/24", "[10.0.0.0/24]"},
		{"10.0.0.0/24,fd00::/112", "[10.0.0.0/24 fd00::/112]"},
		{"fd00::/112,10.0.0.0/24", "[fd00::/112 10.0.0.0/24]"},
		{"10.0.0.0/29", "[10.0.0.0/29]"},
		{"10.0.0.0/30", "10.0.0.0/30 has less than 8 addresses"},
		{"fd00::/63", "fd00::/63 has more than 64 bits for addresses"},
		{"10.0.0.0/24,10.1.0.0/24", "both ranges have the same IP family"},
		{"10.0.0.0/24,fd00::/112,10.1.0.0/24", "3 ranges, but at most one of each IP family is possible"},
	} {
		ranges, err := clusterip.Subnets(test.text)
		got := fmt.Sprint(ranges)
		if err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%q: got %s; want %s", test.text, got, test.want)
		}
	}
}
