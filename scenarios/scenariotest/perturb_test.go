package scenariotest

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/scenariotest/internal/perturb"
)

// syncFunc reconciles the ConfigMap want, as the cache has it; nil if it is not there. got returns another one of the cache.
type syncFunc func(ctx context.Context, client v1.ConfigMapInterface, want *corev1.ConfigMap, got func(string) *corev1.ConfigMap) error

// requeueAfter is returned by a syncFunc that has to be called again after a time.
type requeueAfter time.Duration

// Error implements error.
func (d requeueAfter) Error() string { return "again in " + time.Duration(d).String() }

// reconciler is a controller that calls sync for each change of a ConfigMap, and again if it fails. deleted is called for the
// event of a deletion.
func reconciler(sync syncFunc, deleted func(context.Context, v1.ConfigMapInterface, string)) controllers.Custom {
	return func(ctx context.Context, c controllers.Clients) error {
		informer := c.Informers.Core().V1().ConfigMaps()
		client := c.Client.CoreV1().ConfigMaps("default")
		queue := workqueue.NewTypedRateLimitingQueueWithConfig(workqueue.DefaultTypedControllerRateLimiter[string](),
			workqueue.TypedRateLimitingQueueConfig[string]{Name: "mine"})
		add := func(any) { queue.Add("default/want") }
		if _, err := informer.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc: add, UpdateFunc: func(_, obj any) { add(obj) }, DeleteFunc: func(obj any) {
				add(obj)
				if object, ok := obj.(*corev1.ConfigMap); ok && deleted != nil {
					deleted(ctx, client, object.Name)
				}
			},
		}); err != nil {
			return err
		}
		c.Informers.Start(ctx.Done())
		defer c.Informers.Shutdown()
		defer context.AfterFunc(ctx, queue.ShutDown)()
		c.Informers.WaitForCacheSync(ctx.Done())
		got := func(name string) *corev1.ConfigMap {
			object, _ := informer.Lister().ConfigMaps("default").Get(name)
			return object
		}
		for {
			key, down := queue.Get()
			if down {
				return nil
			}
			var wait requeueAfter
			switch err := sync(ctx, client, got("want"), got); {
			case errors.As(err, &wait):
				queue.AddAfter(key, time.Duration(wait))
			case err != nil:
				queue.AddRateLimited(key)
			default:
				queue.Forget(key)
			}
			queue.Done(key)
		}
	}
}

func configMap(name string, data map[string]string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}, Data: data}
}

func create(ctx context.Context, client v1.ConfigMapInterface, object *corev1.ConfigMap) error {
	_, err := client.Create(ctx, object, metav1.CreateOptions{})
	return err
}

// careful copies want to copy, and survives everything.
func careful(ctx context.Context, client v1.ConfigMapInterface, want *corev1.ConfigMap, got func(string) *corev1.ConfigMap) error {
	copied := got("copy")
	switch {
	case want == nil && copied != nil:
		return client.Delete(ctx, "copy", metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &copied.UID}})
	case want == nil:
		return nil
	case copied == nil:
		return create(ctx, client, configMap("copy", want.Data))
	case !maps.Equal(copied.Data, want.Data):
		copied = copied.DeepCopy()
		copied.Data = want.Data
		_, err := client.Update(ctx, copied, metav1.UpdateOptions{})
		return err
	}
	return nil
}

