package law

import (
	"strings"
	"time"
)

// Field is a field of objects, or an option of kube-controller-manager, that is a time.
type Field struct {
	// Kinds have the field. A field of a Pod's spec is that of templates, too.
	Kinds []string
	// Path leads to the field, from the object or from the spec of a Pod (inPod); [] is each element of a list.
	Path  string
	inPod bool
	// Sentence says what the time bounds, and Page is the page of the documentation that says so.
	Sentence, Page string
	// Waits says which objects wait for it, each once, and From when each begins to.
	Waits Waiter
	From  Event
	// Races means that something else may happen before the time is over. Its length may then decide how the run ends.
	Races bool
	// Repeats means that an object waits for it over and over, so that the difference may be in a move any number of times.
	Repeats bool
	// Default is the time if a manifest does not set the field; zero if nothing is waited for then.
	Default time.Duration
	// Grain is how often a controller looks whether the time is over, if it has no timer for it.
	Grain time.Duration
	// needs is what a scenario has in which Default can matter.
	needs need
}

// Waiter are objects that wait for a time: the object that has it, or those that are created for it.
type Waiter string

// The waiters.
const (
	Pods        Waiter = "pods"
	ReplicaSets Waiter = "replicasets.apps"
	Jobs        Waiter = "jobs.batch"
	Nodes       Waiter = "nodes"
	Scales      Waiter = "scales"
)

// Event is with what a wait begins.
type Event string

// The events. A Pod is stopped when it is deleted, and each time when one of its containers restarts, as after a liveness probe has failed.
const (
	Created Event = "created"
	Ready   Event = "ready"
	Stopped Event = "stopped"
	Scaled  Event = "scaled"
)

// need is what a scenario must have for a default to matter.
type need string

const (
	failingNode need = "node"
	autoscaler  need = "HorizontalPodAutoscaler"
	kubelet     need = "kubelet"
)

// option is the kind of the options of kube-controller-manager, and Manager the object that has them.
const (
	option  = "KubeControllerManagerConfiguration"
	Manager = "kube-controller-manager"
)

// syncPeriod is how often autoscalers look at metrics, by default.
const syncPeriod = 15 * time.Second

// monitorPeriod is how often the node-lifecycle-controller looks at nodes, which report every 10 seconds.
const monitorPeriod = 5*time.Second + 10*time.Second

// docs is where the documentation is.
const docs = "https://kubernetes.io/docs/"

// Pages of the documentation that say something of several times.
const (
	lifecyclePage  = docs + "concepts/workloads/pods/pod-lifecycle/#pod-termination"
	probesPage     = docs + "tasks/configure-pod-container/configure-liveness-readiness-startup-probes/#configure-probes"
	autoscalerPage = docs + "tasks/run-application/horizontal-pod-autoscale/#configurable-scaling-behavior"
	managerPage    = docs + "reference/command-line-tools-reference/kube-controller-manager/"
)

