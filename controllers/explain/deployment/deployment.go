// Package deployment computes a sync of the Deployment controller again: the limits of the rollout, the sizes of the ReplicaSets,
// the conditions, and each request in its order. Deployments have a package of their own, since their sync has the most
// branches: rolling.go, recreate.go, scaling.go and status.go follow upstream's files in pkg/controller/deployment.
package deployment

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	deploymentutil "k8s.io/kubernetes/pkg/controller/deployment/util"

	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/controllers/explain/internal/observed"
	"github.com/kubestep/kubestep/sim/trace"
)

// The resources as the recording names them.
const (
	deployments = "deployments.apps"
	replicaSets = "replicasets.apps"
	pods        = "pods"
)

// Explain explains a sync of a Deployment.
func Explain(s observed.Sync) *arithmetic.Explanation {
	e := &arithmetic.Explanation{Start: s.Start.Seq, At: s.Start.At, Controller: s.Controller(), Key: s.Key()}
	t := &syncModel{out: e, d: &appsv1.Deployment{}, versions: map[types.UID]string{}, now: s.ClockRead(deployments)}
	found, err := s.Get(deployments, s.Name, t.d)
	switch {
	case err != nil:
		return nil
	case !found:
		e.Branch, e.Verdict = arithmetic.BranchGone, "nothing: the Deployment is not in the cache, so it has been deleted"
		return e
	}
	if err := t.read(s); err != nil {
		return nil
	}
	t.explain()
	t.cut(s.Requests)
	t.crash(s)
	return e
}

// crash takes back what did not happen since the process ended in the middle of the sync.
func (t *syncModel) crash(s observed.Sync) {
	e, sent := t.out, len(s.Requests)
	if s.Interrupted() == "" || sent >= len(e.Requests) {
		return
	}
	e.Requests = e.Requests[:sent]
	t.undo(sent)
	e.Verdict += fmt.Sprintf("; but after %d requests %s", sent, s.Interrupted())
}

// undo takes back the effects of all requests from an index on.
func (t *syncModel) undo(from int) {
	first, _ := slices.BinarySearch(t.causes, from)
	t.causes, t.out.Effects = t.causes[:first], t.out.Effects[:first]
}

// cut takes back what did not happen, since a request was refused that the sync had no reason to doubt: its
// copy was older than the store, or the server failed.
func (t *syncModel) cut(sent []*trace.Record) {
	e := t.out
	for i, record := range sent {
		r := record.Request
		gone := r.Verb == "delete" && r.Code == http.StatusNotFound
		if r.Code < http.StatusMultipleChoices || gone || slices.Contains(t.expected, i) {
			continue
		}
		if i < len(e.Requests) {
			e.Requests = e.Requests[:i+1]
			t.undo(i)
			e.Refused = strings.TrimSpace(fmt.Sprintf("%d %s", r.Code, r.Reason))
			e.Answered("but the request to " + e.Requests[i] + " is rejected: " + e.Refused)
			if r.Code == http.StatusConflict {
				e.Verdict += ", its copy was outdated"
			}
		}
		return
	}
}

// read fills the model with what the controller finds in its caches: all ReplicaSets of the namespace, and for
// Recreate, which alone looks at Pods, how many run.
func (t *syncModel) read(s observed.Sync) (err error) {
	t.terminating = t.d.Status.TerminatingReplicas != nil
	for _, object := range s.List(replicaSets) {
		rs := &appsv1.ReplicaSet{}
		if err := observed.Convert(object, rs); err != nil {
			return err
		}
		t.list = append(t.list, rs)
	}
	if t.arrived, err = arrived(s, t.list); err != nil {
		return err
	}
	t.stale = stale(s, t.d)
	if t.d.Spec.Strategy.Type == appsv1.RecreateDeploymentStrategyType {
		t.running = running(s.List(pods))
	}
	return nil
}

// running counts the Pods of each owner that have not ended. There may be many, so they stay as they are.
func running(pods []map[string]any) map[types.UID]int {
	count := map[types.UID]int{}
	for _, object := range pods {
		pod := &unstructured.Unstructured{Object: object}
		phase, _, _ := unstructured.NestedString(object, "status", "phase")
		ended := phase == string(corev1.PodFailed) || phase == string(corev1.PodSucceeded)
		if owner := metav1.GetControllerOfNoCopy(pod); owner != nil && !ended {
			count[owner.UID]++
		}
	}
	return count
}

