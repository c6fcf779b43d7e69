package node

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/engine"
)

// The kubelet's defaults: nodeLeaseDurationSeconds, and nodeStatusReportFrequency.
const (
	leaseSeconds = 40
	statusPeriod = 5 * time.Minute
)

// Spec describes one node.
type Spec struct {
	Name   string
	Labels map[string]string
	// CPU and Memory are the capacity, as quantities; empty for 32 CPUs and 256 GiB.
	CPU, Memory string
	// Pods is the maximum number of pods on the node.
	Pods int
}

var (
	nodeResource  = corev1.SchemeGroupVersion.WithResource("nodes")
	leaseResource = coordinationv1.SchemeGroupVersion.WithResource("leases")
)

// The capacity of a node that does not say, as quantities.
const (
	DefaultCPU    = "32"
	DefaultMemory = "256Gi"
)

// AddNodes registers nodes with the API server, Ready, and renews their leases every heartbeat; zero means never.
func (k *Kubelets) AddNodes(specs []Spec, heartbeat time.Duration) error {
	for _, spec := range specs {
		created, err := k.sim.Execute(apiserver.Request{
			Actor: Actor, Verb: "create", Resource: nodeResource, Object: k.newNode(spec),
		}, 0, true)
		if err != nil {
			return fmt.Errorf("node %s: %w", spec.Name, err)
		}
		if err := k.start(created.(*corev1.Node), heartbeat); err != nil {
			return err
		}
		k.tellNode(created.(*corev1.Node))
	}
	return nil
}

// Assume makes a node have a kubelet from now on, whether it has an object or not.
func (k *Kubelets) Assume(node string) { k.nodes[node] = !k.others[node] }

// Adopt starts a kubelet for each stored node that AddNodes did not create. Nodes that are not Ready stay failed until
// they recover.
func (k *Kubelets) Adopt(heartbeat time.Duration) error {
	for _, obj := range k.sim.State.List(podResource.GroupResource(), "") {
		k.restored[obj.(*corev1.Pod).Status.PodIP] = true
	}
	for _, obj := range k.sim.State.List(nodeResource.GroupResource(), "") {
		node := obj.(*corev1.Node)
		ready := slices.ContainsFunc(node.Status.Conditions, func(c corev1.NodeCondition) bool {
			return c.Type == corev1.NodeReady && c.Status == corev1.ConditionTrue
		})
		if !ready {
			k.down[node.Name] = &outage{}
		}
		if err := k.start(node, heartbeat); err != nil {
			return err
		}
	}
	return nil
}

// start starts a kubelet's heartbeats.
func (k *Kubelets) start(node *corev1.Node, heartbeat time.Duration) error {
	if heartbeat == 0 {
		return nil
	}
	_, err := k.sim.Execute(apiserver.Request{
		Actor: Actor, Verb: "create", Resource: leaseResource, Namespace: corev1.NamespaceNodeLease, Object: newLease(node),
	}, 0, true)
	if err != nil && !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("lease of node %s: %w", node.Name, err)
	}
	// Kubelets do not start at the same time: each has its own offset in the period.
	offset := k.sim.Engine.Draw("kubelet|heartbeat|"+node.Name, 1, heartbeat)
	k.beat(node.Name, k.sim.Engine.Now()+offset, heartbeat, k.renewLease)
	offset = k.sim.Engine.Draw("kubelet|status|"+node.Name, 1, statusPeriod)
	k.beat(node.Name, k.sim.Engine.Now()+offset, statusPeriod, k.reportStatus)
	return nil
}

// beat calls do at a virtual time and every period from there, as long as the node exists.
func (k *Kubelets) beat(name string, at, period time.Duration, do func(*corev1.Node)) {
	k.sim.Engine.As(engine.Routine).At(at, "kubelet|beat|"+name+"|"+period.String(), func() {
		if k.rests(beat{at, period, func(at time.Duration) { k.beat(name, at, period, do) }}) {
			return
		}
		node, found := k.node(name)
		if !found {
			return
		}
		if k.down[name] == nil {
			do(node)
		}
		k.beat(name, at+period, period, do)
	})
}

func (k *Kubelets) renewLease(node *corev1.Node) {
	obj, found := k.sim.State.Get(leaseResource.GroupResource(), corev1.NamespaceNodeLease, node.Name)
	if !found {
		return
	}
	lease := obj.(*coordinationv1.Lease).DeepCopy()
	now := metav1.NewMicroTime(k.sim.Engine.Date().Add(k.skew[node.Name]))
	lease.Spec.RenewTime = &now
	_, _ = k.sim.Execute(apiserver.Request{
		Actor: Actor, Verb: "update", Resource: leaseResource, Namespace: lease.Namespace, Name: lease.Name, Object: lease,
	}, 0, true)
}

func (k *Kubelets) reportStatus(node *corev1.Node) { k.writeNode(node, true) }

func (k *Kubelets) writeNode(node *corev1.Node, background bool) {
	report(&node.Status, metav1.NewTime(k.sim.Engine.Date().Add(k.skew[node.Name])))
	k.detailConditions(&node.Status)
	k.detailImages(node)
	_, _ = k.sim.Execute(apiserver.Request{
		Actor: Actor, Verb: "update", Resource: nodeResource, Subresource: "status", Name: node.Name, Object: node,
	}, 0, background)
}

func (k *Kubelets) newNode(spec Spec) *corev1.Node {
	labels := map[string]string{
		corev1.LabelHostname: spec.Name, corev1.LabelOSStable: "linux", corev1.LabelArchStable: "amd64",
	}
	for key, value := range spec.Labels {
		labels[key] = value
	}
	capacity := corev1.ResourceList{
		corev1.ResourceCPU:    resource.MustParse(cmp.Or(spec.CPU, DefaultCPU)),
		corev1.ResourceMemory: resource.MustParse(cmp.Or(spec.Memory, DefaultMemory)),
		corev1.ResourcePods:   *resource.NewQuantity(int64(spec.Pods), resource.DecimalSI),
	}
	host := k.NextHost()
	node := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: spec.Name, Labels: labels},
		Status: corev1.NodeStatus{
			Capacity: capacity, Allocatable: capacity,
			Addresses: []corev1.NodeAddress{
				{Type: corev1.NodeInternalIP, Address: host},
				{Type: corev1.NodeHostName, Address: spec.Name},
			},
			NodeInfo: corev1.NodeSystemInfo{OperatingSystem: "linux", Architecture: "amd64"},
		},
	}
	k.detailNode(node)
	report(&node.Status, metav1.Now())
	k.detailConditions(&node.Status)
	return node
}

func newLease(node *corev1.Node) *coordinationv1.Lease {
	now, seconds := metav1.NowMicro(), int32(leaseSeconds)
	return &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{
			Name: node.Name, Namespace: corev1.NamespaceNodeLease,
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "v1", Kind: "Node", Name: node.Name, UID: node.UID}},
		},
		Spec: coordinationv1.LeaseSpec{HolderIdentity: &node.Name, LeaseDurationSeconds: &seconds, RenewTime: &now},
	}
}
