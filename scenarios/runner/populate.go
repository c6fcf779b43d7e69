package runner

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
	"k8s.io/kubernetes/pkg/controlplane/controller/legacytokentracking"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/manifest"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/cluster/binder"
	"github.com/kubestep/kubestep/sim/cluster/controlplane"
	"github.com/kubestep/kubestep/sim/cluster/metrics"
	"github.com/kubestep/kubestep/sim/cluster/plugins/csi"
	"github.com/kubestep/kubestep/sim/cluster/program"
	"github.com/kubestep/kubestep/sim/cluster/provisioner"
	"github.com/kubestep/kubestep/sim/network"
	"github.com/kubestep/kubestep/sim/trace"
)

// populate makes what kube-apiserver makes at its start, the nodes and their kubelets, and the stand-ins beside them.
func (r *run) populate() error {
	stored, err := r.stored()
	if err != nil {
		return err
	}
	whole := slices.ContainsFunc(stored, isWholeCluster)
	if !whole {
		if err := r.startServer(); err != nil {
			return err
		}
	}
	cluster := r.scenario.Spec.Cluster
	if err := r.startKubelets(); err != nil {
		return err
	}
	if cluster.KubeletDetails {
		r.kubelets.Detail(controllers.KubernetesVersion)
	}
	if r.mayRest() {
		r.kubelets.Rest(r.looksAtLeases)
	}
	if cluster := r.scenario.Spec.Kubernetes; cluster.Scheduler == format.SimpleScheduler {
		binder.Start(r.sim)
	}
	provisioner.Start(r.sim, csiDrivers(r.scenario)...)
	csi.Start(r.sim, csiDrivers(r.scenario))
	program.Start(r.sim)
	if err := r.startMetrics(); err != nil {
		return err
	}
	if err := r.define(); err != nil {
		return err
	}
	// What was there before comes first: nodes are counted from there.
	r.assumeKubelets(stored)
	if err := r.restore(stored); err != nil {
		return err
	}
	if whole {
		if err := r.startServer(); err != nil {
			return err
		}
	}
	if !r.scenario.RunsStandIn() {
		return nil // they register their nodes themselves
	}
	if err := r.kubelets.Adopt(cluster.Heartbeat.Duration); err != nil {
		return err
	}
	if cluster.KubeletDetails {
		if err := controlplane.KeepLeases(r.sim, soleLeaders(r.scenario), r.renewal()); err != nil {
			return err
		}
	}
	return r.kubelets.AddNodes(nodeSpecs(r.scenario), cluster.Heartbeat.Duration)
}

// longHorizon is the horizon from which on a run leaves out what nobody can observe: the heartbeats of nodes that nobody
// looks at, and, if it has no faults, the upkeep of watches.
const longHorizon = 7 * 24 * time.Hour

// largeCluster is the number of nodes from which on a run leaves out the heartbeats of nodes that nobody looks at, however short it is:
// those of 5,000 nodes are 500 requests a second.
const largeCluster = 500

// looksAtLeases reports whether the client of a watch of Leases may look at heartbeats. Of the controllers that share
// informers, node-lifecycle-controller does; the garbage collector and the quota controller only read metadata.
func (r *run) looksAtLeases(stream *network.Stream) bool {
	name, _ := trace.SplitActor(stream.Actor)
	shared := name == trace.InformerActor || name == trace.MetadataActor
	return !shared || !r.idle[names.NodeLifecycleController] || len(r.custom) > 0
}

// isUndisturbed reports whether the run is long, and nothing fails in it.
func (r *run) isUndisturbed() bool {
	faults, steps := r.scenario.Perturbs()
	return r.isLong() && faults+steps == 0 && len(r.custom) == 0 && !r.scenario.HasCustomResources()
}

// isLong reports whether the run is long, and no condition reads what heartbeats write.
func (r *run) isLong() bool {
	return r.scenario.Spec.Horizon.Duration >= longHorizon && !r.readsHeartbeats()
}

// mayRest reports whether kubelets leave out heartbeats that nobody looks at: in a long run, and in that of a large cluster.
func (r *run) mayRest() bool {
	nodes := 0
	for _, pool := range r.scenario.Spec.Cluster.Nodes {
		nodes += pool.Count
	}
	return r.isLong() || nodes >= largeCluster && !r.readsHeartbeats()
}

// readsHeartbeats reports whether a condition reads what heartbeats write.
func (r *run) readsHeartbeats() bool {
	for _, condition := range r.conditions {
		text := strings.ToLower(condition.Text())
		if strings.Contains(text, "lease") || strings.Contains(text, "heartbeat") {
			return true
		}
	}
	return false
}

// soleLeaders are the components of Kubernetes that run without an election: nobody else wants to lead.
func soleLeaders(s *format.Scenario) (leaders []string) {
	if !elects(s) {
		leaders = append(leaders, controllers.ManagerName)
	}
	if s.Spec.Kubernetes.Scheduler == format.KubeScheduler && !schedulersElect(s) {
		leaders = append(leaders, controllers.SchedulerName)
	}
	return leaders
}

