//go:build !kubernetes_before_1_37

package scheduler

import (
	"sync"

	"k8s.io/apimachinery/pkg/labels"
	fwk "k8s.io/kube-scheduler/framework"
)

// podCounts counts the Pods of nodes by their labels.
type podCounts struct {
	mu    sync.Mutex
	nodes map[string]*nodePods
}

// nodePods are the Pods of a node at one generation of it.
type nodePods struct {
	generation int64
	pods       []countedPod
	groups     map[string]*podGroup
}

// countedPod is a Pod of a node. A change to a Pod gives its node another PodInfo. group is nil if the Pod is being deleted.
type countedPod struct {
	info  fwk.PodInfo
	group *podGroup
}

// podGroup are the Pods of a node with one namespace and one set of labels.
type podGroup struct {
	key, namespace string
	labels         labels.Set
	size           int64
}

// matching is the number of Pods of a node in a namespace that a selector matches, without those that are being deleted: upstream's
// countPodsMatchSelector.
func (c *podCounts) matching(info fwk.NodeInfo, selector labels.Selector, namespace string) (count int64) {
	if selector.Empty() {
		return 0
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	name := info.Node().Name
	node := c.nodes[name]
	if node == nil {
		node = &nodePods{generation: -1, groups: map[string]*podGroup{}}
		c.nodes[name] = node
	}
	if generation := info.GetGeneration(); node.generation != generation {
		node.follow(info.GetPods())
		node.generation = generation
	}
	for _, group := range node.groups {
		if group.namespace == namespace && selector.Matches(group.labels) {
			count += group.size
		}
	}
	return count
}

// forget starts over if the counts are those of more than twice as many nodes as there are: most of them are gone.
func (c *podCounts) forget(nodes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.nodes) > 2*nodes {
		clear(c.nodes)
	}
}

// follow makes the counts those of the Pods that a node has now. Upstream appends a Pod that comes, and puts the last one into the place of
// one that goes, so almost all Pods are where they were.
func (n *nodePods) follow(now []fwk.PodInfo) {
	for i := range min(len(now), len(n.pods)) {
		if n.pods[i].info != now[i] {
			n.remove(n.pods[i].group)
			n.pods[i] = n.counted(now[i])
		}
	}
	for i := len(now); i < len(n.pods); i++ {
		n.remove(n.pods[i].group)
		n.pods[i] = countedPod{}
	}
	n.pods = n.pods[:min(len(now), len(n.pods))]
	for _, info := range now[len(n.pods):] {
		n.pods = append(n.pods, n.counted(info))
	}
}

// counted adds a Pod to its group.
func (n *nodePods) counted(info fwk.PodInfo) countedPod {
	pod := info.GetPod()
	if pod.DeletionTimestamp != nil {
		return countedPod{info, nil}
	}
	key := pod.Namespace + "?" + labels.Set(pod.Labels).String()
	group := n.groups[key]
	if group == nil {
		group = &podGroup{key: key, namespace: pod.Namespace, labels: pod.Labels}
		n.groups[key] = group
	}
	group.size++
	return countedPod{info, group}
}

// remove takes a Pod out of its group.
func (n *nodePods) remove(group *podGroup) {
	if group == nil {
		return
	}
	if group.size--; group.size == 0 {
		delete(n.groups, group.key)
	}
}
