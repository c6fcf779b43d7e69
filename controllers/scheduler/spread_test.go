//go:build !kubernetes_before_1_37

package scheduler

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/podtopologyspread"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"k8s.io/kubernetes/pkg/scheduler/metrics"
)

// TestSpreadCountsAsUpstream schedules Pods in random clusters in which Pods come, change and go. The plugin with kept counts must find the
// counts and the scores of upstream's each time.
func TestSpreadCountsAsUpstream(t *testing.T) {
	var differences []string
	defer CheckSpread(func(difference string) { differences = append(differences, difference) })()
	kept := 0
	for seed := range uint64(40) {
		c := newRandomCluster(t, seed)
		for range 60 {
			c.change(t)
			if c.schedule(t) {
				kept++
			}
			if len(differences) > 0 {
				t.Fatalf("seed %d: %s", seed, differences[0])
			}
		}
	}
	if kept == 0 {
		t.Error("no Pod was scored with kept counts")
	}
}

// TestSpreadSeesDifferences: a wrong count is reported.
func TestSpreadSeesDifferences(t *testing.T) {
	var differences []string
	defer CheckSpread(func(difference string) { differences = append(differences, difference) })()
	c := newRandomCluster(t, 1)
	for len(c.pods) < 20 || !c.schedule(t) {
		c.change(t)
	}
	for _, node := range c.spread(t).counts.nodes {
		for _, group := range node.groups {
			group.size++
		}
	}
	for !c.schedule(t) {
	}
	if len(differences) == 0 {
		t.Error("a wrong count was not reported")
	}
}

// randomCluster is a cluster with one profile, which has only the plugin PodTopologySpread.
type randomCluster struct {
	random  *rand.Rand
	nodes   []fwk.NodeInfo
	pods    []*corev1.Pod
	made    int
	profile framework.Framework
}

func newRandomCluster(t *testing.T, seed uint64) *randomCluster {
	t.Helper()
	c := &randomCluster{random: rand.New(rand.NewPCG(seed, 0))}
	for i := range 1 + c.random.IntN(6) {
		node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("node-", i), Labels: map[string]string{}}}
		if c.random.IntN(8) > 0 {
			node.Labels[corev1.LabelHostname] = node.Name
		}
		if c.random.IntN(3) > 0 {
			node.Labels[corev1.LabelTopologyZone] = c.one("zone-a", "zone-b")
		}
		info := framework.NewNodeInfo()
		info.SetNode(node)
		c.nodes = append(c.nodes, info)
	}
	metrics.InitMetrics()
	client := informers.NewSharedInformerFactory(fake.NewClientset(), 0)
	service := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "a", Name: "web"}}
	service.Spec.Selector = map[string]string{"app": "web"}
	if err := client.Core().V1().Services().Informer().GetIndexer().Add(service); err != nil {
		t.Fatal(err)
	}
	enabled := func(names ...string) (set config.PluginSet) {
		for _, name := range names {
			set.Enabled = append(set.Enabled, config.Plugin{Name: name, Weight: 1})
		}
		return set
	}
	profile, err := frameworkruntime.NewFramework(t.Context(), plugins.NewInTreeRegistry(), &config.KubeSchedulerProfile{
		SchedulerName: corev1.DefaultSchedulerName,
		Plugins: &config.Plugins{
			QueueSort: enabled("PrioritySort"), Bind: enabled("DefaultBinder"),
			PreScore: enabled(podtopologyspread.Name), Score: enabled(podtopologyspread.Name),
		},
		PluginConfig: []config.PluginConfig{{
			Name: podtopologyspread.Name, Args: &config.PodTopologySpreadArgs{DefaultingType: config.SystemDefaulting},
		}},
	}, frameworkruntime.WithInformerFactory(client),
		frameworkruntime.WithSnapshotSharedLister(oneNode{nodes: oneNodeLister{list: c.nodes}}))
	if err != nil {
		t.Fatal(err)
	}
	c.profile = profile
	keepSpreadCounts(profile)
	return c
}

func (c *randomCluster) one(of ...string) string { return of[c.random.IntN(len(of))] }

// pod makes a Pod, which a Service selects or not.
func (c *randomCluster) pod() *corev1.Pod {
	c.made++
	name := fmt.Sprint("pod-", c.made)
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Namespace: c.one("a", "a", "b"), Name: name, UID: types.UID(name),
		Labels: map[string]string{"app": c.one("web", "web", "db"), "version": c.one("v1", "v2")},
	}}
	pod.Spec.NodeName = c.one(c.names()...)
	if c.random.IntN(4) == 0 {
		pod.Spec.NodeSelector = map[string]string{corev1.LabelTopologyZone: "zone-a"}
	}
	return pod
}

