package trace

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/sim/trace/diff"
)

// TestSummarizeUpdate words updates. A change is written as path|old|new, with - for nothing.
func TestSummarizeUpdate(t *testing.T) {
	for _, c := range []struct{ resource, changes, want string }{
		{"deployments.apps", `spec.replicas|10|8 metadata.generation|1|2`, "spec.replicas 10 -> 8"},
		{"deployments.apps", `metadata.generation|1|2 spec.template.spec.containers[name=c].image|"web:v1"|"web:v2"`, "image web:v1 -> web:v2"},
		{"deployments.apps", `spec.template.spec.containers[name=c].image|"a:1"|"a:2" spec.template.spec.initContainers[name=i].image|"b:1"|"b:2"`,
			"image of c a:1 -> a:2, image of i b:1 -> b:2"},
		{"deployments.apps", `metadata.annotations|-|{"deployment.kubernetes.io/revision":"1"} status.observedGeneration|-|1`, "revision 1"},
		{"deployments.apps", `status.conditions[type=Available].status|"False"|"True" status.conditions[type=Available].reason|"MinimumReplicasUnavailable"|"MinimumReplicasAvailable" status.conditions[type=Available].message|"a"|"b" status.conditions[type=*]|["x"]|["y"]`,
			"Available False -> True (MinimumReplicasAvailable)"},
		{"deployments.apps", `status.conditions[type=Progressing].reason|"NewReplicaSetCreated"|"ReplicaSetUpdated" status.conditions[type=Progressing].message|"a"|"b"`,
			"Progressing (NewReplicaSetCreated -> ReplicaSetUpdated)"},
		{"deployments.apps", `status.conditions[type=Progressing].message|"a"|"half.done" status.conditions[type=Progressing].lastUpdateTime|"1"|"2"`,
			"Progressing half.done"},
		{"deployments.apps", `status.conditions[type=ReplicaFailure]|{"type":"ReplicaFailure","status":"True"}|-`, "ReplicaFailure gone"},
		{"deployments.apps", `status.replicas|12|11 status.readyReplicas|8|9 status.availableReplicas|8|9 status.unavailableReplicas|4|-`,
			"replicas 12 -> 11, ready/available 8 -> 9, unavailable 4 -> 0"},
		{"deployments.apps", `spec.paused|-|true metadata.labels|{"a":"1"}|{"a":"2"}`, "spec.paused true, metadata.labels.a 1 -> 2"},
		{"deployments.apps", `spec.strategy.rollingUpdate.maxSurge|"25%"|3 spec.paused|true|-`,
			"spec.strategy.rollingUpdate.maxSurge 25% -> 3, spec.paused true -> none"},
		{"replicasets.apps", `status.observedGeneration|1|2 status.terminatingReplicas|-|0`, "observedGeneration 1 -> 2"},
		{"replicasets.apps", `status.replicas|0|10 status.fullyLabeledReplicas|0|10`, "replicas 0 -> 10"},
		{"replicasets.apps", `metadata.annotations["deployment.kubernetes.io/max-replicas"]|"13"|"4" spec.replicas|10|3`, "spec.replicas 10 -> 3"},
		{"pods", `metadata.deletionTimestamp|-|"2026-01-01T00:00:31Z" metadata.deletionGracePeriodSeconds|-|30 metadata.generation|1|2`,
			"marked for deletion (grace 30s)"},
		{"configmaps", `metadata.deletionTimestamp|-|"2026-01-01T00:00:31Z" metadata.deletionGracePeriodSeconds|-|0`, "marked for deletion"},
		{"pods", `metadata.deletionTimestamp|"2026-01-01T00:00:31Z"|"2026-01-01T00:00:01Z"`, "grace period shortened"},
		{"pods", `spec.nodeName|-|"node-2" status.conditions|-|[{"type":"PodScheduled","status":"True"}]`, "-> node-2"},
		{"pods", `status.phase|"Pending"|"Running" status.conditions[type=Ready].status|"False"|"True" status.containerStatuses[name=c].ready|false|true status.podIP|-|"10.0.0.1"`,
			"phase Pending -> Running, Ready"},
		{"pods", `status.conditions[type=Ready].status|"True"|"False" status.conditions[type=Ready].reason|-|"ContainersNotReady"`, "not Ready (ContainersNotReady)"},
		{"pods", `status.conditions|-|[{"type":"PodScheduled","status":"False","reason":"Unschedulable"}]`, "PodScheduled False (Unschedulable)"},
		{"pods", `status.conditions[type=DisruptionTarget]|-|{"type":"DisruptionTarget","status":"True","reason":"EvictionByEvictionAPI"}`,
			"DisruptionTarget True (EvictionByEvictionAPI)"},
		{"pods", `status.containerStatuses[name=c].restartCount|0|1 status.containerStatuses[name=c].state.waiting|-|{"reason":"CrashLoopBackOff"}`,
			"c restarts 1, c waits (CrashLoopBackOff)"},
		{"pods", `status.phase|"Running"|"Failed" status.reason|-|"Evicted" status.containerStatuses[name=c].state.terminated|-|{"exitCode":137,"reason":"OOMKilled"}`,
			"phase Running -> Failed, Evicted, c exited 137 (OOMKilled)"},
		{"pods", `status.containerStatuses[name=c].state.waiting.reason|"ContainerCreating"|"ErrImagePull"`, "c waits (ErrImagePull)"},
		{"pods", `metadata.ownerReferences|[{"kind":"ReplicaSet","name":"a","uid":"1"}]|- metadata.labels.x|-|"1"`, "released by ReplicaSet/a, metadata.labels.x 1"},
		{"pods", `metadata.ownerReferences[uid=1]|-|{"kind":"Job","name":"b","uid":"1"}`, "adopted by Job/b"},
		{"jobs.batch", `metadata.finalizers|["batch.kubernetes.io/job-tracking"]|- status.active|2|1 status.startTime|-|"x"`,
			"finalizer batch.kubernetes.io/job-tracking removed, active 2 -> 1"},
		{"namespaces", `status.phase|"Active"|"Terminating" spec.finalizers[=kubernetes]|"kubernetes"|-`, "finalizer kubernetes removed, phase Active -> Terminating"},
		{"nodes", `spec.taints|-|[{"key":"node.kubernetes.io/unreachable","effect":"NoExecute"}] spec.unschedulable|-|true`,
			"taint node.kubernetes.io/unreachable:NoExecute, spec.unschedulable true"},
		{"nodes", `spec.taints[0]|{"key":"a","effect":"NoSchedule"}|-`, "taint a:NoSchedule removed"},
		{"nodes", `status.conditions[type=Ready].lastHeartbeatTime|"1"|"2" status.conditions[type=DiskPressure].lastHeartbeatTime|"1"|"2"`,
			"lastHeartbeatTime 1 -> 2"},
		{"nodes", `status.conditions[type=Ready].status|"True"|"Unknown" status.conditions[type=Ready].reason|"KubeletReady"|"NodeStatusUnknown"`,
			"Ready True -> Unknown (NodeStatusUnknown)"},
		{"horizontalpodautoscalers.autoscaling", `status.desiredReplicas|2|4 status.currentMetrics[0].resource|-|{"name":"cpu"}`, "desired 2 -> 4"},
		{"endpointslices.discovery.k8s.io", `endpoints|-|[{"addresses":["10.0.0.1"]},{"addresses":["10.0.0.2"]}]`, "endpoints 2 added"},
		{"endpointslices.discovery.k8s.io", `endpoints[1]|{"addresses":["10.0.0.1"]}|- endpoints[0].addresses[0]|"a"|"b"`, "endpoints 1 removed"},
		{"endpointslices.discovery.k8s.io", `endpoints[0].conditions.ready|false|true`, "endpoints[0].conditions.ready false -> true"},
		{"configmaps", `data.key|"one_long_value_that_goes_on_and_on_and_on_until_nobody_reads_it_any_more"|""`,
			`data.key one_long_value_that_goes_on_and_on_and_on_until… -> ""`},
		{"widgets.example.com", `status|-|{"ready":true}`, `status {"ready":true}`},
		{"configmaps", ``, ""},
	} {
		w := &Write{Op: OpUpdate, Object: Object{Resource: c.resource, Name: "x"}, Changes: parseChanges(t, c.changes)}
		if got := Summarize(w); got != c.want {
			t.Errorf("%s %s:\n got %s\nwant %s", c.resource, c.changes, got, c.want)
		}
	}
}

