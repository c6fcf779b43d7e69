package webhook

import (
	"errors"
	"syscall"
	"testing"

	utilnet "k8s.io/apimachinery/pkg/util/net"
)

// TestRefused holds that a refused connection has one text on all systems, and is the error that Kubernetes looks for.
func TestRefused(t *testing.T) {
	err := Refused("policy.policy.svc:443")
	if want := "dial tcp policy.policy.svc:443: connect: connection refused"; err.Error() != want {
		t.Errorf("the error is %q, not %q", err, want)
	}
	var number syscall.Errno
	if !utilnet.IsConnectionRefused(err) || !errors.As(err, &number) || number != syscall.ECONNREFUSED || !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("%v is not ECONNREFUSED", err)
	}
}
