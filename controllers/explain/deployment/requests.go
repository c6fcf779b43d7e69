package deployment

import (
	"fmt"
	"sort"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kubernetes/pkg/controller"
	deploymentutil "k8s.io/kubernetes/pkg/controller/deployment/util"

	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
)

// conflictError is a write that the API server will refuse, since this sync itself made its copy old.
type conflictError struct{ object string }

func (e *conflictError) Error() string {
	return "409 Conflict: its copy of " + e.object + " is outdated"
}

func (e *conflictError) verdict() string {
	return "409 Conflict: it writes " + e.object + " twice, the second time from the copy in its cache, which its own first " +
		"write has made outdated; it tries again"
}

// request notes a request that the controller sends.
func (t *syncModel) request(verb, resource, name string) {
	t.out.Requests = append(t.out.Requests, verb+" "+resource+"/"+name)
}

// expectRefusal notes that the request before it will be refused.
func (t *syncModel) expectRefusal() { t.expected = append(t.expected, len(t.out.Requests)-1) }

// effect notes what the request before it brings about.
func (t *syncModel) effect(e arithmetic.Effect) {
	t.causes = append(t.causes, len(t.out.Requests)-1)
	t.out.Effects = append(t.out.Effects, e)
}

// writeDeployment stands for Update and UpdateStatus of the Deployment. The controller does not keep the
// answer, so a second write of one sync comes from an old copy.
func (t *syncModel) writeDeployment(subresource string) error {
	t.request("update", "deployments", t.d.Name+subresource)
	if t.statusWritten {
		t.expectRefusal()
		return &conflictError{"deployments/" + t.d.Name}
	}
	t.statusWritten = true
	return nil
}

func (t *syncModel) writeStatus() error { return t.writeDeployment("/status") }

// writeReplicaSet stands for Update of a ReplicaSet. The object becomes the answer of the API server.
func (t *syncModel) writeReplicaSet(rs *appsv1.ReplicaSet) error {
	t.request("update", "replicasets", rs.Name)
	if stored, ok := t.versions[rs.UID]; ok && stored != rs.ResourceVersion {
		t.expectRefusal()
		return &conflictError{"replicasets/" + rs.Name}
	}
	rs.ResourceVersion += "+"
	t.versions[rs.UID] = rs.ResourceVersion
	return nil
}

// claim makes the Deployment the owner of ReplicaSets that match its selector and have none, and releases
// those that it owns and that match no more. Before the first adoption it asks the API server whether it
// still exists.
func (t *syncModel) claim() error {
	selector, err := metav1.LabelSelectorAsSelector(t.d.Spec.Selector)
	if err != nil {
		return err
	}
	asked := false
	var claimed []*appsv1.ReplicaSet
	for _, rs := range t.list {
		switch claims(t.d, selector, rs) {
		case kept:
			claimed = append(claimed, rs)
		case adopted:
			if !asked {
				t.request("get", "deployments", t.d.Name)
				asked = true
			}
			if t.stale != "" {
				err = fmt.Errorf("it cannot adopt %s: the API server says that %s, but its cache does not know it", rs.Name, t.stale)
				continue
			}
			t.request("patch", "replicasets", rs.Name)
			// Adoption writes an ownerReference; the copy in the cache is old from then on.
			t.versions[rs.UID] = rs.ResourceVersion + "+"
			claimed = append(claimed, rs)
			t.out.Step("adopt", refFile, "ClaimObject").Line(rs.Name, "matches the selector and has no owner", "adopted")
		case released:
			t.request("patch", "replicasets", rs.Name)
			t.out.Step("release", refFile, "ClaimObject").Line(rs.Name, "is its own and does not match the selector any more", "released")
		}
	}
	t.list = claimed
	return err
}

// scale sets the size of a ReplicaSet, and its annotations with it. It writes when the size differs, or,
// if forced, when the annotations do.
func (t *syncModel) scale(rs *appsv1.ReplicaSet, to int32, forced bool) (*appsv1.ReplicaSet, bool, error) {
	from, replicas := *rs.Spec.Replicas, *t.d.Spec.Replicas
	most := replicas + deploymentutil.MaxSurge(*t.d)
	if from == to && !(forced && deploymentutil.ReplicasAnnotationsNeedUpdate(rs, replicas, most)) {
		return rs, false, nil
	}
	rs = rs.DeepCopy()
	*rs.Spec.Replicas = to
	deploymentutil.SetReplicasAnnotations(rs, replicas, most)
	if err := t.writeReplicaSet(rs); err != nil {
		return rs, false, err
	}
	if from != to {
		t.effect(arithmetic.Effect{ReplicaSet: rs.Name, From: from, To: to})
	}
	return rs, from != to, nil
}

// cleanUpHistory deletes the oldest ReplicaSets without Pods beyond revisionHistoryLimit.
func (t *syncModel) cleanUpHistory(old []*appsv1.ReplicaSet) {
	if !deploymentutil.HasRevisionHistoryLimit(t.d) {
		return
	}
	alive := controller.FilterReplicaSets(old, func(rs *appsv1.ReplicaSet) bool { return rs != nil && rs.DeletionTimestamp == nil })
	limit := int(*t.d.Spec.RevisionHistoryLimit)
	if len(alive) <= limit {
		return
	}
	s := t.out.Step("too many old revisions?", syncFile, "cleanupDeployment")
	s.Line("too many", fmt.Sprintf("%d old ReplicaSets - revisionHistoryLimit %d", len(alive), limit), len(alive)-limit)
	sort.Sort(deploymentutil.ReplicaSetsByRevision(alive))
	for _, rs := range alive[:len(alive)-limit] {
		revision := "revision " + rs.Annotations[deploymentutil.RevisionAnnotation]
		switch {
		case rs.Status.Replicas != 0 || *rs.Spec.Replicas != 0:
			s.Line(rs.Name, revision, "stays: it has Pods")
		case rs.Generation > rs.Status.ObservedGeneration:
			s.Line(rs.Name, revision, "stays: its own controller is behind")
		default:
			s.Line(rs.Name, revision, "deleted")
			t.because("%s, and %d old ones are kept", revision, limit)
			t.request("delete", "replicasets", rs.Name)
			t.effect(arithmetic.Effect{ReplicaSet: rs.Name, Deleted: true})
		}
	}
}

// doing words effects: "it scales web-a down from 10 to 8".
func doing(effects []arithmetic.Effect) string {
	var parts []string
	for _, e := range effects {
		switch {
		case e.Deleted:
			parts = append(parts, fmt.Sprintf("deletes %s, an old revision", e.ReplicaSet))
		case e.Created:
			parts = append(parts, fmt.Sprintf("creates %s with %d", e.ReplicaSet, e.To))
		case e.To > e.From:
			parts = append(parts, fmt.Sprintf("scales %s up from %d to %d", e.ReplicaSet, e.From, e.To))
		default:
			parts = append(parts, fmt.Sprintf("scales %s down from %d to %d", e.ReplicaSet, e.From, e.To))
		}
	}
	return "it " + strings.Join(parts, ", ")
}