func parseChanges(t *testing.T, text string) []diff.Change {
	var changes []diff.Change
	for field := range strings.FieldsSeq(text) {
		parts := strings.Split(field, "|")
		if len(parts) != 3 {
			t.Fatalf("%s is no path|old|new", field)
		}
		c := diff.Change{Path: parts[0]}
		if parts[1] != "-" {
			c.Old = json.RawMessage(parts[1])
		}
		if parts[2] != "-" {
			c.New = json.RawMessage(parts[2])
		}
		changes = append(changes, c)
	}
	return changes
}

func TestSummarizeCreation(t *testing.T) {
	template := `"template":{"spec":{"containers":[{"name":"c","image":"web:v1"}]}}`
	for _, c := range []struct{ resource, object, want string }{
		{"deployments.apps", `{"spec":{"replicas":3,` + template + `}}`, "replicas 3, image web:v1"},
		{"daemonsets.apps", `{"spec":{` + template + `}}`, "image web:v1"},
		{"pods", `{"spec":{"nodeName":"node-1","containers":[{"image":"a:1"},{"image":"b:1"}]}}`, "images a:1 b:1, -> node-1"},
		{"jobs.batch", `{"spec":{"completions":5,"parallelism":2,` + template + `}}`, "completions 5, parallelism 2, image web:v1"},
		{"cronjobs.batch", `{"spec":{"schedule":"*/5 * * * *"}}`, `schedule "*/5 * * * *"`},
		{"horizontalpodautoscalers.autoscaling", `{"spec":{"scaleTargetRef":{"kind":"Deployment","name":"web"},"minReplicas":1,"maxReplicas":4}}`, "Deployment/web, min 1, max 4"},
		{"poddisruptionbudgets.policy", `{"spec":{"minAvailable":"80%"}}`, "minAvailable 80%"},
		{"persistentvolumeclaims", `{"spec":{"storageClassName":"fast","resources":{"requests":{"storage":"1Gi"}}}}`, "1Gi, class fast"},
		{"services", `{"spec":{"type":"ClusterIP","clusterIP":"10.96.0.1"}}`, "ClusterIP 10.96.0.1"},
		{"endpointslices.discovery.k8s.io", `{"endpoints":[{},{}]}`, "endpoints 2"},
		{"configmaps", `{"data":{"a":"b"}}`, ""},
		{"pods", `{}`, ""},
	} {
		w := &Write{Op: OpCreate, Object: Object{Resource: c.resource, Name: "x"}, New: json.RawMessage(c.object)}
		if got := Summarize(w); got != c.want {
			t.Errorf("%s: %s, want %s", c.resource, got, c.want)
		}
	}
	if got := Summarize(&Write{Op: OpDelete}); got != "removed" {
		t.Errorf("a removal: %s", got)
	}
}

func TestNames(t *testing.T) {
	for _, c := range []struct {
		object Object
		want   string
	}{
		{Object{"deployments.apps", "default", "web"}, "deployments/web"},
		{Object{"deployments.apps", "shop", "web"}, "deployments/web -n shop"},
		{Object{"leases.coordination.k8s.io", "", "x"}, "leases/x"},
		{Object{"pods.metrics.k8s.io", "", "x"}, "pods.metrics.k8s.io/x"},
		{Object{"widgets.example.com", "", ""}, "widgets.example.com"},
	} {
		if got := objectName(c.object); got != c.want {
			t.Errorf("%v: %s, want %s", c.object, got, c.want)
		}
	}
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"deployment", 10, "deployment"}, {"deployment", 9, "depl…ment"}, {"deployment", 4, "de…t"}, {"deployment", 2, "d…"}, {"x", 0, ""}, {"größer", 5, "gr…er"},
	} {
		if got := middle(c.text, c.width); got != c.want {
			t.Errorf("middle(%s, %d): %s, want %s", c.text, c.width, got, c.want)
		}
	}
}