// stale is why the answer of the API server, which the sync asks before an adoption, forbids it; "" if it
// does not, or if the sync did not ask.
func stale(s observed.Sync, d *appsv1.Deployment) string {
	for _, r := range s.Requests {
		if r.Request.Verb != "get" || r.Request.Resource != deployments || r.Request.Code != http.StatusOK {
			continue
		}
		fresh := &appsv1.Deployment{}
		object := s.Rec.Replay.ObjectAt(r.Request.Object, r.Seq)
		switch {
		case object == nil || observed.Convert(object, fresh) != nil:
		case fresh.UID != d.UID:
			return "the Deployment is gone and another has its name"
		case fresh.DeletionTimestamp != nil:
			return "the Deployment is being deleted"
		}
	}
	return ""
}

// arrived are the ReplicaSets that the sync looked up by name, which it does after 409 AlreadyExists only.
func arrived(s observed.Sync, known []*appsv1.ReplicaSet) (map[string]*appsv1.ReplicaSet, error) {
	if s.End == nil {
		return nil, nil
	}
	found := map[string]*appsv1.ReplicaSet{}
	for _, r := range s.End.Sync.Reads {
		if r.Resource != "replicasets" || r.Items != nil ||
			slices.ContainsFunc(known, func(rs *appsv1.ReplicaSet) bool { return rs.Name == r.Name }) {
			continue
		}
		rs := &appsv1.ReplicaSet{}
		ok, err := s.Get(replicaSets, r.Name, rs)
		if err != nil {
			return nil, err
		}
		found[r.Name] = nil
		if ok {
			found[r.Name] = rs
		}
	}
	return found, nil
}

// numbers notes what the sync begins with.
func (t *syncModel) numbers() {
	selector, err := metav1.LabelSelectorAsSelector(t.d.Spec.Selector)
	if err != nil {
		return
	}
	var own []*appsv1.ReplicaSet
	for _, rs := range t.list {
		if c := claims(t.d, selector, rs); c == kept || c == adopted {
			own = append(own, rs)
		}
	}
	newRS := []*appsv1.ReplicaSet{deploymentutil.FindNewReplicaSet(t.d, own)}
	r := &arithmetic.Rollout{
		Replicas: *t.d.Spec.Replicas, MaxSurge: deploymentutil.MaxSurge(*t.d), MaxUnavailable: deploymentutil.MaxUnavailable(*t.d),
		Pods: deploymentutil.GetReplicaCountForReplicaSets(own), New: deploymentutil.GetReplicaCountForReplicaSets(newRS),
		Available: deploymentutil.GetAvailableReplicaCountForReplicaSets(own),
		Ready:     deploymentutil.GetReadyReplicaCountForReplicaSets(own),
		Updated:   deploymentutil.GetActualReplicaCountForReplicaSets(newRS),
	}
	r.MaxTotal, r.MinAvailable, r.Old = r.Replicas+r.MaxSurge, deploymentutil.MinAvailable(t.d), r.Pods-r.New
	if newRS[0] != nil {
		r.NewReplicaSet = newRS[0].Name
	}
	t.out.Rollout = r
}

// claim is what an owner does with an object, see ControllerRefManager.ClaimObject.
type claim int

const (
	ignored claim = iota
	kept
	adopted
	released
)

// claims decides by owner and labels: the object must be the owner's or nobody's, and its labels must match.
func claims(owner metav1.Object, selector labels.Selector, object metav1.Object) claim {
	matches, ref := selector.Matches(labels.Set(object.GetLabels())), metav1.GetControllerOfNoCopy(object)
	switch {
	case ref != nil && ref.UID != owner.GetUID():
		return ignored
	case ref != nil && matches:
		return kept
	case owner.GetDeletionTimestamp() != nil:
		return ignored
	case ref != nil:
		return released
	case matches && object.GetDeletionTimestamp() == nil:
		return adopted
	}
	return ignored
}
