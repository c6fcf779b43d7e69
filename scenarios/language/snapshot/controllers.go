package snapshot

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
)

func isJob(reference metav1.OwnerReference) bool { return reference.Kind == "Job" }

// actors are the controllers that act on the objects of a kind.
var actors = map[string][]string{
	"Deployment":              {names.DeploymentController, names.ReplicaSetController},
	"ReplicaSet":              {names.ReplicaSetController},
	"StatefulSet":             {names.StatefulSetController},
	"DaemonSet":               {names.DaemonSetController},
	"Job":                     {names.JobController},
	"CronJob":                 {names.CronJobController, names.JobController},
	"ReplicationController":   {names.ReplicationControllerController},
	"HorizontalPodAutoscaler": {names.HorizontalPodAutoscalerController},
	"PodDisruptionBudget":     {names.DisruptionController},
	"Service":                 {names.EndpointSliceController},
	"Endpoints":               {names.EndpointsController},
	"Namespace":               {names.NamespaceController},
	"Node":                    {names.NodeLifecycleController, names.TaintEvictionController, names.PodGarbageCollectorController},
	"PersistentVolumeClaim":   {names.PersistentVolumeBinderController, names.PersistentVolumeClaimProtectionController},
	"PersistentVolume":        {names.PersistentVolumeBinderController, names.PersistentVolumeProtectionController},
	"ResourceQuota":           {names.ResourceQuotaController},
	"ResourceClaim":           {names.ResourceClaimController},
}

// controllers names those that the objects of the dump need.
func (s *snapshot) controllers() []string {
	if s.dumped == nil {
		all := []string{"*"} // nothing is known that would be too much
		if slices.Contains(s.requested, "HorizontalPodAutoscaler") {
			all = append(all, "-"+names.HorizontalPodAutoscalerController) // its metrics are not known either, and it would only fail
		}
		return all
	}
	var list []string
	for _, kind := range s.requested {
		list = append(list, actors[kind]...)
	}
	owned, waits := false, false
	for _, o := range s.objects {
		list = append(list, actors[o.GetKind()]...)
		owned = owned || len(o.GetOwnerReferences()) > 0
		for _, finalizer := range o.GetFinalizers() {
			waits = waits || removers[finalizer] == names.GarbageCollectorController
		}
		if o.GetKind() == "Job" {
			if _, limited := o.Object["spec"].(map[string]any)["ttlSecondsAfterFinished"]; limited {
				list = append(list, names.TTLAfterFinishedController)
			}
		}
	}
	if (owned || waits) && !s.incomplete {
		list = append(list, names.GarbageCollectorController)
	}
	slices.Sort(list)
	return slices.Compact(list)
}