// mistakes are controllers that work in a quiet cluster, each with a mistake that one of the patterns shows.
var mistakes = map[string]controllers.Custom{
	// The second ConfigMap is made only together with the first one.
	"crash-after-write": reconciler(func(ctx context.Context, client v1.ConfigMapInterface, want *corev1.ConfigMap, got func(string) *corev1.ConfigMap) error {
		if want == nil || got("copy") != nil {
			return nil
		}
		if err := create(ctx, client, configMap("copy", nil)); err != nil {
			return err
		}
		return create(ctx, client, configMap("index", nil))
	}, nil),
	// An error says nothing about whether the write was executed.
	"lost-answer": reconciler(func(ctx context.Context, client v1.ConfigMapInterface, want *corev1.ConfigMap, got func(string) *corev1.ConfigMap) error {
		if want == nil || got("done") != nil {
			return nil
		}
		object := configMap("", nil)
		object.GenerateName = "copy-"
		if create(ctx, client, object) != nil && create(ctx, client, object) != nil {
			return nil
		}
		return create(ctx, client, configMap("done", nil))
	}, nil),
	// Nothing reconciles again after an error.
	"refused-write": reconciler(func(ctx context.Context, client v1.ConfigMapInterface, want *corev1.ConfigMap, got func(string) *corev1.ConfigMap) error {
		_ = careful(ctx, client, want, got)
		return nil
	}, nil),
	// What the cache does not have yet is lost.
	"swapped-answer": reconciler(func(ctx context.Context, client v1.ConfigMapInterface, want *corev1.ConfigMap, got func(string) *corev1.ConfigMap) error {
		if want == nil || got("copy") != nil {
			return nil
		}
		if err := create(ctx, client, configMap("copy", nil)); err != nil || got("copy") != nil {
			return err
		}
		return create(ctx, client, configMap("lost", nil))
	}, nil),
	// A Pod that exists runs, or will run.
	"rejected-pod": func(ctx context.Context, c controllers.Clients) error {
		pods, client := c.Informers.Core().V1().Pods(), c.Client.CoreV1().Pods("default")
		pods.Informer()
		return reconciler(func(ctx context.Context, _ v1.ConfigMapInterface, want *corev1.ConfigMap, _ func(string) *corev1.ConfigMap) error {
			if _, err := pods.Lister().Pods("default").Get("copy"); want == nil || err == nil {
				return nil
			}
			_, err := client.Create(ctx, &corev1.Pod{
				ObjectMeta: metav1.ObjectMeta{Name: "copy"}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "i"}}},
			}, metav1.CreateOptions{})
			return err
		}, nil)(ctx, c)
	},
	// A slow answer is taken for a failure.
	"late-answer": reconciler(func(ctx context.Context, client v1.ConfigMapInterface, want *corev1.ConfigMap, got func(string) *corev1.ConfigMap) error {
		if want == nil || got("done") != nil {
			return nil
		}
		object, begin := configMap("", nil), time.Now()
		object.GenerateName = "copy-"
		if err := create(ctx, client, object); err != nil {
			return err
		}
		if time.Since(begin) > time.Second {
			_ = create(ctx, client, object)
		}
		return create(ctx, client, configMap("done", nil))
	}, nil),
	// It expects its timer to expire on time: what comes too late is left out.
	"late-timer": reconciler(func(ctx context.Context, client v1.ConfigMapInterface, want *corev1.ConfigMap, got func(string) *corev1.ConfigMap) error {
		if want == nil || got("copy") != nil {
			return nil
		}
		switch age := time.Since(want.CreationTimestamp.Time); {
		case age < 3*time.Second:
			return requeueAfter(3 * time.Second)
		case age > 5*time.Second:
			return nil
		}
		return create(ctx, client, configMap("copy", nil))
	}, nil),
	// A conflict is taken for somebody else's success.
	"conflict": reconciler(func(ctx context.Context, client v1.ConfigMapInterface, want *corev1.ConfigMap, got func(string) *corev1.ConfigMap) error {
		if err := careful(ctx, client, want, got); err != nil && !apierrors.IsConflict(err) {
			return err
		}
		return nil
	}, nil),
	"late-events": backup,
	// In the first version there is nothing that is done, so whatever is there is deleted.
	"stale-restart": reconciler(func(ctx context.Context, client v1.ConfigMapInterface, want *corev1.ConfigMap, got func(string) *corev1.ConfigMap) error {
		switch {
		case want == nil:
			return nil
		case want.Data["version"] == "1":
			_ = client.Delete(ctx, "done", metav1.DeleteOptions{})
			_ = create(ctx, client, configMap("copy", want.Data))
			return nil
		}
		copied, err := client.Get(ctx, "copy", metav1.GetOptions{})
		if err != nil || copied.Data["version"] == "2" {
			return err
		}
		if err := create(ctx, client, configMap("done", nil)); err != nil {
			return err
		}
		return careful(ctx, client, want, got)
	}, nil),
	// It counts the changes that it sees.
	"missed-change": reconciler(func(ctx context.Context, client v1.ConfigMapInterface, want *corev1.ConfigMap, got func(string) *corev1.ConfigMap) error {
		if want == nil || got("saw-"+want.Data["version"]) != nil {
			return nil
		}
		return create(ctx, client, configMap("saw-"+want.Data["version"], nil))
	}, nil),
	// Nobody sends it the event again.
	"down-at-change": reconciler(func(ctx context.Context, client v1.ConfigMapInterface, want *corev1.ConfigMap, got func(string) *corev1.ConfigMap) error {
		if want == nil {
			return nil
		}
		return careful(ctx, client, want, got)
	}, func(ctx context.Context, client v1.ConfigMapInterface, name string) {
		if name == "want" {
			_ = client.Delete(ctx, "copy", metav1.DeleteOptions{})
		}
	}),
}

