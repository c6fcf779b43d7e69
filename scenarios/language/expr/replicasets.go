package expr

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// revisionAnnotation is where the deployment controller numbers the ReplicaSets of a Deployment.
const revisionAnnotation = "deployment.kubernetes.io/revision"

// replicaSetFunctions find ReplicaSets by what a reader knows of them. Their names end in a hash that
// no scenario wants to spell out.
func replicaSetFunctions(s *typeTable) []*function {
	replicaSets := s.builtIn("replicasets")
	replicaSet := s.celType(replicaSets)
	return []*function{
		{
			Function: Function{
				Name: "replicaset", Section: sectionObjects,
				Signature: signatures("replicaset(name)", "replicaset(deployment, image)", "replicaset(deployment, revision)",
					"replicaset(namespace, deployment, image)", "replicaset(namespace, deployment, revision)"),
				Doc: "A ReplicaSet by its name; or the ReplicaSet of a Deployment that runs an image, given whole or by " +
					"its tag, or that has a revision number. Of several, the newest.",
				Example: "replicaset('web', 'v1').spec.replicas == 0 && replicaset('web', 2).spec.replicas == 10",
			},
			overloads: []overload{
				{args: texts(1), result: replicaSet, read: readOne(replicaSets)},
				{args: texts(2), result: replicaSet, read: s.readReplicaSet},
				{args: append(texts(1), cel.IntType), result: replicaSet, read: s.readReplicaSet},
				{args: texts(3), result: replicaSet, read: s.readReplicaSet},
				{args: append(texts(2), cel.IntType), result: replicaSet, read: s.readReplicaSet},
			},
		},
		{
			Function: Function{
				Name: "replicasets", Section: sectionLists,
				Signature: signatures("replicasets(deployment)", "replicasets(namespace, deployment)"),
				Doc:       "The ReplicaSets of a Deployment, oldest first.",
				Example:   "sum(replicasets('web').map(r, r.spec.replicas)) <= deployment('web').spec.replicas + 3",
			},
			lists: true,
			overloads: readsTexts(1, 2, cel.ListType(replicaSet), func(args []ref.Val) (reading, error) {
				deployment := s.deploymentRef(args)
				return func(e *evaluation) ref.Val {
					owned, err := e.replicaSets(deployment)
					if err != nil {
						return types.WrapErr(err)
					}
					return list(e.types, e.types.byKind[replicaSets], owned)
				}, nil
			}),
		},
	}
}

// deploymentRef reads a Deployment's name, or its namespace and name.
func (s *typeTable) deploymentRef(args []ref.Val) objectRef {
	r := objectRef{s.builtIn("deployments"), defaultNamespace, text(args, len(args)-1)}
	if len(args) == 2 {
		r.namespace = text(args, 0)
	}
	return r
}

// readReplicaSet binds a Deployment followed by an image or a revision.
func (s *typeTable) readReplicaSet(args []ref.Val) (reading, error) {
	last := args[len(args)-1]
	deployment := s.deploymentRef(args[:len(args)-1])
	what, matches := "", func(*appsv1.ReplicaSet) bool { return false }
	switch want := last.(type) {
	case types.Int:
		what = fmt.Sprintf("with revision %d", want)
		matches = func(rs *appsv1.ReplicaSet) bool { return revision(rs) == int64(want) }
	case types.String:
		what = "with image " + string(want)
		matches = func(rs *appsv1.ReplicaSet) bool { return runsImage(rs, string(want)) }
	}
	return func(e *evaluation) ref.Val {
		owned, err := e.replicaSets(deployment)
		if err != nil {
			return types.WrapErr(err)
		}
		for i := len(owned) - 1; i >= 0; i-- {
			if matches(owned[i]) {
				return e.types.NativeToValue(owned[i])
			}
		}
		return notFound(fmt.Sprintf("replicaset of %s %s", deployment, what))
	}, nil
}

// replicaSets lists the ReplicaSets that a Deployment controls, oldest first. Creation times tick in
// seconds, so revisions decide among those of one second.
func (e *evaluation) replicaSets(deployment objectRef) ([]*appsv1.ReplicaSet, error) {
	all, err := e.list(e.types.builtIn("replicasets"), deployment.namespace)
	if err != nil {
		return nil, err
	}
	var uid string
	if obj, ok := e.world.Get(deployment.kind.GroupResource(), deployment.namespace, deployment.name); ok {
		uid = string(obj.(*appsv1.Deployment).UID)
	}
	var owned []*appsv1.ReplicaSet
	for _, obj := range all {
		rs := obj.(*appsv1.ReplicaSet)
		// A Deployment that was deleted and made again does not own its namesake's ReplicaSets.
		owner := metav1.GetControllerOf(rs)
		if owner != nil && owner.Kind == "Deployment" && owner.Name == deployment.name &&
			(uid == "" || string(owner.UID) == uid) {
			owned = append(owned, rs)
		}
	}
	sort.SliceStable(owned, func(i, j int) bool {
		a, b := owned[i], owned[j]
		if !a.CreationTimestamp.Equal(&b.CreationTimestamp) {
			return a.CreationTimestamp.Before(&b.CreationTimestamp)
		}
		return revision(a) < revision(b)
	})
	return owned, nil
}

func revision(rs *appsv1.ReplicaSet) int64 {
	n, _ := strconv.ParseInt(rs.Annotations[revisionAnnotation], 10, 64)
	return n
}

// runsImage accepts the whole image or its tag: web:v1 or v1.
func runsImage(rs *appsv1.ReplicaSet, image string) bool {
	for _, container := range rs.Spec.Template.Spec.Containers {
		if container.Image == image || strings.HasSuffix(container.Image, ":"+image) {
			return true
		}
	}
	return false
}
