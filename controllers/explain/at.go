package explain

import (
	"fmt"
	"math"

	"k8s.io/kubernetes/cmd/kube-controller-manager/names"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/controllers/explain/deployment"
	"github.com/kubestep/kubestep/controllers/explain/internal/apps"
	"github.com/kubestep/kubestep/controllers/explain/internal/autoscaling"
	"github.com/kubestep/kubestep/controllers/explain/internal/batch"
	"github.com/kubestep/kubestep/controllers/explain/internal/discovery"
	"github.com/kubestep/kubestep/controllers/explain/internal/garbage"
	"github.com/kubestep/kubestep/controllers/explain/internal/observed"
	"github.com/kubestep/kubestep/controllers/explain/internal/policy"
	"github.com/kubestep/kubestep/controllers/explain/internal/scheduling"
	"github.com/kubestep/kubestep/controllers/explain/internal/storage"
	"github.com/kubestep/kubestep/controllers/explain/nodes"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/toolchain/versions"
	"github.com/kubestep/kubestep/sim/trace"
)

// explained are the controllers whose syncs are explained. The resource whose objects their keys name is in the table of
// controllers.Properties.
var explained = map[string]func(observed.Sync) *arithmetic.Explanation{
	names.DeploymentController:            deployment.Explain,
	names.ReplicaSetController:            apps.ReplicaSet,
	names.ReplicationControllerController: apps.ReplicationController,
	names.StatefulSetController:           apps.StatefulSet,
	names.DaemonSetController:             apps.DaemonSet,
	names.CronJobController:               batch.CronJob,
	names.JobController:                   batch.Job,
	names.NodeLifecycleController:         nodes.Lifecycle,

	names.PersistentVolumeBinderController: storage.Claim,
	// It looks at objects of all kinds.
	names.GarbageCollectorController: garbage.Item,

	names.EndpointSliceController:           discovery.EndpointSlice,
	names.DisruptionController:              policy.PodDisruptionBudget,
	names.HorizontalPodAutoscalerController: autoscaling.HorizontalPodAutoscaler,

	trace.SchedulerActor: scheduling.Pod,
}

// unqueued are the controllers that act without a sync: by a timer, or by a queue with a rate limit. Their requests are explained
// one by one.
var unqueued = map[string]func(*recording.Recording, *trace.Record) *arithmetic.Explanation{
	names.NodeLifecycleController: nodes.NoExecute,
	names.TaintEvictionController: nodes.Eviction,
}

// At explains the sync that record seq of a recording belongs to, from the content of its caches: its start, its end,
// or one of its requests; and some requests that belong to no sync. It is nil for other records, and for syncs of controllers
// that are not explained.
//
// The arithmetic calls upstream's functions, which rely on the defaults and the validation of the API server. A trace can come
// from anywhere, and its objects may have neither: then there is no explanation.
func At(rec *recording.Recording, seq int64) *arithmetic.Explanation {
	return Within(rec, seq, math.MaxInt)
}

// Within is At, but if the controller lists more objects at once than some, it only returns what it would explain (Deferred). From 5,000
// Pods, an explanation takes a second.
func Within(rec *recording.Recording, seq int64, objects int) (explanation *arithmetic.Explanation) {
	var s observed.Sync
	defer func() {
		if recover() != nil {
			explanation = nil
		}
		if n := s.Exceeded(); n > 0 {
			explanation = deferred(s, n)
		}
	}()
	s, ok := observed.At(rec, seq)
	if !ok {
		return versioned(request(rec, rec.Record(seq)))
	}
	explain := explained[s.Controller()]
	if explain == nil {
		return nil
	}
	s = s.Bounded(objects)
	return versioned(explain(s))
}

// deferred says that the explanation of a sync in which the controller lists n objects is not computed yet.
func deferred(s observed.Sync, n int) *arithmetic.Explanation {
	return &arithmetic.Explanation{
		Start: s.Start.Seq, At: s.Start.At, Controller: s.Controller(), Key: s.Key(), Deferred: true,
		Verdict: fmt.Sprintf("the explanation is being computed, from %d objects in its cache", n),
	}
}

// versioned says in an explanation of another version of Kubernetes that its arithmetic is that of the main version, with which the
// tests compare it.
func versioned(e *arithmetic.Explanation) *arithmetic.Explanation {
	if controllers.KubernetesVersion != versions.Main && e != nil && e.Verdict != "" {
		e.Verdict += " (computed as Kubernetes " + versions.Main + " does; this is " + controllers.KubernetesVersion + ")"
	}
	return e
}

// request explains a request that belongs to no sync.
func request(rec *recording.Recording, record *trace.Record) *arithmetic.Explanation {
	if record == nil || record.Request == nil {
		return nil
	}
	name, _ := trace.SplitActor(record.Actor)
	if explain := unqueued[name]; explain != nil {
		return explain(rec, record)
	}
	return nil
}

// ControllerOf is the controller that syncs the objects of a resource, such as deployments.apps; empty if it is not explained.
func ControllerOf(resource string) string {
	for name := range explained {
		if controllers.Of(name).Keys == resource {
			return name
		}
	}
	return ""
}