// changing makes, changes and deletes the ConfigMap want.
const changing = `
apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: changing}
spec:
  title: A ConfigMap changes and goes
  horizon: 40s
  kubernetes: {controllers: []}
  steps:
  - create: |
      {apiVersion: v1, kind: ConfigMap, metadata: {name: want}, data: {version: "1"}}
  - after: 5s
    patch: {target: configmap/want, patch: {data: {version: "2"}}}
  - after: 10s
    DELETION
  checks:
  - {name: kept, always: "true"}
`

// scenarioOf is the scenario that shows a mistake: some need a deletion, and some an object that is still there.
func scenarioOf(pattern string) string {
	deletion := "note: It stays."
	switch pattern {
	case "down-at-change":
		deletion = "delete: {target: configmap/want}"
	case "webhook-refused", "webhook-timeout", "webhook-slow":
		return checkedFor(pattern)
	case "rejected-pod":
		return strings.Replace(strings.Replace(changing, "DELETION", deletion, 1), "  steps:", "  cluster: {nodes: [{count: 1}]}\n  steps:", 1)
	case "late-events":
		return strings.Replace(twice, "- annotate:", "- after: 500ms\n    annotate:", 1)
	}
	return strings.Replace(changing, "DELETION", deletion, 1)
}

// TestEachPatternFindsAMistake shows for each pattern a controller that no quiet run and none of the patterns before finds.
func TestEachPatternFindsAMistake(t *testing.T) {
	var tested []string
	for _, pattern := range perturb.Patterns() {
		tested = append(tested, pattern.Name)
		t.Run(pattern.Name, func(t *testing.T) {
			mine := mistakes[pattern.Name]
			if text := told(t, func(tb testing.TB) { Run(tb, scenarioOf(pattern.Name), Controller("mine", mine)) }); text != "" {
				t.Fatalf("the quiet run fails:\n%s", text)
			}
			text := told(t, func(tb testing.TB) {
				Perturb(tb, scenarioOf(pattern.Name), Controller("mine", mine), Patterns(pattern.Name), Smallest(0))
			})
			if !strings.Contains(text, "\n  "+pattern.Name+" ") {
				t.Errorf("nothing is found:\n%s", text)
			}
		})
	}
	if named := slices.Sorted(maps.Keys(mistakes)); !slices.Equal(named, slices.Sorted(slices.Values(tested))) {
		t.Errorf("mistakes %v, patterns %v", named, tested)
	}
}

// TestACarefulControllerSurvives runs all patterns against a controller without a mistake.
func TestACarefulControllerSurvives(t *testing.T) {
	findings := Perturb(t, scenarioOf("down-at-change"), Controller("mine", reconciler(careful, nil)))
	if findings.Runs < 12 {
		t.Errorf("only %d runs", findings.Runs)
	}
}

// TestPerturbShowsTheSmallestScenario runs all patterns against the mistake of one: what is found says where, and how to
// see it again.
func TestPerturbShowsTheSmallestScenario(t *testing.T) {
	text := told(t, func(tb testing.TB) {
		Perturb(tb, scenarioOf("conflict"), Controller("mine", mistakes["conflict"]), Smallest(1))
	})
	for _, want := range []string{
		"same-end: configmaps/copy: data.version 1, without the faults 2\n  conflict at update of configmaps/copy at 5.0",
		"\n# It passes without its faults.\n", "- {name: conflict, request: {verb: update}, fail: Conflict}\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// later is a check that is true at the horizon only: the runs of Perturb are longer, so that a controller can recover.
const later = "  - {name: early, at-end: \"now < duration('5m')\"}\n"

// TestPerturbNeedsSomethingToPerturb gives it what it cannot work with.
func TestPerturbNeedsSomethingToPerturb(t *testing.T) {
	mine, quiet := Controller("mine", reconciler(careful, nil)), scenarioOf("conflict")
	for _, test := range []struct {
		scenario, want string
		options        []Option
	}{
		{quiet, "needs a controller to perturb\nTry: ", nil},
		{quiet, "unknown pattern \"conflicts\"\nTry: conflict", []Option{mine, Patterns("conflicts")}},
		{strings.Replace(quiet, `"true"`, `"false"`, 1), "the run without faults fails: check kept: ", []Option{mine}},
		{quiet + later, "check early: ", []Option{mine}},
		{"no-such-scenario", "no such file", []Option{mine}},
	} {
		text := told(t, func(tb testing.TB) { Perturb(tb, test.scenario, test.options...) })
		if !strings.Contains(text, test.want) {
			t.Errorf("no %q in\n%s", test.want, text)
		}
	}
}
