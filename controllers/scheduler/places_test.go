//go:build !kubernetes_before_1_37

package scheduler

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"
	internalcache "k8s.io/kubernetes/pkg/scheduler/backend/cache"
)

// TestPlaces makes the same changes to upstream's cache and to one that knows the places of Pods, at random: Pods are assumed, confirmed,
// forgotten, added, updated and removed, some of them in the wrong order, and nodes come and go. After each change, all nodes must have
// the same Pods in the same order, and after all of them, upstream must have had to search for none.
func TestPlaces(t *testing.T) {
	for seed := range uint64(10) {
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
			draws := rand.New(rand.NewPCG(seed, 0))
			// Upstream's goroutine for metrics ends at once.
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			plain := internalcache.New(ctx, nil, false, false)
			placed := newPlacesCache(internalcache.New(ctx, nil, false, false))
			reference := newPlacesCache(plain)
			for step := range 3000 {
				change := drawChange(draws)
				want, got := change(plain), change(placed)
				if fmt.Sprint(want) != fmt.Sprint(got) {
					t.Fatalf("step %d: %v, want %v", step, got, want)
				}
				for node := range nodesOfTest {
					name := fmt.Sprint("node-", node)
					want, got := uidsOn(reference, name), uidsOn(placed, name)
					if !slices.Equal(want, got) {
						t.Fatalf("step %d: %s has %v, want %v", step, name, got, want)
					}
					for i, uid := range got {
						if place := placed.placeOf(placed.podsOf(name), uid); place != i {
							t.Fatalf("step %d: %s is at %d of %s, and its place is %d", step, uid, i, name, place)
						}
					}
				}
			}
		})
	}
}

const nodesOfTest, podsOfTest = 3, 40

// drawChange is a change that can be made to any cache.
func drawChange(draws *rand.Rand) func(internalcache.Cache) error {
	logger := klog.Background()
	number := draws.IntN(podsOfTest)
	pod := func(version int) *corev1.Pod {
		return &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{
				Name: fmt.Sprint("p", number), UID: types.UID(fmt.Sprint("p", number)), ResourceVersion: fmt.Sprint(version),
			},
			Spec: corev1.PodSpec{NodeName: fmt.Sprint("node-", number%nodesOfTest)},
		}
	}
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("node-", draws.IntN(nodesOfTest))}}
	version := draws.IntN(1000)
	changes := []func(internalcache.Cache) error{
		func(c internalcache.Cache) error { return c.AssumePod(logger, pod(version)) },
		func(c internalcache.Cache) error { return c.AddPod(logger, pod(version)) },
		func(c internalcache.Cache) error { return c.AddPod(logger, pod(version)) },
		func(c internalcache.Cache) error { return c.UpdatePod(logger, pod(0), pod(version)) },
		func(c internalcache.Cache) error { return c.UpdatePod(logger, pod(0), pod(version)) },
		func(c internalcache.Cache) error { return c.UpdatePod(logger, pod(0), pod(version)) },
		func(c internalcache.Cache) error { return c.ForgetPod(logger, pod(0)) },
		func(c internalcache.Cache) error { return c.RemoveAssumedPod(logger, pod(0)) },
		func(c internalcache.Cache) error { return c.RemovePod(logger, pod(0)) },
		func(c internalcache.Cache) error { c.AddNode(logger, node); return nil },
		func(c internalcache.Cache) error { return c.RemoveNode(logger, node) },
	}
	return changes[draws.IntN(len(changes))]
}

func uidsOn(c *placesCache, node string) (uids []types.UID) {
	for _, info := range c.podsOf(node) {
		uids = append(uids, info.GetPod().UID)
	}
	return uids
}
