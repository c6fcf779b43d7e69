//go:build !kubernetes_before_1_37

package scheduler

import (
	"reflect"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler"
	internalcache "k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// placesCache is upstream's cache of nodes and their Pods, and knows where in the list of its node each Pod is. Upstream goes through that
// list for each change of a Pod: the cost of a rollout grows with the square of the Pods of a node. For the time of a change, the Pod is
// the first in the list, where upstream finds it. Afterwards, the list is the one that upstream would have made.
//
// A place is a guess that is looked at before it is used. If it is wrong, upstream searches.
type placesCache struct {
	internalcache.Cache
	// nodes is the map of upstream's cache with what it knows of each node.
	nodes reflect.Value
	// mu is held while a Pod is not where upstream would have it.
	mu     sync.Mutex
	places map[types.UID]int
}

// keepPlaces makes a scheduler find Pods by their places.
func keepPlaces(upstream *scheduler.Scheduler) { upstream.Cache = newPlacesCache(upstream.Cache) }

func newPlacesCache(upstream internalcache.Cache) *placesCache {
	nodes := reflect.ValueOf(upstream).Elem().FieldByName("nodes")
	if nodes.Kind() != reflect.Map {
		panic("scheduler: upstream's cache has no map of nodes")
	}
	return &placesCache{Cache: upstream, nodes: nodes, places: map[types.UID]int{}}
}

// node is what upstream's cache knows of a node; nil if it does not know it.
func (c *placesCache) node(name string) *framework.NodeInfo {
	item := c.nodes.MapIndex(reflect.ValueOf(name))
	if !item.IsValid() {
		return nil
	}
	return (*framework.NodeInfo)(item.Elem().FieldByName("info").UnsafePointer())
}

// podsOf are the Pods of a node.
func (c *placesCache) podsOf(node string) []fwk.PodInfo {
	if info := c.node(node); info != nil {
		return info.Pods
	}
	return nil
}

// change lets upstream change a Pod of a node: add it at the end of the list, put the last one into its place, or both.
func (c *placesCache) change(pod *corev1.Pod, do func() error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	node := pod.Spec.NodeName
	before := c.podsOf(node)
	place, last := c.placeOf(before, pod.UID), len(before)-1
	var moved fwk.PodInfo
	if place >= 0 {
		moved = before[place]
		before[0], before[place] = moved, before[0]
	}
	err := do()
	after := c.podsOf(node)
	if place >= 0 {
		gone := len(after) == 0 || after[0] != moved
		if !gone || place < last {
			before[0], before[place] = before[place], before[0]
		}
		if gone {
			delete(c.places, pod.UID)
		}
		if gone && place < last {
			c.places[before[place].GetPod().UID] = place
		}
	}
	if n := len(after); n > 0 && after[n-1].GetPod().UID == pod.UID {
		c.places[pod.UID] = n - 1
	}
	return err
}

// placeOf is where a Pod is among the Pods of its node; -1 if that is not known.
func (c *placesCache) placeOf(pods []fwk.PodInfo, uid types.UID) int {
	place, known := c.places[uid]
	if !known || place >= len(pods) || pods[place].GetPod().UID != uid {
		return -1
	}
	return place
}

// AssumePod implements internalcache.Cache.
func (c *placesCache) AssumePod(logger klog.Logger, pod *corev1.Pod) error {
	return c.change(pod, func() error { return c.Cache.AssumePod(logger, pod) })
}

// ForgetPod implements internalcache.Cache.
func (c *placesCache) ForgetPod(logger klog.Logger, pod *corev1.Pod) error {
	return c.change(pod, func() error { return c.Cache.ForgetPod(logger, pod) })
}

// RemoveAssumedPod implements internalcache.Cache.
func (c *placesCache) RemoveAssumedPod(logger klog.Logger, pod *corev1.Pod) error {
	return c.change(pod, func() error { return c.Cache.RemoveAssumedPod(logger, pod) })
}

// AddPod implements internalcache.Cache.
func (c *placesCache) AddPod(logger klog.Logger, pod *corev1.Pod) error {
	return c.change(pod, func() error { return c.Cache.AddPod(logger, pod) })
}

// UpdatePod implements internalcache.Cache.
func (c *placesCache) UpdatePod(logger klog.Logger, oldPod, newPod *corev1.Pod) error {
	return c.change(oldPod, func() error { return c.Cache.UpdatePod(logger, oldPod, newPod) })
}

// RemovePod implements internalcache.Cache.
func (c *placesCache) RemovePod(logger klog.Logger, pod *corev1.Pod) error {
	return c.change(pod, func() error { return c.Cache.RemovePod(logger, pod) })
}

// UpdateSnapshot implements internalcache.Cache.
func (c *placesCache) UpdateSnapshot(logger klog.Logger, snapshot *internalcache.Snapshot) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.Cache.UpdateSnapshot(logger, snapshot)
}
