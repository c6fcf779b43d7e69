package snapshot

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

const deployment = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: default, uid: d-1, resourceVersion: "7"}
spec:
  replicas: 0
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: "web:v1"}]}}
`

const replicaSet = `
apiVersion: apps/v1
kind: ReplicaSet
metadata:
  name: web-1
  namespace: default
  uid: r-1
  ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, uid: UID, controller: true}]
spec:
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: "web:v1"}]}}
`

const jobPod = `
apiVersion: v1
kind: Pod
metadata: {name: once, namespace: default, uid: p-1, ownerReferences: [{apiVersion: batch/v1, kind: Job, name: once, uid: j-1}]}
spec: {nodeName: node-1, containers: [{name: c, image: "once:v1"}]}
status: {phase: Running, conditions: [{type: Ready, status: "True"}]}
`

const node = `
apiVersion: v1
kind: Node
metadata: {name: node-1, uid: n-1}
status: {conditions: [{type: Ready, status: "True", lastHeartbeatTime: "2026-11-20T12:00:00Z"}]}
`

const overdue = `
apiVersion: v1
kind: Pod
metadata: {name: late, namespace: default, uid: p-9, deletionTimestamp: "2026-11-20T09:00:00Z", deletionGracePeriodSeconds: 30}
spec: {nodeName: node-1, containers: [{name: c, image: "web:v1"}]}
status: {phase: Running, conditions: [{type: Ready, status: "True"}]}
`

const notReady = `
apiVersion: v1
kind: Event
metadata: {name: e, namespace: default}
involvedObject: {kind: Node, name: node-1}
reason: NodeNotReady
lastTimestamp: "2026-11-20T12:00:00Z"
`

// forbidden is the Event of a ReplicaSet whose Pod the API server refused.
func forbidden(why string) string {
	return fmt.Sprintf("\n{apiVersion: v1, kind: Event, metadata: {name: e, namespace: default}, type: Warning, reason: FailedCreate, "+
		"involvedObject: {kind: ReplicaSet, namespace: default, name: web-1}, message: %q}\n", "Error creating: pods \"web-1-x\" is forbidden: "+why)
}

// withStatus is the Pod of a Job with a status of its container.
func withStatus(fields string) string {
	return strings.Replace(jobPod, "conditions:", "containerStatuses: [{name: c, image: i, imageID: i, restartCount: 1, "+fields+"}], conditions:", 1)
}

// scenarioOf reads a dump.
func scenarioOf(t *testing.T, name, dump string, options Options) (string, *Report) {
	t.Helper()
	options.Name, options.Source = strings.TrimSuffix(name, ".yaml"), name
	text, report, err := Scenario(strings.NewReader(dump), options)
	if err != nil {
		t.Fatal(err)
	}
	return string(text), report
}

// TestReports shows what a dump needs, and what is said about it.
func TestReports(t *testing.T) {
	for _, test := range []struct {
		name, dump       string
		options          Options
		omitted, created string
		state, warning   string
		contains         string // in the scenario
		lacks            string
	}{
		{name: "an owner that is there", dump: deployment + "---" + strings.Replace(replicaSet, "UID", "d-1", 1),
			contains: "garbage-collector-controller"},
		{name: "an owner that is not there", dump: strings.Replace(replicaSet, "UID", "d-1", 1),
			warning: "does not run: ReplicaSet default/web-1 of Deployment web", lacks: "garbage-collector"},
		{name: "an owner that was made anew", dump: deployment + "---" + strings.Replace(replicaSet, "UID", "d-0", 1),
			warning: "deletes their dependents: ReplicaSet default/web-1, whose owner Deployment default/web now has another uid", contains: "garbage-collector"},
		{name: "a reference without uid", dump: deployment + "---" + strings.Replace(replicaSet, "UID", `""`, 1), contains: "uid: d-1\n        uid: r-1"},
		{name: "two versions of one object", dump: deployment + "---" + strings.NewReplacer(`"7"`, `"12"`, "v1\"}", "v3\"}").Replace(deployment),
			omitted: "duplicate, the older one: Deployment default/web", contains: "image: web:v3", lacks: "web:v1"},
		{name: "a field of another version", dump: strings.Replace(deployment, "replicas: 0", "replicas: 0\n  pace: slow", 1),
			omitted: "fields unknown to Kubernetes v1.36: Deployment default/web spec.pace", lacks: "pace: slow"},
		{name: "another namespace", dump: deployment + "---" + strings.Replace(deployment, "default", "shop", 1), options: Options{Namespaces: []string{"shop"}},
			omitted: "in another namespace than shop: 1 Deployment", created: "shop", lacks: "namespace: default"},
		{name: "the system alone", dump: strings.Replace(deployment, "default", "kube-system", 1), contains: "namespace: kube-system"},
		{name: "a list as the API server answers it", dump: `{"apiVersion": "v1", "kind": "ConfigMapList", "items": [{"metadata":
			{"name": "a", "namespace": "default", "uid": "m-1"}, "data": {"k": "secret"}}]}`,
			omitted: "ConfigMap default/a", contains: "k: redacted", lacks: "secret"},
		{name: "a Job that runs", dump: jobPod, created: "node-1", warning: "a guess", contains: "complete: 30s"},
		{name: "a claim without its volume", dump: "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data, namespace: default, uid: c-1}, " +
			"spec: {volumeName: disk, storageClassName: fast}}",
			warning: "PersistentVolume disk of PersistentVolumeClaim default/data, StorageClass fast of"},
		{name: "a Pod without its claim", dump: strings.Replace(jobPod, "containers:", "volumes: [{name: d, persistentVolumeClaim: {claimName: data}}], containers:", 1),
			created: "node-1", warning: "PersistentVolumeClaim default/data of Pod default/once"},
		{name: "an autoscaler", dump: deployment + "---\n{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: web, namespace: default, uid: h-1}, " +
			"spec: {maxReplicas: 3, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}}",
			warning: "find no metrics", lacks: "missing in the dump"},
		{name: "an owner that was deleted", dump: deployment + "---" + strings.NewReplacer("UID", "d-9", "name: web, uid", "name: old, uid").Replace(replicaSet),
			state: "ReplicaSet default/web-1 of Deployment old: the owner does not exist, and the garbage collector", lacks: "garbage-collector"},
		{name: "an owner of a kind that is not simulated", dump: strings.NewReplacer("apiVersion: apps/v1, kind: Deployment", "apiVersion: example.com/v1, kind: Rollout").Replace(replicaSet),
			warning: "owners are of kinds that are not simulated, so the garbage collector", lacks: "garbage-collector"},
		{name: "counted objects that the dump lacks", dump: deployment + "status: {replicas: 3}\n",
			warning: "status.replicas of Deployment default/web is 3\nfor a dump with the kinds that are missing: kubectl get deployments,replicasets -n default -o yaml"},
		{name: "a Pod that its kubelet does not stop", dump: node + "---" + overdue, contains: "match: {namespace: default, name: late}\n        terminate: never",
			state: "Pod default/late should have been removed by 2026-11-20T09:00:00Z, 3h before the dump: its kubelet does not stop it"},
		{name: "a Pod that is stopped in time", dump: node + "---" + strings.Replace(overdue, "09:00:00Z", "11:59:50Z", 1), lacks: "terminate"},
		{name: "an overdue Pod on a node that is not Ready", dump: strings.Replace(node, `"True"`, `"Unknown"`, 1) + "---" + overdue,
			state: "its node node-1 is not Ready, so nobody stops it", lacks: "terminate"},
		{name: "an overdue Pod on a node that does not exist", dump: strings.Replace(node, "node-1", "node-2", 1) + "---" + overdue,
			state: "Node node-1 does not exist: the dump has other Nodes, but not this one, and nobody acts for its Pods: Pod default/late", contains: "terminate: never"},
		{name: "an Event of a node that the dump lacks", dump: jobPod + "---" + notReady, created: "Nodes that are not Ready",
			state: "Node node-1 is not Ready since 2026-11-20T12:00:00Z, and does not recover: Event NodeNotReady of the Node", warning: "a guess", contains: "key: node.kubernetes.io/unreachable"},
		{name: "a node that recovered", dump: jobPod + "---" + notReady + "---" + strings.NewReplacer("NodeNotReady", "NodeReady", "name: e", "name: f", "12:00:00Z", "12:00:01Z").Replace(notReady),
			created: "Ready Nodes", warning: "a guess", lacks: "unreachable"},
		{name: "a Pod that the node lifecycle controller marked", dump: strings.Replace(withStatus("ready: true"), `status: "True"`, `status: "False", lastTransitionTime: "2026-11-20T10:00:00Z"`, 1),
			created: "Nodes that are not Ready", state: "Pod default/once is not Ready, although its containers are", warning: "a guess"},
		{name: "a finalizer of others", dump: "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: default, uid: m-1, " +
			"deletionTimestamp: \"2026-11-20T09:00:00Z\", finalizers: [example.com/hold]}}\n---" + notReady,
			state: "ConfigMap default/a should have been removed by 2026-11-20T09:00:00Z, 3h before the dump: no controller of the scenario removes the finalizer example.com/hold"},
		{name: "a finalizer of the garbage collector", dump: strings.Replace(deployment, "uid: d-1", "uid: d-1, deletionTimestamp: \"2026-11-20T09:00:00Z\", finalizers: [foregroundDeletion]", 1) + "---" + notReady,
			state: "garbage-collector-controller removes the finalizer foregroundDeletion when nothing needs it", contains: "garbage-collector-controller"},
		{name: "a namespace with content that the dump lacks", dump: "{apiVersion: v1, kind: Namespace, metadata: {name: shop, uid: n-1, deletionTimestamp: \"2026-11-20T09:00:00Z\"}, " +
			"spec: {finalizers: [kubernetes]}, status: {phase: Terminating, conditions: [{type: NamespaceContentRemaining, status: \"True\", message: \"Some resources are remaining: widgets. has 1 resource instances\"}]}}" +
			"\n---" + notReady, state: "Some resources are remaining: widgets. has 1 resource instances; the scenario does not have that, so the finalizer kubestep.dev/",
			contains: "finalizers:\n        - kubestep.dev/content-not-in-the-dump"},
		{name: "a namespace whose content is in the dump", dump: strings.NewReplacer("namespace: default", "namespace: shop", "name: late,", "name: late, finalizers: [example.com/hold],").Replace(node+"---"+overdue) +
			"---\n{apiVersion: v1, kind: Namespace, metadata: {name: shop, uid: n-9, deletionTimestamp: \"2026-11-20T09:00:00Z\"}, spec: {finalizers: [kubernetes]}, " +
			"status: {conditions: [{type: NamespaceFinalizersRemaining, status: \"True\", message: \"Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances\"}]}}",
			state: "example.com/hold in 1 resource instances", lacks: "content-not-in-the-dump"},
		{name: "what is in every cluster", dump: deployment + "---\n{apiVersion: v1, kind: Namespace, metadata: {name: default}}",
			omitted: "exists in every cluster, including the simulation: 1 Namespace"},
		{name: "a quota that the dump lacks", dump: deployment + "---" + forbidden(`exceeded quota: team, requested: pods=1, used: pods=5, limited: pods=5`),
			warning: "the cluster refused requests because of ResourceQuota default/team, which the dump does not have, so a run does not refuse them: " +
				"ReplicaSet web-1: Error creating: pods \"web-1-x\" is forbidden: exceeded quota: team, requested: pods=1, used: pods=5, limited: pods=5\n" +
				"for a dump with the kinds that are missing: kubectl get deployments,resourcequotas -n default -o yaml"},
		{name: "a quota that the dump has", dump: deployment + "---" + forbidden(`exceeded quota: team, requested: pods=1`) +
			"---\n{apiVersion: v1, kind: ResourceQuota, metadata: {name: team, namespace: default, uid: q-1}, spec: {hard: {pods: \"5\"}}}"},
		{name: "another quota than that of the message", dump: deployment + "---" + forbidden(`failed quota: team: must specify limits.cpu`) +
			"---\n{apiVersion: v1, kind: ResourceQuota, metadata: {name: other, namespace: default, uid: q-1}, spec: {hard: {pods: \"5\"}}}",
			warning: "because of ResourceQuota default/team, which"},
		{name: "a range that the dump lacks", dump: deployment + "---" + forbidden(`maximum cpu usage per Container is 1, but limit is 2`),
			warning: "because of a LimitRange of default, which"},
		{name: "a level that the dump lacks", dump: deployment + "---" + forbidden(`violates PodSecurity "restricted:latest": runAsNonRoot`),
			warning: "because of Namespace default, which"},
		{name: "a webhook that the dump lacks", dump: deployment + "---" + forbidden(`admission webhook "deny.example.com" denied the request: no`),
			warning: "kubectl get deployments,mutatingwebhookconfigurations,validatingwebhookconfigurations -n default -o yaml"},
		{name: "a policy that the dump lacks", dump: deployment + "---" + forbidden(`ValidatingAdmissionPolicy 'few' with binding 'all' denied request: too many`),
			warning: "because of ValidatingAdmissionPolicy few, which"},
		{name: "a condition of a quota that the dump lacks", dump: deployment +
			`status: {conditions: [{type: ReplicaFailure, status: "True", message: "pods \"web-x\" is forbidden: exceeded quota: team, requested: pods=1"}]}` + "\n",
			warning: "because of ResourceQuota default/team, which the dump does not have, so a run does not refuse them: Deployment default/web: pods"},
		{name: "a Pod that nobody took", dump: strings.NewReplacer("nodeName: node-1,", "", "Running", "Pending").Replace(jobPod),
			warning: "Pods waited for a node", contains: "phase: Pending"},
		{name: "one Pod of several is not ready", dump: withStatus("ready: true") + "---" +
			strings.NewReplacer("name: once, namespace", "name: twice, namespace", "p-1", "p-2").Replace(
				withStatus("ready: false, state: {waiting: {reason: CrashLoopBackOff}}")),
			created: "node-1", warning: "Pod default/twice was not ready", contains: "match: {namespace: default, name: twice}"},
	} {
		t.Run(test.name, func(t *testing.T) {
			text, report := scenarioOf(t, "dump.yaml", test.dump, test.options)
			for _, part := range []struct {
				name  string
				lines []string
				want  string
			}{{"omitted", report.Omitted, test.omitted}, {"created", report.Created, test.created}, {"state", report.States, test.state}, {"warning", report.Warnings, test.warning}} {
				all := strings.Join(part.lines, "\n")
				if (all == "") != (part.want == "") || !strings.Contains(all, part.want) {
					t.Errorf("%s: %q, want %q", part.name, all, part.want)
				}
			}
			if !strings.Contains(text, test.contains) {
				t.Errorf("no %q in\n%s", test.contains, text)
			}
			_, objects, _ := strings.Cut(text, "kubernetes:")
			if test.lacks != "" && strings.Contains(objects, test.lacks) {
				t.Errorf("%q in\n%s", test.lacks, text)
			}
		})
	}
}

// TestNoDumps says what is not a dump.
func TestNoDumps(t *testing.T) {
	for _, test := range []struct{ dump, want string }{
		{"", "contains no objects"},
		{"# nothing\n", "contains no objects"},
		{"NAME   READY\nweb-1  1/1\n", "document 1: "},
		{"apiVersion: v1\nkind: Pod\nmetadata: {}\n", "document 1: Pod without metadata.name"},
		{"a: 1\n", "document 1: is not a Kubernetes object"},
		{deployment + "---\na: [\n", "document 2: "},
		{"apiVersion: v1\nkind: List\nitems: [1]\n", "document 1: items[0] is not an object"},
		{"{apiVersion: v1, kind: Event, metadata: {name: e}}", "contains nothing that a scenario can start from"},
		{strings.Replace(deployment, "replicas: 0", "replicas: many", 1), "Deployment default/web: "},
	} {
		_, _, err := Scenario(strings.NewReader(test.dump), Options{Name: "dump", Source: "dump.yaml"})
		var wrong *Error
		if !errors.As(err, &wrong) || !strings.Contains(wrong.Message, test.want) || wrong.Try == "" {
			t.Errorf("%q: %v, want %q and a hint", test.dump, err, test.want)
		}
	}
}

// TestEvents counts Events of one kind, of both API groups, and tells warnings first.
func TestEvents(t *testing.T) {
	dump := deployment + `---
{apiVersion: v1, kind: Event, metadata: {name: a}, type: Normal, reason: Pulled, message: "Pulled", involvedObject: {kind: Pod, name: p},
  lastTimestamp: "2026-11-20T10:00:09Z"}
