package relation

import (
	"slices"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
	deploymentutil "k8s.io/kubernetes/pkg/controller/deployment/util"
)

var controllerRevisions = appsv1.Resource("controllerrevisions")

var ofRevisions = []Relation{
	{
		Name: "replicaset-revisions-differ", Of: of(deployments, names.DeploymentController),
		Sentence:  "Two ReplicaSets of a Deployment do not have the same revision.",
		Reference: "https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#rolling-back-a-deployment",
		broken: func(v *View, object runtime.Object) *Breach {
			seen := map[string]string{}
			for _, set := range v.replicaSetsOf(object.(*appsv1.Deployment)) {
				revision := set.Annotations[deploymentutil.RevisionAnnotation]
				if breach := sameRevision(seen, "ReplicaSets", set.Name, revision); breach != nil {
					return breach
				}
			}
			return nil
		},
	},
	{
		Name: "replicasets-within-history-limit", Of: of(deployments, names.DeploymentController),
		Sentence: "A Deployment whose rollout is complete has no more than revisionHistoryLimit old ReplicaSets. If it is paused, it " +
			"keeps them.",
		Reference: "https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#clean-up-policy",
		broken: func(v *View, object runtime.Object) *Breach {
			d := object.(*appsv1.Deployment)
			complete := isObserved(d) && deploymentutil.DeploymentComplete(d, &d.Status)
			if d.Spec.Paused || !complete || !deploymentutil.HasRevisionHistoryLimit(d) {
				return nil
			}
			_, old := deploymentutil.FindOldReplicaSets(d, v.replicaSetsOf(d))
			kept := slices.DeleteFunc(old, func(set *appsv1.ReplicaSet) bool {
				return set.DeletionTimestamp != nil || *set.Spec.Replicas > 0 || set.Status.Replicas > 0
			})
			if limit := int(*d.Spec.RevisionHistoryLimit); len(kept) > limit {
				return broken("it keeps %d old ReplicaSets, but revisionHistoryLimit is %d", len(kept), limit)
			}
			return nil
		},
	},
	{
		Name: "controller-revisions-differ", Of: []Kept{
			{statefulSets, names.StatefulSetController}, {daemonSets, names.DaemonSetController},
		},
		Sentence:  "Two ControllerRevisions of a StatefulSet or a DaemonSet do not have the same number.",
		Reference: "https://kubernetes.io/docs/tasks/manage-daemon/rollback-daemon-set/#understanding-daemonset-revisions",
		broken: func(v *View, object runtime.Object) *Breach {
			o, seen := metaOf(object), map[string]string{}
			for _, child := range v.controlledBy(controllerRevisions, o.GetNamespace(), string(o.GetUID())) {
				revision := child.(*appsv1.ControllerRevision)
				number := strconv.FormatInt(revision.Revision, 10)
				breach := sameRevision(seen, "ControllerRevisions", revision.Name, number)
				if breach != nil && o.GetDeletionTimestamp() == nil {
					return breach
				}
			}
			return nil
		},
	},
	{
		Name: "statefulset-revisions-exist", Of: of(statefulSets, names.StatefulSetController),
		Sentence:  "The ControllerRevisions that status.currentRevision and status.updateRevision of a StatefulSet name exist.",
		Reference: "https://kubernetes.io/docs/reference/kubernetes-api/apps/stateful-set-v1/#StatefulSetStatus",
		broken: func(v *View, object runtime.Object) *Breach {
			set := object.(*appsv1.StatefulSet)
			for _, name := range []string{set.Status.CurrentRevision, set.Status.UpdateRevision} {
				if _, exists := v.Get(controllerRevisions, set.Namespace, name); name != "" && !exists && set.DeletionTimestamp == nil {
					return broken("its status names ControllerRevision %s, which does not exist", name)
				}
			}
			return nil
		},
	},
	{
		Name: "deployment-has-newest-revision", Of: of(deployments, names.DeploymentController),
		Sentence:  "The annotation " + deploymentutil.RevisionAnnotation + " of a Deployment is the one of its current ReplicaSet.",
		Reference: "https://kubernetes.io/docs/reference/labels-annotations-taints/",
		broken: func(v *View, object runtime.Object) *Breach {
			d := object.(*appsv1.Deployment)
			set := deploymentutil.FindNewReplicaSet(d, v.replicaSetsOf(d))
			if d.DeletionTimestamp != nil || set == nil {
				return nil
			}
			is, should := d.Annotations[deploymentutil.RevisionAnnotation], set.Annotations[deploymentutil.RevisionAnnotation]
			if is == should {
				return nil
			}
			return broken("its revision is %q, but its current ReplicaSet %s has the revision %q", is, set.Name, should)
		},
	},
}

// sameRevision notes the revision of an object, and says that an earlier one has it as well.
func sameRevision(seen map[string]string, kind, name, revision string) *Breach {
	if revision == "" {
		return nil
	}
	if first, twice := seen[revision]; twice {
		return broken("its %s %s and %s both have the revision %s", kind, first, name, revision)
	}
	seen[revision] = name
	return nil
}

// replicaSetsOf are the ReplicaSets that a Deployment controls.
func (v *View) replicaSetsOf(d *appsv1.Deployment) []*appsv1.ReplicaSet {
	var sets []*appsv1.ReplicaSet
	for _, child := range v.controlledBy(replicaSets, d.Namespace, string(d.UID)) {
		sets = append(sets, child.(*appsv1.ReplicaSet))
	}
	return sets
}