// Fields are all times; docs/reference/laws.md is made from them.
var Fields = []*Field{
	{
		Kinds: []string{"Deployment", "ReplicaSet", "ReplicationController", "StatefulSet", "DaemonSet"},
		Path:  "spec.minReadySeconds", Waits: Pods, From: Ready,
		Sentence: "A Pod is available so long after it is Ready.",
		Page:     docs + "concepts/workloads/controllers/deployment/#min-ready-seconds",
	},
	{
		Kinds: []string{"Deployment"}, Path: "spec.progressDeadlineSeconds",
		Waits: ReplicaSets, From: Created, Races: true, Default: 10 * time.Minute,
		Sentence: "A rollout that makes no progress for so long is reported as failed.",
		Page:     docs + "concepts/workloads/controllers/deployment/#progress-deadline-seconds",
	},
	{
		Kinds: []string{"Job"}, Path: "spec.activeDeadlineSeconds", Waits: Jobs, From: Created, Races: true,
		Sentence: "A Job that is not complete so long after its start fails.",
		Page:     docs + "concepts/workloads/controllers/job/#job-termination-and-cleanup",
	},
	{
		Kinds: []string{"Job"}, Path: "spec.ttlSecondsAfterFinished", Waits: Jobs, From: Created,
		Sentence: "A Job that has finished is deleted after so long.",
		Page:     docs + "concepts/workloads/controllers/ttlafterfinished/",
	},
	{
		Kinds: []string{"CronJob"}, Path: "spec.startingDeadlineSeconds", Waits: Jobs, From: Created, Races: true,
		Sentence: "A Job whose time passed longer ago is not started any more.",
		Page:     docs + "concepts/workloads/controllers/cron-jobs/#starting-deadline",
	},
	{
		inPod: true, Path: "terminationGracePeriodSeconds",
		Waits: Pods, From: Stopped, Races: true, Default: 30 * time.Second, needs: kubelet,
		Sentence: "A container that has not stopped so long after it was told to is killed.",
		Page:     lifecyclePage,
	},
	{
		inPod: true, Path: "activeDeadlineSeconds", Waits: Pods, From: Created, Races: true,
		Sentence: "A Pod that is active for so long is stopped, and fails.",
		Page:     docs + "concepts/workloads/pods/init-containers/#detailed-behavior",
	},
	{
		inPod: true, Path: "tolerations[].tolerationSeconds", Waits: Pods, From: Created, Races: true,
		Sentence: "A Pod stays for so long on a node with the taint.",
		Page:     docs + "concepts/scheduling-eviction/taint-and-toleration/#concepts",
	},
	{
		inPod: true, Path: "containers[].lifecycle.preStop.sleep.seconds", Waits: Pods, From: Stopped,
		Sentence: "A container gets its signal to stop so long after the deletion of its Pod.",
		Page:     docs + "concepts/containers/container-lifecycle-hooks/#hook-handler-implementations",
	},
	{
		inPod: true, Path: "containers[].startupProbe.periodSeconds",
		Waits: Pods, From: Created, Races: true, Repeats: true, Sentence: "A startup probe runs so often.", Page: probesPage,
	},
	{
		inPod: true, Path: "containers[].readinessProbe.initialDelaySeconds", Waits: Pods, From: Created,
		Sentence: "A readiness probe runs for the first time so long after the start of its container.", Page: probesPage,
	},
	{
		inPod: true, Path: "containers[].readinessProbe.periodSeconds",
		Waits: Pods, From: Created, Repeats: true, Sentence: "A readiness probe runs so often.", Page: probesPage,
	},
	{
		inPod: true, Path: "containers[].livenessProbe.initialDelaySeconds", Waits: Pods, From: Created, Races: true,
		Sentence: "A liveness probe runs for the first time so long after the start of its container.", Page: probesPage,
	},
	{
		inPod: true, Path: "containers[].livenessProbe.periodSeconds",
		Waits: Pods, From: Created, Races: true, Repeats: true, Sentence: "A liveness probe runs so often.", Page: probesPage,
	},
	{
		Kinds: []string{"HorizontalPodAutoscaler"}, Path: "spec.behavior.scaleDown.stabilizationWindowSeconds",
		Waits: Scales, From: Scaled, Races: true, Grain: syncPeriod,
		Sentence: "An autoscaler scales down to the highest of its recommendations of so long.", Page: autoscalerPage,
	},
	{
		Kinds: []string{"HorizontalPodAutoscaler"}, Path: "spec.behavior.scaleUp.stabilizationWindowSeconds",
		Waits: Scales, From: Scaled, Races: true, Grain: syncPeriod,
		Sentence: "An autoscaler scales up to the lowest of its recommendations of so long.", Page: autoscalerPage,
	},
	{
		Kinds: []string{"HorizontalPodAutoscaler"}, Path: "spec.behavior.scaleDown.policies[].periodSeconds",
		Waits: Scales, From: Scaled, Races: true, Grain: syncPeriod,
		Sentence: "A policy limits how far an autoscaler scales down in so long.", Page: autoscalerPage,
	},
	{
		Kinds: []string{"HorizontalPodAutoscaler"}, Path: "spec.behavior.scaleUp.policies[].periodSeconds",
		Waits: Scales, From: Scaled, Races: true, Grain: syncPeriod,
		Sentence: "A policy limits how far an autoscaler scales up in so long.", Page: autoscalerPage,
	},
	{
		Kinds: []string{option}, Path: "nodeLifecycleController.nodeMonitorGracePeriod",
		Waits: Nodes, From: Created, Races: true, Default: 50 * time.Second,
		Grain: monitorPeriod, needs: failingNode,
		Sentence: "A node that has not reported for so long is tainted as unreachable.", Page: managerPage,
	},
	{
		Kinds: []string{option}, Path: "hpaController.horizontalPodAutoscalerSyncPeriod",
		Waits: Scales, From: Scaled, Races: true, Repeats: true, Default: syncPeriod,
		Grain: syncPeriod, needs: autoscaler,
		Sentence: "An autoscaler looks at its metrics so often.", Page: managerPage,
	},
	{
		Kinds: []string{option}, Path: "hpaController.horizontalPodAutoscalerDownscaleStabilizationWindow",
		Waits: Scales, From: Scaled, Races: true, Default: 5 * time.Minute,
		Grain: syncPeriod, needs: autoscaler,
		Sentence: "An autoscaler without a window of its own scales down to the highest of its recommendations of so long.",
		Page:     managerPage,
	},
}

// podSpecs are where the spec of a Pod is.
var podSpecs = map[string]string{
	"Pod": "spec", "Deployment": "spec.template.spec", "ReplicaSet": "spec.template.spec", "ReplicationController": "spec.template.spec",
	"StatefulSet": "spec.template.spec", "DaemonSet": "spec.template.spec", "Job": "spec.template.spec",
	"CronJob": "spec.jobTemplate.spec.template.spec",
}

// in is the path of the field in objects of a kind, empty if they have none.
func (f *Field) in(kind string) string {
	if f.inPod {
		if spec := podSpecs[kind]; spec != "" {
			return spec + "." + f.Path
		}
		return ""
	}
	for _, of := range f.Kinds {
		switch {
		case of == kind:
			return f.Path
		case of == "Job" && kind == "CronJob":
			return "spec.jobTemplate." + f.Path
		}
	}
	return ""
}

// Objects names the kinds that have the field.
func (f *Field) Objects() string {
	if f.inPod {
		return "Pods and their templates"
	}
	return strings.Join(f.Kinds, ", ")
}