---
{apiVersion: v1, kind: Event, metadata: {name: b}, type: Warning, reason: BackOff, message: "old", count: 3, involvedObject: {kind: Pod, name: p},
  lastTimestamp: "2026-11-20T10:00:01Z"}
---
{apiVersion: events.k8s.io/v1, kind: Event, metadata: {name: c}, type: Warning, reason: BackOff, note: "new", series: {count: 2, lastObservedTime: "2026-11-20T10:00:05.5Z"},
  regarding: {kind: Pod, name: p}}
`
	text, _ := scenarioOf(t, "dump.yaml", dump, Options{})
	told := []string{"- Pod p: BackOff (5 times): new", "- Pod p: Pulled: Pulled"}
	i, j := strings.Index(text, told[0]), strings.Index(text, told[1])
	if i < 0 || j < i {
		t.Errorf("%q are not told in %s", told, text)
	}
	// The last of all times is that of the first Event.
	if !strings.Contains(text, `start: "2026-11-20T10:00:09Z"`) {
		t.Errorf("the scenario starts at another time: %s", text)
	}
}

// TestSeed draws the seed of a scenario from the uids of its dump, so that a run of the dump of a run does not make its objects again.
func TestSeed(t *testing.T) {
	seed := func(dump string) (line string) {
		text, _ := scenarioOf(t, "dump.yaml", dump, Options{})
		for line := range strings.Lines(text) {
			if seed, ok := strings.CutPrefix(line, "  seed: "); ok {
				return strings.TrimSpace(seed)
			}
		}
		return ""
	}
	first, again, other := seed(deployment), seed(deployment), seed(strings.Replace(deployment, "d-1", "d-2", 1))
	if first == "" || first != again || first == other || seed(strings.Replace(deployment, "uid: d-1, ", "", 1)) != "" {
		t.Errorf("the seeds are %q, %q and %q", first, again, other)
	}
}

// TestSome counts what is too much for a line.
func TestSome(t *testing.T) {
	names := strings.Split("abcdefg", "")
	if got := some(names); got != "a, b, c, d, e and 2 more" || some(names[:2]) != "a, b" {
		t.Error(got)
	}
}
