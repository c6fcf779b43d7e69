package stage

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime"
	resourcehelpers "k8s.io/component-helpers/resource"

	"github.com/kubestep/kubestep/scenarios/reading/palette"
	"github.com/kubestep/kubestep/sim/trace"
)

// Node is a node as a card.
type Node struct {
	Name string `json:"name"`
	// Zone is the label topology.kubernetes.io/zone, and State what is unusual: NotReady, SchedulingDisabled, a kubelet that does not
	// run.
	Zone  string       `json:"zone,omitempty"`
	State string       `json:"state,omitempty"`
	Tone  palette.Tone `json:"tone,omitempty"`
	// Taints are those of its spec: key=value:NoSchedule.
	Taints []string `json:"taints,omitempty"`
	// Meters are the resources that Pods of the recording request.
	Meters []Meter `json:"meters,omitempty"`
	// Pods are the indexes of its Pods in the objects of the stage, in the order of their creation.
	Pods []int `json:"-"`
	// Lit says that the record writes the node.
	Lit bool `json:"-"`
	// Focused says that the lesson is about its kubelet now, or about the node itself.
	Focused bool `json:"focused,omitempty"`

	allocatable corev1.ResourceList
}

// Meter is how much of a resource of a node its Pods request.
type Meter struct {
	Resource string `json:"resource"`
	// Share is the part in use, from 0 to 100, and Words are the amounts: 1.5 of 4.
	Share int    `json:"share"`
	Words string `json:"words"`
}

// machine is what the version of a node says of itself.
func (c *Cast) machine(v version, seq int64) *Node {
	if n := c.machines[v]; n != nil {
		return n
	}
	n := &Node{Name: v.Name}
	object := c.scenes.Rec.Replay.ObjectAt(v.Object, seq)
	var typed corev1.Node
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object, &typed); err == nil {
		n.allocatable = typed.Status.Allocatable
	}
	labels := typed.Labels
	n.Zone = labels[corev1.LabelTopologyZone]
	for i := range typed.Spec.Taints {
		n.Taints = append(n.Taints, typed.Spec.Taints[i].ToString())
	}
	if typed.Spec.Unschedulable {
		n.State, n.Tone = "SchedulingDisabled", palette.Pending
	}
	if status := condition(object, string(corev1.NodeReady)); status != "" && status != "True" {
		n.State, n.Tone = joined("NotReady", n.State), palette.Failed
	}
	c.machines[v] = n
	return n
}

// resources are those that a Pod of the recording requests when it is created.
func (c *Cast) resources() []corev1.ResourceName {
	all := map[corev1.ResourceName]bool{}
	for _, m := range c.samples() {
		for name := range c.request(version{m.Object, 0}, m.born) {
			all[name] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// samples are the Pods of the recording, but of those of a ReplicaSet, which has one template, only the first and the last one: a
// LimitRange may be created in between. A large archive would have to be read as a whole for the others.
func (c *Cast) samples() (pods []*Member) {
	last := map[*Member]*Member{}
	for _, m := range c.Members {
		switch {
		case !m.IsPod():
		case m.owner == nil || m.owner.Kind != "ReplicaSet":
			pods = append(pods, m)
		case last[m.owner] == nil:
			pods = append(pods, m)
			fallthrough
		default:
			last[m.owner] = m
		}
	}
	return slices.AppendSeq(pods, maps.Values(last))
}

// request is what a Pod requests of its node.
func (c *Cast) request(v version, seq int64) corev1.ResourceList {
	list, known := c.requests[v]
	if known {
		return list
	}
	var typed corev1.Pod
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(c.scenes.Rec.Replay.ObjectAt(v.Object, seq), &typed); err == nil {
		list = resourcehelpers.PodRequests(&typed, resourcehelpers.PodResourcesOptions{})
		maps.DeleteFunc(list, func(_ corev1.ResourceName, q resource.Quantity) bool { return q.IsZero() })
	}
	c.requests[v] = list
	return list
}

// meters are those of a node whose Pods request these sums.
func (c *Cast) meters(n *Node, sums corev1.ResourceList) (meters []Meter) {
	for _, name := range c.requested {
		has, ok := n.allocatable[name]
		if !ok || has.IsZero() {
			continue
		}
		used := sums[name]
		share := int(100 * used.AsApproximateFloat64() / has.AsApproximateFloat64())
		meters = append(meters, Meter{string(name), min(share, 100), fmt.Sprintf("%s of %s", amount(used), amount(has))})
	}
	return meters
}

// amount writes a quantity as people say it: 1.5 and not 1500m, 2Gi and not 2147483648.
func amount(q resource.Quantity) string {
	if milli := q.MilliValue(); milli%1000 != 0 && q.Format == resource.DecimalSI {
		return strconv.FormatFloat(float64(milli)/1000, 'f', -1, 64)
	}
	return q.String()
}

// NodeObject is the node of a name.
func NodeObject(name string) trace.Object { return trace.Object{Resource: "nodes", Name: name} }
