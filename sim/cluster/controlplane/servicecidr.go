package controlplane

import (
	"context"
	"fmt"
	"net"

	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/kubernetes"
	networkingclient "k8s.io/client-go/kubernetes/typed/networking/v1"
	"k8s.io/kubernetes/pkg/controlplane/controller/defaultservicecidr"
	"k8s.io/kubernetes/pkg/features"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/apiserver/memdb"
	"github.com/kubestep/kubestep/sim/network"
)

const readyMessage = "Kubernetes default Service CIDR is ready"

var resource = networkingv1.SchemeGroupVersion.WithResource("servicecidrs")

// ServiceCIDR is the one that kube-apiserver creates for the ranges of its flag.
func ServiceCIDR(ranges []*net.IPNet) *networkingv1.ServiceCIDR {
	cidr := &networkingv1.ServiceCIDR{ObjectMeta: metav1.ObjectMeta{Name: defaultservicecidr.DefaultServiceCIDRName}}
	for _, each := range ranges {
		cidr.Spec.CIDRs = append(cidr.Spec.CIDRs, each.String())
	}
	return cidr
}

// keepServiceCIDR creates the ServiceCIDR kubernetes, and creates it again after it is deleted.
func keepServiceCIDR(s *sim.Simulation, client kubernetes.Interface, ranges []*net.IPNet) error {
	if !utilfeature.DefaultFeatureGate.Enabled(features.MultiCIDRServiceAllocator) {
		return nil
	}
	cidrs := &defaultCIDR{client: client.NetworkingV1().ServiceCIDRs(), simulation: s, wanted: ServiceCIDR(ranges)}
	l := &loop{simulation: s, name: "kube-apiserver|servicecidr", look: cidrs.sync, concerns: func(change network.Change) bool {
		cidr, ok := change.Object.(*networkingv1.ServiceCIDR)
		return ok && cidr.Name == cidrs.wanted.Name && (change.Op == memdb.OpDelete || cidrs.isUnready(cidr))
	}}
	return l.start()
}

// defaultCIDR looks after the ServiceCIDR kubernetes as upstream's controller defaultservicecidr does. That one writes the
// status by a server-side apply, which here would cost as much as a hundred other requests.
type defaultCIDR struct {
	client     networkingclient.ServiceCIDRInterface
	simulation *sim.Simulation
	// wanted is the ServiceCIDR for the ranges of the flag.
	wanted *networkingv1.ServiceCIDR
}

func (d *defaultCIDR) sync() error {
	ctx := d.simulation.Context()
	var found *networkingv1.ServiceCIDR
	var err error
	if object, exists := d.simulation.State.Get(resource.GroupResource(), "", d.wanted.Name); !exists {
		found, err = d.client.Create(ctx, d.wanted, metav1.CreateOptions{})
	} else if found = object.DeepCopyObject().(*networkingv1.ServiceCIDR); d.widens(found) {
		found.Spec.CIDRs = d.wanted.Spec.CIDRs
		found, err = d.client.Update(ctx, found, metav1.UpdateOptions{})
	}
	if err != nil {
		return fmt.Errorf("ServiceCIDR %s: %w", d.wanted.Name, err)
	}
	if d.isUnready(found) {
		return d.setReady(ctx, found)
	}
	return nil
}

// widens reports whether the flag adds the second IP family to the ranges. Any other change of the flag is left to the
// administrator.
func (d *defaultCIDR) widens(found *networkingv1.ServiceCIDR) bool {
	before, after := found.Spec.CIDRs, d.wanted.Spec.CIDRs
	return len(before) == 1 && len(after) == 2 && before[0] == after[0]
}

// isUnready reports whether the ServiceCIDR has the ranges of the flag, and nobody has said yet whether it is ready.
func (d *defaultCIDR) isUnready(found *networkingv1.ServiceCIDR) bool {
	ready := meta.FindStatusCondition(found.Status.Conditions, networkingv1.ServiceCIDRConditionReady)
	return found.DeletionTimestamp.IsZero() && (ready == nil || ready.Status == metav1.ConditionUnknown) &&
		fmt.Sprint(found.Spec.CIDRs) == fmt.Sprint(d.wanted.Spec.CIDRs)
}

func (d *defaultCIDR) setReady(ctx context.Context, found *networkingv1.ServiceCIDR) error {
	found.Status.Conditions = []metav1.Condition{{
		Type: networkingv1.ServiceCIDRConditionReady, Status: metav1.ConditionTrue, Message: readyMessage,
		LastTransitionTime: metav1.NewTime(d.simulation.Engine.Date()),
	}}
	if _, err := d.client.UpdateStatus(ctx, found, metav1.UpdateOptions{}); err != nil {
		return fmt.Errorf("status of ServiceCIDR %s: %w", found.Name, err)
	}
	return nil
}
