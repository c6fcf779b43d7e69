package decision

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"

	"github.com/kubestep/kubestep/scenarios/verdict/invariant/internal/knowledge"
	"github.com/kubestep/kubestep/sim/trace"
)

// Example: of web-a, which is Ready, and web-b, which is Pending, a ReplicaSet of one replica deletes web-b. This is decided before the
// costs of deletions and the numbers of Pods on the nodes count, so neither of them matters here.
var replicaSetDeletionOrder = Rule{
	Name: "replicaset-deletion-order",
	Sentence: "A controller that scales down a ReplicaSet or a ReplicationController does not delete a Ready Pod while it keeps one that " +
		"is not Ready.",
	Forgives: "Pods whose state was another one in the controller's cache. Pods that it has tried to delete, without success. The order " +
		"of Pods that are all Ready, or all not Ready.",
	Upstream: "https://kubernetes.io/docs/concepts/workloads/controllers/replicaset/#scaling-a-replicaset; ActivePodsWithRanks in " +
		"pkg/controller/controller_utils.go",
	Watch: func(r *Run) Watcher {
		return &deletionOrder{
			look:      look{run: r},
			deletions: newDeletions(names.ReplicaSetController, names.ReplicationControllerController),
		}
	},
}

type deletionOrder struct {
	look
	deletions deletions
}

func (o *deletionOrder) Change(c *Change) {
	if pod, ok := c.Object.(*corev1.Pod); ok {
		o.deletions.change(&o.look, c, pod)
	}
}

func (o *deletionOrder) Record(record *trace.Record) {
	b := o.deletions.record(record)
	if b == nil {
		return
	}
	o.looked = true
	seen := map[types.UID]bool{}
	for _, pod := range b.pods {
		var owner types.UID
		isReady := b.was(pod, func(v *knowledge.Version) bool {
			owner = v.Owner
			return v.IsActive() && v.IsBound && v.IsReady()
		})
		if isReady && owner != "" && !seen[owner] {
			seen[owner] = true
			o.kept(b, pod.Pod, owner)
		}
	}
}

// kept looks for a Pod of the same owner that is not Ready and was kept.
func (o *deletionOrder) kept(b *batch, deleted *knowledge.Pod, owner types.UID) {
	for _, pod := range o.run.Pods.Of(owner) {
		// A Pod whose labels do not match any more is released in the same sync.
		if newest := pod.Newest(); b.tried[pod.NamespacedName] || newest.Exists && newest.Owner != owner {
			continue
		}
		worse := pod.Was(b.seen, func(v *knowledge.Version) bool {
			return v.Owner == owner && v.IsActive() && !v.IsReady() && v.Ready.IsZero()
		})
		if worse {
			o.run.Broken(b.last.Seq, fmt.Sprintf("%s deleted Pod %s, which was Ready in its cache, and kept %s, which was not",
				b.last.Actor, deleted.NamespacedName, pod.Name))
			return
		}
	}
}
