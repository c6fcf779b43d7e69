package compare

import (
	"iter"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/kubestep/kubestep/sim/trace"
)

// revisionAnnotation has the revision of a Deployment, and of each of its ReplicaSets: RevisionAnnotation in
// k8s.io/kubernetes/pkg/controller/deployment/util.
const revisionAnnotation = "deployment.kubernetes.io/revision"

// supersededOf are the revisions of workloads that no Pod has, and that are not the latest ones: ReplicaSets of Deployments, and
// ControllerRevisions. Such a revision is only there for a rollback.
func supersededOf(objects iter.Seq2[trace.Object, map[string]any]) map[trace.Object]bool {
	latest, used := map[string]int64{}, map[string]bool{}
	for object, content := range objects {
		if revision, ok := revisionOf(object, content); ok {
			owner := controllerUID(content)
			latest[owner] = max(latest[owner], revision)
		}
		hash, _ := field(content, "metadata", "labels", appsv1.ControllerRevisionHashLabelKey).(string)
		if hash != "" && object.Resource == pods {
			used[object.Namespace+"/"+hash] = true
		}
	}
	superseded := map[trace.Object]bool{}
	for object, content := range objects {
		revision, ok := revisionOf(object, content)
		labels, _ := field(content, "metadata", "labels").(map[string]any)
		// A Pod of a StatefulSet has the name of its revision, and one of a DaemonSet the hash.
		hasPods := used[object.Namespace+"/"+object.Name] || used[object.Namespace+"/"+hashOf(object.Resource, labels)] ||
			number(field(content, "spec", "replicas")) > 0 || number(field(content, "status", "replicas")) > 0
		superseded[object] = ok && revision < latest[controllerUID(content)] && !hasPods
	}
	return superseded
}

// revisionOf is the number of a revision of a workload.
func revisionOf(object trace.Object, content map[string]any) (n int64, ok bool) {
	kind, _ := controllerOf(content)
	switch {
	case object.Resource == "controllerrevisions.apps" && kind != "":
		return number(content["revision"]), true
	case object.Resource == "replicasets.apps" && kind == "Deployment":
		text, _ := field(content, "metadata", "annotations", revisionAnnotation).(string)
		n, err := strconv.ParseInt(text, 10, 64)
		return n, err == nil
	}
	return 0, false
}
