package prototype

import (
	"testing"

	"github.com/kubestep/kubestep/sim/process/logging"
)

// TestRollout holds that the prototype does what kubestep is compared with: each Pod is created, bound and ready twice.
func TestRollout(t *testing.T) {
	defer logging.To(nil)()
	for _, replicas := range []int{1, 10, 100} {
		first, err := Rollout(replicas)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d replicas: %d writes in %s", replicas, first.Writes, first.Virtual)
		const old, created, bound, ready, deleted = 2, 1, 1, 1, 1
		if least := replicas * (old*(created+bound+ready) + deleted); first.Writes < least {
			t.Errorf("%d replicas take at least %d writes, and the prototype made %d", replicas, least, first.Writes)
		}
		if first.Virtual < 2*readyAfter {
			t.Errorf("%d replicas were ready twice in %s", replicas, first.Virtual)
		}
	}
}
