package controllers

import (
	"context"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/cluster/binder"
	"github.com/kubestep/kubestep/sim/cluster/node"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/network"
	"github.com/kubestep/kubestep/sim/trace"
)

var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// play runs a simulation with two nodes and the workload controllers for a minute, lets user act in it, and returns the
// trace and its hash.
func play(t *testing.T, seed uint64, user func(ctx context.Context, world *sim.Simulation)) ([]*trace.Record, string) {
	t.Helper()
	var records []*trace.Record
	var hash string
	err := engine.Bubble(start, func() {
		world, err := sim.New(sim.Options{
			Seed: seed, QPS: 20, Burst: 30,
			Request: network.Range{Min: time.Millisecond, Max: 5 * time.Millisecond},
			Watch:   network.Range{Min: time.Millisecond, Max: 10 * time.Millisecond},
			Sinks:   []trace.Sink{func(r *trace.Record, _ []byte) { records = append(records, r) }},
		})
		if err != nil {
			t.Error(err)
			return
		}
		defer world.End()
		second := node.Delay{Min: time.Second, Max: time.Second}
		kubelets := node.Start(world, []node.Rule{{Ready: second, Terminate: second}})
		binder.Start(world)
		if err := kubelets.AddNodes([]node.Spec{{Name: "a", Pods: 100}, {Name: "b", Pods: 100}}, 10*time.Second); err != nil {
			t.Error(err)
		}
		config, err := NewConfig(nil)
		if err != nil {
			t.Error(err)
			return
		}
		running, err := Start(world, Options{ManagerOptions: ManagerOptions{Config: config}})
		if err != nil {
			t.Error(err)
			return
		}
		world.Go("kubectl", func(ctx context.Context) { user(ctx, world) })
		world.Run(time.Minute)
		if err := running.Err(); err != nil {
			t.Error(err)
		}
		if len(running.Names()) != len(Workload) {
			t.Errorf("controllers %v run, want %v", running.Names(), Workload)
		}
		hash = world.Recorder.Hash()
	})
	if err != nil {
		t.Fatal(err)
	}
	return records, hash
}

// createWeb creates a Deployment of n replicas.
func createWeb(n int32) func(ctx context.Context, world *sim.Simulation) {
	return func(ctx context.Context, world *sim.Simulation) {
		labels := map[string]string{"app": "web"}
		_, _ = world.Client("kubectl").AppsV1().Deployments("default").Create(ctx, &appsv1.Deployment{
			ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "default"},
			Spec: appsv1.DeploymentSpec{
				Replicas: &n, Selector: &metav1.LabelSelector{MatchLabels: labels},
				Template: corev1.PodTemplateSpec{
					ObjectMeta: metav1.ObjectMeta{Labels: labels},
					Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "web:v1"}}},
				},
			},
		}, metav1.CreateOptions{})
	}
}

// TestARequestNamesItsCauses follows the chain from the first pod's creation back to the user: pod <- sync
// of the ReplicaSet <- enqueue <- watch event <- ReplicaSet's creation <- sync of the Deployment <- enqueue
// <- watch event <- the user's request.
func TestARequestNamesItsCauses(t *testing.T) {
	records, _ := play(t, 1, createWeb(3))
	var pod *trace.Record
	for _, r := range records {
		if r.Request != nil && r.Request.Verb == "create" && r.Request.Resource == "pods" && r.Request.Subresource == "" {
			pod = r
			break
		}
	}
	if pod == nil {
		t.Fatal("no pod was created")
	}
	var chain []string
	for r := pod; ; r = records[r.Cause-1] {
		chain = append(chain, strings.TrimSpace(string(r.Kind)+" "+r.Actor))
		if r.Cause == 0 {
			break
		}
	}
	want := "request replicaset-controller, sync replicaset-controller, enqueue replicaset-controller, watch shared-informers, " +
		"request deployment-controller, sync deployment-controller, enqueue deployment-controller, watch shared-informers, request kubectl"
	if got := strings.Join(chain, ", "); got != want {
		t.Errorf("causes:\n got %s\nwant %s", got, want)
	}
}

// TestTheSameSeedGivesTheSameTrace is the promise, on one and on several processors.
func TestTheSameSeedGivesTheSameTrace(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	hashes := map[uint64]string{}
	for _, processors := range []int{1, 2, 8} {
		runtime.GOMAXPROCS(processors)
		t.Setenv("GOMAXPROCS", strconv.Itoa(processors)) // so that the simulation takes as many
		for seed := range uint64(3) {
			_, hash := play(t, seed, createWeb(5))
			if known, ok := hashes[seed]; ok && known != hash {
				t.Errorf("seed %d with GOMAXPROCS=%d: %s, before %s", seed, processors, hash, known)
			}
			hashes[seed] = hash
		}
	}
	if hashes[0] == hashes[1] {
		t.Error("two seeds give one trace")
	}
}

func TestResolve(t *testing.T) {
	got, err := Resolve([]string{"*", "-daemonset", "nodelifecycle"})
	if err != nil || strings.Join(got, " ") != "* -daemonset-controller node-lifecycle-controller" {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := Resolve([]string{"deploymnt"}); err == nil || !strings.Contains(err.Error(), `"deploymnt"`) {
		t.Errorf("an unknown controller: got %v", err)
	}
}

func TestDescriptorsAreUpstreams(t *testing.T) {
	all := Descriptors()
	if len(all) != 49 {
		t.Errorf("%d controllers, want the 49 of v1.37", len(all))
	}
	for _, d := range all {
		if d.Name == "deployment-controller" && (len(d.Aliases) != 1 || d.Aliases[0] != "deployment" || !d.Default) {
			t.Errorf("deployment-controller: %+v", d)
		}
	}
}

func TestConfigKeepsUpstreamsDefaults(t *testing.T) {
	config, err := NewConfig([]byte(`{"deploymentController": {"concurrentDeploymentSyncs": 2}}`))
	if err != nil {
		t.Fatal(err)
	}
	if config.DeploymentController.ConcurrentDeploymentSyncs != 2 || config.ReplicaSetController.ConcurrentRSSyncs != 5 {
		t.Errorf("deployment %d, replicaset %d; want 2 and upstream's 5",
			config.DeploymentController.ConcurrentDeploymentSyncs, config.ReplicaSetController.ConcurrentRSSyncs)
	}
	if _, err := NewConfig([]byte(`{"deploymentControler": {}}`)); err == nil {
		t.Error("an unknown field is accepted")
	}
}
