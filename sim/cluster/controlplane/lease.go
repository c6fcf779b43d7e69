package controlplane

import (
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/engine"
)

const (
	// host is the name of the machine that the control plane would run on.
	host = "control-plane"
	// identityLabel marks the Leases of API servers: IdentityLeaseComponentLabelKey in k8s.io/kubernetes/pkg/controlplane/apiserver.
	identityLabel = "apiserver.kubernetes.io/identity"
	// identitySeconds is how long the Lease of an API server lasts, and leaderSeconds that of a leader.
	identitySeconds, leaderSeconds = 3600, 15
)

var leaseResource = coordinationv1.SchemeGroupVersion.WithResource("leases")

// KeepLeases makes the Leases that people find in the namespace kube-system: that by which the API server says that it runs, and those of
// the leaders among components, which have no competitors here. Those that exist stay as they are. They are renewed every period; zero
// means never. kube-apiserver renews its own every 10 seconds, and leaders renew theirs every 2 seconds.
func KeepLeases(s *sim.Simulation, leaders []string, period time.Duration) error {
	sum := sha256.Sum256([]byte(host))
	identity := "apiserver-" + strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:16]))
	own := newLease(s, identity, identity, identitySeconds)
	own.Labels = map[string]string{identityLabel: "kube-apiserver", corev1.LabelHostname: host}
	own.Spec.AcquireTime, own.Spec.LeaseTransitions = nil, nil
	if err := keepLease(s, apiserver.Self, own, period); err != nil {
		return err
	}
	for _, leader := range leaders {
		if err := keepLease(s, leader, newLease(s, leader, host, leaderSeconds), period); err != nil {
			return err
		}
	}
	return nil
}

// keepLease makes a Lease of a component, and renews it.
func keepLease(s *sim.Simulation, holder string, lease *coordinationv1.Lease, period time.Duration) error {
	_, err := s.Execute(request(holder, "create", lease), 0, true)
	if wasRefused(err) {
		return fmt.Errorf("lease %s: %w", lease.Name, err)
	}
	if err == nil && period > 0 {
		renew(s, holder, lease, period)
	}
	return nil
}

// newLease is a Lease that somebody on a machine holds.
func newLease(s *sim.Simulation, name, machine string, seconds int32) *coordinationv1.Lease {
	now, transitions := metav1.NewMicroTime(s.Engine.Date()), int32(0)
	holder := machine + "_" + uuid.NewSHA1(uuid.NameSpaceDNS, []byte(name)).String()
	return &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: metav1.NamespaceSystem},
		Spec: coordinationv1.LeaseSpec{
			HolderIdentity: &holder, LeaseDurationSeconds: &seconds, AcquireTime: &now, RenewTime: &now, LeaseTransitions: &transitions,
		},
	}
}

// renew renews a lease every period. One that somebody has deleted comes back.
func renew(s *sim.Simulation, holder string, lease *coordinationv1.Lease, period time.Duration) {
	s.Engine.As(engine.Routine).After(period, "controlplane|renew|"+lease.Name, func() {
		verb, renewed := "create", lease.DeepCopy()
		if stored, found := s.State.Get(leaseResource.GroupResource(), lease.Namespace, lease.Name); found {
			verb, renewed = "update", stored.(*coordinationv1.Lease).DeepCopy()
		}
		now := metav1.NewMicroTime(s.Engine.Date())
		renewed.Spec.RenewTime = &now
		_, _ = s.Execute(request(holder, verb, renewed), 0, true)
		renew(s, holder, lease, period)
	})
}

// request is that of the component that holds a lease.
func request(holder, verb string, lease *coordinationv1.Lease) apiserver.Request {
	out := apiserver.Request{
		Actor: holder, Verb: verb, Resource: leaseResource, Namespace: lease.Namespace, Object: lease,
	}
	if verb == "update" {
		out.Name = lease.Name
	}
	return out
}