// renewal is how often components without competitors renew their leases: with the heartbeats of nodes, unless these are left out.
func (r *run) renewal() time.Duration {
	if r.mayRest() {
		return 0
	}
	return r.scenario.Spec.Cluster.Heartbeat.Duration
}

// startServer makes what kube-apiserver makes when it starts, unless it exists.
func (r *run) startServer() error {
	if err := controlplane.Start(r.sim); err != nil {
		return err
	}
	return r.trackLegacyTokens()
}

const objectsPath = "spec.cluster.objects"

// stored are the objects that exist from the start.
func (r *run) stored() ([]manifest.Manifest, error) {
	if r.scenario.Spec.Cluster.Objects == "" {
		return nil, nil
	}
	return manifest.Read(r.scenario.Kinds(), r.scenario.File, objectsPath, r.scenario.Spec.Cluster.Objects)
}

// isWholeCluster reports whether the objects with this one among them are all that etcd has: an API server has run on it, which
// made this namespace. Another one that starts on it finds what it needs.
func isWholeCluster(m manifest.Manifest) bool {
	return m.GVK == corev1.SchemeGroupVersion.WithKind("Namespace") && m.Unstructured.GetName() == metav1.NamespaceSystem
}

// assumeKubelets gives a kubelet to the nodes of a restored state, and to those on which its Pods ran: a dump may leave out the nodes.
func (r *run) assumeKubelets(stored []manifest.Manifest) {
	for _, m := range stored {
		switch object := m.Object.(type) {
		case *corev1.Node:
			r.kubelets.Assume(object.Name)
		case *corev1.Pod:
			if object.Status.StartTime != nil {
				r.kubelets.Assume(object.Spec.NodeName)
			}
		}
	}
}

// restore puts the objects of the scenario into the store.
func (r *run) restore(stored []manifest.Manifest) error {
	for _, m := range stored {
		req := verb.Request("restore", m.Target())
		req.Object = m.Object
		if err := r.sim.Restore(req); err != nil {
			return r.scenario.Place(err, objectsPath, m.Position)
		}
	}
	return nil
}

// trackLegacyTokens says since when the API server notes the use of tokens in Secrets: since today, as in a
// new cluster. kube-apiserver always says so; here only the controller that asks for it wants to know.
func (r *run) trackLegacyTokens() error {
	if !controllers.IsEnabled(r.scenario.Spec.Kubernetes.Controllers, names.LegacyServiceAccountTokenCleanerController) {
		return nil
	}
	_, err := r.sim.Execute(apiserver.Request{
		Actor: apiserver.Self, Verb: "create", Resource: corev1.SchemeGroupVersion.WithResource("configmaps"),
		Namespace: metav1.NamespaceSystem,
		Object: &corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{Namespace: metav1.NamespaceSystem, Name: legacytokentracking.ConfigMapName},
			Data:       map[string]string{legacytokentracking.ConfigMapDataKey: startAt(r.scenario, r.seed).UTC().Format(time.DateOnly)},
		},
	}, 0, true)
	if apierrors.IsAlreadyExists(err) {
		return nil // it was restored
	}
	return err
}

// startMetrics starts a metrics-server if the scenario says what pods use, or upstream's kubelets run, whose container runtimes know it.
func (r *run) startMetrics() error {
	var loads []*metrics.Load
	for i, load := range r.scenario.Spec.Cluster.Load {
		out := &metrics.Load{Namespace: load.Namespace, External: load.External, Metric: load.Metric}
		switch {
		case load.Object != "":
			target, err := notation.ParseTarget(r.scenario.Kinds(), load.Object)
			if err != nil {
				return r.scenario.Errorf(source.Item("spec.cluster.load", i)+".object", "service/web", "%v", err)
			}
			kind := target.Kind()
			out.Namespace = target.Namespace
			out.Object = &metrics.Object{
				GroupVersionKind: kind.GroupVersionKind(), Resource: kind.GroupResource().String(), Name: target.Name,
			}
		case load.Pods != "":
			selector, err := labels.Parse(load.Pods)
			if err != nil {
				return r.scenario.Errorf(source.Item("spec.cluster.load", i)+".pods", "app=web", "%v", err)
			}
			out.Pods = selector
		}
		for _, level := range load.Levels {
			to := verb.LevelOf(level.Total, level.PerPod)
			to.At = level.At.Duration
			out.Levels = append(out.Levels, to)
		}
		loads = append(loads, out)
	}
	options, reachable := metricsOptions(r.scenario.Spec.Cluster.Metrics), r.kubelets.Answers
	if r.scenario.RunsKubelets() {
		reachable, options.Measured = r.answers, r.measured
	}
	if loads != nil || options.Measured != nil {
		r.metrics = metrics.Start(r.sim, loads, reachable, options)
	}
	return nil
}

func metricsOptions(m format.Metrics) (options metrics.Options) {
	if m.Resolution != nil {
		options.Resolution = m.Resolution.Duration
	}
	if m.Delay != nil {
		options.Delay = m.Delay.Duration
	}
	return options
}
