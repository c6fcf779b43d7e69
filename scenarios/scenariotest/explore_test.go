package scenariotest

import (
	"context"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
)

// backup is a controller with a bug that many have. It makes a ConfigMap for each Deployment with the annotation
// backup, unless its cache has one. But the cache may be older than its own last write, and the name of what it
// makes is generated, so that the API server does not notice either.
func backup(ctx context.Context, c controllers.Clients) error {
	deployments, configMaps := c.Informers.Apps().V1().Deployments(), c.Informers.Core().V1().ConfigMaps()
	queue := workqueue.NewTypedRateLimitingQueueWithConfig(workqueue.DefaultTypedControllerRateLimiter[cache.ObjectName](),
		workqueue.TypedRateLimitingQueueConfig[cache.ObjectName]{Name: "backup"})
	enqueue := func(obj any) {
		if key, err := cache.DeletionHandlingObjectToName(obj); err == nil {
			queue.Add(key)
		}
	}
	if _, err := deployments.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: enqueue, UpdateFunc: func(_, obj any) { enqueue(obj) },
	}); err != nil {
		return err
	}
	synced := []cache.InformerSynced{deployments.Informer().HasSynced, configMaps.Informer().HasSynced}
	c.Informers.Start(ctx.Done())
	defer c.Informers.Shutdown()
	defer context.AfterFunc(ctx, queue.ShutDown)()
	if !cache.WaitForCacheSync(ctx.Done(), synced...) {
		return nil
	}
	for {
		key, down := queue.Get()
		if down {
			return nil
		}
		d, err := deployments.Lister().Deployments(key.Namespace).Get(key.Name)
		if err == nil && d.Annotations["backup"] != "" {
			selector := labels.SelectorFromSet(labels.Set{"backup-of": d.Name})
			existing, _ := configMaps.Lister().ConfigMaps(d.Namespace).List(selector)
			if len(existing) == 0 {
				_, _ = c.Client.CoreV1().ConfigMaps(d.Namespace).Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
					GenerateName: d.Name + "-backup-", Labels: map[string]string{"backup-of": d.Name},
				}}, metav1.CreateOptions{})
			}
		}
		queue.Done(key)
	}
}

// failing finds a seed with which the working day fails.
func failing(t testing.TB, scenario string, opts ...Option) int64 {
	t.Helper()
	read, err := load(scenario, optionsOf(nil))
	if err != nil {
		t.Fatal(err)
	}
	for seed := int64(1); seed < 50; seed++ {
		report, err := report(read, seed, opts)
		if err != nil {
			t.Fatal(err)
		}
		if len(report.Failures) > 0 && report.Failures[0].Name == "one-backup" {
			return seed
		}
	}
	t.Fatal("no seed fails")
	return 0
}

// report makes one run.
func report(scenario *format.Scenario, seed int64, opts []Option) (*child.Report, error) {
	maker, err := makerOf(scenario, opts)
	if err != nil {
		return nil, err
	}
	return maker.Report(child.Job{Seed: seed})
}

// TestShrinkFindsTheThreeActions makes a day of twelve actions small: of them it takes a Deployment, the
// annotation, and one change soon after it, whatever the seed.
func TestShrinkFindsTheThreeActions(t *testing.T) {
	mine := Controller("backup", backup)
	for seed := int64(1); seed <= 4; seed++ {
		result := Shrink(t, "testdata/backups.yaml", mine, Seed(seed))
		if result.StepsBefore != 12 || result.Steps > 3 || result.Check != "one-backup" {
			t.Errorf("seed %d: from %d to %d steps in %d runs, failing %s: %s\n%s", seed, result.StepsBefore, result.Steps, result.Runs,
				result.Check, result.Message, result.Text)
		}
		if result.Runs > 400 {
			t.Errorf("seed %d: %d runs", seed, result.Runs)
		}
		if !strings.Contains(result.Text, "# this makes the controller act") {
			t.Errorf("seed %d: the comment is lost:\n%s", seed, result.Text)
		}
		small, err := format.Parse("small.yaml", []byte(result.Text), verb.All)
		if err != nil {
			t.Fatal(err)
		}
		again, err := report(small, small.Spec.Seed, []Option{mine})
		if err != nil || again.Hash != result.TraceHash || again.Failures[0].Name != "one-backup" {
			t.Errorf("seed %d, again: %+v, %v, want the trace %s", seed, again, err, result.TraceHash)
		}
	}
}

// twice annotates a Deployment twice, at once, or later.
const twice = `
apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: twice}
spec:
  title: Two changes of a Deployment
  horizon: 10s
  kubernetes: {controllers: []}
  steps:
  - note: nothing
  - create: |
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web, annotations: {backup: daily}}
      spec:
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec: {containers: [{name: c, image: "web:v1"}]}
  - annotate: {target: deployment/web, set: {a: "1"}}
  checks:
  - {name: one-backup, always: "size(list('configmaps').filter(c, has(c.metadata.labels) && 'backup-of' in c.metadata.labels)) <= 1"}
`

func TestExploreShowsTheSmallestScenario(t *testing.T) {
	explored := func(scenario string) string {
		return told(t, func(tb testing.TB) { Explore(tb, scenario, 5, Controller("backup", backup)) })
	}
	text := explored(twice)
	for _, want := range []string{"fails one-backup: false at ", "\n# The smallest scenario that ",
		"\n    - annotate: {target: deployment/web, set: {a: \"1\"}}\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "note:") {
		t.Errorf("the note is still there:\n%s", text)
	}
	if text := explored(strings.Replace(twice, "- annotate:", "- after: 3s\n    annotate:", 1)); text != "" {
		t.Errorf("nothing fails, but the test is told\n%s", text)
	}
	if text := explored(strings.Replace(twice, "deployment/web", "deployment/wbe", 1)); !strings.Contains(text, "not found\nTry: ") {
		t.Errorf("of a wrong scenario it is told\n%s", text)
	}
}

// TestExploreDrawsFaults finds the bug of a controller in a scenario in which nothing goes wrong by itself: between its two
// changes there is time for every watch event, unless the cache is behind.
func TestExploreDrawsFaults(t *testing.T) {
	apart := strings.Replace(twice, "- annotate:", "- after: 3s\n    annotate:", 1)
	text := told(t, func(tb testing.TB) {
		Explore(tb, apart, 40, Controller("backup", backup), Faults("stale-caches"))
	})
	for _, want := range []string{
		"fails one-backup: false at ", "\nstale-caches: list configmaps of backup: delay", "watch configmaps of backup: 410 Expired",
		"\n# It passes without its faults.\n", "- {name: stale-caches-2, watch: {resource: configmaps}, expire: true}\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	text = told(t, func(tb testing.TB) { Explore(tb, apart, 1, Faults("stale-cache")) })
	if !strings.Contains(text, `unknown fault space "stale-cache"`) {
		t.Errorf("of an unknown space it is told\n%s", text)
	}
}

// BenchmarkShrink makes the day small; what an iteration takes is how long somebody waits.
func BenchmarkShrink(b *testing.B) {
	mine := Controller("backup", backup)
	seed := failing(b, "testdata/backups.yaml", mine)
	var runs int64
	for b.Loop() {
		runs += Shrink(b, "testdata/backups.yaml", mine, Seed(seed)).Runs
	}
	b.ReportMetric(float64(runs)/float64(b.N), "runs/op")
}
