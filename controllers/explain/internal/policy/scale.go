package policy

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/controllers/explain/internal/observed"
	"github.com/kubestep/kubestep/sim/trace"
)

// owner is a controller of Pods with the number of replicas that it should have.
type owner struct {
	uid      types.UID
	name     string
	replicas int32
}

// scale adds up the replicas of all controllers of the Pods (getExpectedScale). Pods without a controller do not count.
func (b *budget) scale(step *arithmetic.Step) (expected int32, problem string) {
	known, unmanaged, asked := map[types.UID]bool{}, 0, 0
	var owners []owner
	for _, p := range b.pods {
		ref := metav1.GetControllerOf(p)
		switch {
		case ref == nil:
			unmanaged++
			continue
		case known[ref.UID]:
			continue
		}
		of, problem := b.ownerOf(ref, &asked)
		if problem != "" {
			return 0, problem
		}
		if of == nil {
			return 0, "no controller is found for Pod " + p.Name
		}
		known[ref.UID] = true
		if !slices.Contains(owners, *of) { // two ReplicaSets of one Deployment
			owners = append(owners, *of)
		}
	}
	if unmanaged > 0 {
		step.Line("without a controller", "they are not expected", unmanaged)
	}
	for _, of := range owners {
		step.Line(of.name, "spec.replicas", of.replicas)
		expected += of.replicas
	}
	step.Line("expected", "the replicas of the Pods' controllers", expected)
	return expected, ""
}

// ownerOf finds the controller of a Pod: in a cache if it is one of the kinds that have one, or else by its scale subresource, which
// the API server answers. It is nil if there is none with this uid.
func (b *budget) ownerOf(ref *metav1.OwnerReference, asked *int) (of *owner, problem string) {
	group := schema.FromAPIVersionAndKind(ref.APIVersion, ref.Kind).Group
	apps := group == "apps" || group == "extensions"
	switch {
	case ref.Kind == "ReplicationController" && group == "":
		rc := &corev1.ReplicationController{}
		if found, err := b.Get("replicationcontrollers", ref.Name, rc); found && err == nil && rc.UID == ref.UID {
			return &owner{rc.UID, "replicationcontrollers/" + rc.Name, *rc.Spec.Replicas}, ""
		}
	case ref.Kind == "ReplicaSet" && apps:
		if of = b.replicaSet(ref); of != nil {
			return of, ""
		}
	case ref.Kind == "StatefulSet" && group == "apps":
		set := &appsv1.StatefulSet{}
		if found, err := b.Get("statefulsets.apps", ref.Name, set); found && err == nil && set.UID == ref.UID {
			return &owner{set.UID, "statefulsets/" + set.Name, *set.Spec.Replicas}, ""
		}
	}
	return b.scaleOf(ref, asked)
}

// replicaSet is the Deployment of a ReplicaSet, or the ReplicaSet itself if none controls it; nil if the caches do not have it.
func (b *budget) replicaSet(ref *metav1.OwnerReference) *owner {
	set := &appsv1.ReplicaSet{}
	if found, err := b.Get("replicasets.apps", ref.Name, set); !found || err != nil || set.UID != ref.UID {
		return nil
	}
	above := metav1.GetControllerOf(set)
	if above == nil || above.Kind != "Deployment" {
		return &owner{set.UID, "replicasets/" + set.Name, *set.Spec.Replicas}
	}
	d := &appsv1.Deployment{}
	if found, err := b.Get("deployments.apps", above.Name, d); !found || err != nil || d.UID != above.UID {
		return nil
	}
	return &owner{d.UID, "deployments/" + d.Name, *d.Spec.Replicas}
}

// scaleOf is what the API server answered to the request for the scale of a controller.
func (b *budget) scaleOf(ref *metav1.OwnerReference, asked *int) (of *owner, problem string) {
	for ; *asked < len(b.Requests); *asked++ {
		q := b.Requests[*asked].Request
		if q.Verb != "get" || q.Subresource != "scale" || q.Name != ref.Name {
			continue
		}
		*asked++
		name := trace.ObjectName(q.Object)
		if q.Code >= http.StatusMultipleChoices {
			return nil, fmt.Sprintf("the scale of %s cannot be read: %s", name, strings.TrimSpace(fmt.Sprintf("%d %s", q.Code, q.Reason)))
		}
		object := b.Rec.Replay.ObjectVersion(q.Object, observed.Number(q.RV))
		uid, _, _ := unstructured.NestedString(object, "metadata", "uid")
		replicas, _, _ := unstructured.NestedInt64(object, "spec", "replicas")
		if types.UID(uid) != ref.UID {
			return nil, ""
		}
		return &owner{ref.UID, name, int32(replicas)}, ""
	}
	return nil, fmt.Sprintf("the API server has no kind %s in %s", ref.Kind, ref.APIVersion)
}