func (c *randomCluster) names() (names []string) {
	for _, info := range c.nodes {
		names = append(names, info.Node().Name)
	}
	return names
}

func (c *randomCluster) nodeOf(pod *corev1.Pod) fwk.NodeInfo {
	return c.nodes[slices.Index(c.names(), pod.Spec.NodeName)]
}

// change lets a Pod come, go, get other labels, or begin to end, as the scheduler's cache does: a change removes a Pod and adds another.
func (c *randomCluster) change(t *testing.T) {
	t.Helper()
	if len(c.pods) < 5 || c.random.IntN(3) > 0 {
		pod := c.pod()
		c.pods = append(c.pods, pod)
		c.nodeOf(pod).(*framework.NodeInfo).AddPod(pod)
		return
	}
	at := c.random.IntN(len(c.pods))
	pod := c.pods[at]
	if err := c.nodeOf(pod).RemovePod(klog.Background(), pod); err != nil {
		t.Fatal(err)
	}
	changed := pod.DeepCopy()
	switch c.random.IntN(3) {
	case 0:
		c.pods = slices.Delete(c.pods, at, at+1)
		return
	case 1:
		changed.Labels["app"] = c.one("web", "db")
	case 2:
		changed.DeletionTimestamp = &metav1.Time{}
	}
	c.pods[at] = changed
	c.nodeOf(changed).(*framework.NodeInfo).AddPod(changed)
}

// schedule scores some nodes for a Pod, and reports whether the counts were kept ones.
func (c *randomCluster) schedule(t *testing.T) (kept bool) {
	t.Helper()
	pod, state := c.pod(), framework.NewCycleState()
	pod.Spec.NodeName = ""
	nodes := slices.Clone(c.nodes)
	c.random.Shuffle(len(nodes), func(i, j int) { nodes[i], nodes[j] = nodes[j], nodes[i] })
	nodes = nodes[:1+c.random.IntN(len(nodes))]
	ctx := context.Background()
	if status := c.profile.RunPreScorePlugins(ctx, state, pod, nodes); !status.IsSuccess() {
		t.Fatal(status.AsError())
	}
	if _, status := c.profile.RunScorePlugins(ctx, state, pod, nodes); !status.IsSuccess() {
		t.Fatal(status.AsError())
	}
	_, err := state.Read(keptState)
	return err == nil
}

// spread is the plugin with kept counts.
func (c *randomCluster) spread(t *testing.T) *spread {
	t.Helper()
	for _, plugin := range scorePluginsOf(c.profile) {
		if counting, ok := plugin.(spreadScore); ok {
			return counting.spread
		}
	}
	t.Fatal("the profile has no plugin with kept counts")
	return nil
}

// seenPod counts how often somebody looks at it.
type seenPod struct {
	fwk.PodInfo
	looks *int
}

// GetPod implements fwk.PodInfo.
func (s *seenPod) GetPod() *corev1.Pod {
	*s.looks++
	return s.PodInfo.GetPod()
}

// TestSpreadLooksAtEachPodOnce: counts follow a node on which Pods come and go, one after the other, and look at one Pod each time.
// Otherwise the cost of a rollout would grow with the square of its Pods.
func TestSpreadLooksAtEachPodOnce(t *testing.T) {
	const all = 1000
	looks := 0
	node := nodePods{groups: map[string]*podGroup{}}
	size := func() int64 { return node.groups["a?app=web"].size }
	var pods []fwk.PodInfo
	for i := range all {
		pod, err := framework.NewPodInfo(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{
			Namespace: "a", Name: fmt.Sprint("pod-", i), Labels: map[string]string{"app": "web"},
		}})
		if err != nil {
			t.Fatal(err)
		}
		pods = append(pods, &seenPod{pod, &looks})
		node.follow(pods)
	}
	if looks != all || size() != all {
		t.Errorf("%d Pods came: %d looks, and %d are counted", all, looks, size())
	}
	looks = 0
	for len(pods) > 1 {
		// Upstream puts the last Pod into the place of the one that goes.
		pods = slices.Clone(pods)
		pods[0] = pods[len(pods)-1]
		pods = pods[:len(pods)-1]
		node.follow(pods)
	}
	if looks != all-1 || size() != 1 {
		t.Errorf("all but one of %d Pods went: %d looks, and %d are counted", all, looks, size())
	}
}
