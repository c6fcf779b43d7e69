package invariant

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	podutil "k8s.io/kubernetes/pkg/api/v1/pod"

	"github.com/kubestep/kubestep/sim/apiserver/memdb"
)

var evictionBudget = Invariant{
	Name:     "eviction-budget",
	Sentence: "Evictions never leave fewer healthy Pods than the PodDisruptionBudget's status.desiredHealthy.",
	Forgives: "Pods lost for other reasons that the disruption controller had not seen when it last wrote the " +
		"status of the budget. Evictions of Pods that are not Ready. Deletions, which do not check budgets.",
	Upstream: "pkg/registry/core/pod/storage/eviction.go; https://kubernetes.io/docs/concepts/workloads/pods/disruptions/",
	watch: func(r *Run) watcher {
		return &budgets{run: r, budgets: map[types.UID]*budget{}, pods: map[types.UID]*corev1.Pod{}}
	},
}

type budgets struct {
	passive
	run     *Run
	budgets map[types.UID]*budget
	pods    map[types.UID]*corev1.Pod
	looked  bool
}

// budget is one PodDisruptionBudget.
type budget struct {
	*policyv1.PodDisruptionBudget
	selector labels.Selector
	// basis is how far the cache of Pods was on which the status rests: it moves back when the controller starts with an
	// old list. lost are the revisions in which a Pod got lost otherwise than by an eviction.
	basis uint64
	lost  []uint64
}

func (b *budgets) hasLooked() bool { return b.looked }

func (b *budgets) change(c *change) {
	switch object := c.Object.(type) {
	case *policyv1.PodDisruptionBudget:
		b.written(c, object)
	case *corev1.Pod:
		before := b.pods[object.UID]
		if c.Op == memdb.OpDelete {
			delete(b.pods, object.UID)
		} else {
			b.pods[object.UID] = object
		}
		if before == nil || !isHealthy(before) || c.Op != memdb.OpDelete && isHealthy(object) {
			return
		}
		b.lost(c, object)
	}
}

// isHealthy is what the disruption controller counts: Pods that are Ready and not about to go.
func isHealthy(pod *corev1.Pod) bool { return pod.DeletionTimestamp == nil && podutil.IsPodReady(pod) }

func (b *budgets) written(c *change, object *policyv1.PodDisruptionBudget) {
	if c.Op == memdb.OpDelete {
		delete(b.budgets, object.UID)
		return
	}
	one := b.budgets[object.UID]
	if one == nil {
		one = &budget{}
		b.budgets[object.UID] = one
	}
	one.PodDisruptionBudget = object
	one.selector, _ = metav1.LabelSelectorAsSelector(object.Spec.Selector)
	if b.run.isChosen(c) {
		one.basis = b.run.views.Of("pods", c.By).From
	}
}

// lost looks at a healthy Pod that is none any more.
func (b *budgets) lost(c *change, pod *corev1.Pod) {
	evicted := c.By.Request != nil && c.By.Request.Subresource == "eviction"
	// Of two budgets that an eviction breaks, the same one is reported in every run.
	for _, uid := range slices.Sorted(maps.Keys(b.budgets)) {
		one := b.budgets[uid]
		if one.Namespace != pod.Namespace || one.selector == nil || !one.selector.Matches(labels.Set(pod.Labels)) {
			continue
		}
		if !evicted {
			one.lost = append(one.lost, c.Revision)
			continue
		}
		b.looked = true
		b.evicted(c, pod, one)
	}
}

func (b *budgets) evicted(c *change, pod *corev1.Pod, one *budget) {
	left := 0
	for _, other := range b.pods {
		if other.Namespace == pod.Namespace && isHealthy(other) && one.selector.Matches(labels.Set(other.Labels)) {
			left++
		}
	}
	unseen := 0
	for _, rv := range one.lost {
		if rv > one.basis {
			unseen++
		}
	}
	if left+unseen < int(one.Status.DesiredHealthy) {
		b.run.broken(c.Seq, fmt.Sprintf(
			"the eviction of Pod %s/%s leaves %d healthy Pods of PodDisruptionBudget %s, which requires %d",
			pod.Namespace, pod.Name, left, one.Name, one.Status.DesiredHealthy))
	}
}
