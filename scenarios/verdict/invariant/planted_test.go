package invariant_test

import (
	"context"
	"strconv"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	"github.com/kubestep/kubestep/controllers"
)

// planted are controllers that do wrong, by the scenario in which they do it.
var planted = map[string]map[string]controllers.Custom{
	"max-surge":            {"planted": once(func(ctx context.Context, c controllers.Clients) error { return resize(ctx, c, 5) })},
	"max-unavailable":      {"planted": once(func(ctx context.Context, c controllers.Clients) error { return resize(ctx, c, 1) })},
	"replicaset-pods":      {"planted": once(createPod)},
	"no-orphans-taken":     {"planted": once(takePod)},
	"convergence-turns":    {"planted": turns},
	"no-hot-loop-echoes":   {"planted": echoes},
	"no-hot-loop-again":    {"planted": every(500*time.Millisecond, again)},
	"no-hot-loop-replaces": {"planted": every(time.Second, replace)},
	"no-hot-loop-updates":  {"planted": every(time.Second, count)},
	"no-hot-loop-refused":  {"planted": every(time.Second, update("1"))},
	"no-hot-loop-taken":    {"planted": every(time.Second, create)},
	"no-hot-loop-deletes":  {"planted": every(time.Second, remove)},
	"no-hot-loop-patches":  {"planted": every(time.Second, patch)},
	"no-hot-loop-fights": {
		"planted": every(2*time.Second, func(ctx context.Context, c controllers.Clients) error { return resize(ctx, c, 1) }),
		"other":   every(3*time.Second, func(ctx context.Context, c controllers.Clients) error { return resize(ctx, c, 2) }),
	},
}

// once does something when the simulation has come to rest.
func once(do controllers.Custom) controllers.Custom {
	return func(ctx context.Context, c controllers.Clients) error {
		time.Sleep(20 * time.Second)
		if err := do(ctx, c); err != nil {
			return err
		}
		<-ctx.Done()
		return nil
	}
}

func every(span time.Duration, do controllers.Custom) controllers.Custom {
	return func(ctx context.Context, c controllers.Clients) error {
		for {
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(span):
			}
			if err := do(ctx, c); err != nil && !apierrors.IsConflict(err) && !apierrors.IsNotFound(err) && ctx.Err() == nil {
				return err
			}
		}
	}
}

// set is the only ReplicaSet.
func set(ctx context.Context, c controllers.Clients) (*appsv1.ReplicaSet, error) {
	sets, err := c.Client.AppsV1().ReplicaSets("default").List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	return &sets.Items[0], nil
}

func resize(ctx context.Context, c controllers.Clients, replicas int32) error {
	set, err := set(ctx, c)
	if err != nil {
		return err
	}
	set.Spec.Replicas = &replicas
	_, err = c.Client.AppsV1().ReplicaSets("default").Update(ctx, set, metav1.UpdateOptions{})
	return err
}

func createPod(ctx context.Context, c controllers.Clients) error {
	set, err := set(ctx, c)
	if err != nil {
		return err
	}
	pod := &corev1.Pod{Spec: set.Spec.Template.Spec, ObjectMeta: metav1.ObjectMeta{
		Name: "one-more", Labels: set.Spec.Template.Labels,
		OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(set, appsv1.SchemeGroupVersion.WithKind("ReplicaSet"))},
	}}
	_, err = c.Client.CoreV1().Pods("default").Create(ctx, pod, metav1.CreateOptions{})
	return err
}

func takePod(ctx context.Context, c controllers.Clients) error {
	pods, err := c.Client.CoreV1().Pods("default").List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	_, err = c.Client.CoreV1().Pods("default").Patch(ctx, pods.Items[0].Name, types.MergePatchType,
		[]byte(`{"metadata": {"ownerReferences": null}}`), metav1.PatchOptions{})
	return err
}

// again deletes a ConfigMap, and creates it again.
func again(ctx context.Context, c controllers.Clients) error {
	maps := c.Client.CoreV1().ConfigMaps("default")
	if err := maps.Delete(ctx, "copy", metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
		return err
	}
	_, err := maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "copy"}}, metav1.CreateOptions{})
	return err
}

// replace deletes the dependents of the ConfigMap web, and creates another one.
func replace(ctx context.Context, c controllers.Clients) error {
	maps := c.Client.CoreV1().ConfigMaps("default")
	owner, err := maps.Get(ctx, "web", metav1.GetOptions{})
	if err != nil {
		return err
	}
	all, err := maps.List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for i := range all.Items {
		if metav1.IsControlledBy(&all.Items[i], owner) {
			if err := maps.Delete(ctx, all.Items[i].Name, metav1.DeleteOptions{}); err != nil {
				return err
			}
		}
	}
	reference := metav1.NewControllerRef(owner, corev1.SchemeGroupVersion.WithKind("ConfigMap"))
	_, err = maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
		GenerateName: "web-", OwnerReferences: []metav1.OwnerReference{*reference},
	}}, metav1.CreateOptions{})
	return err
}

// count counts in the ConfigMap web.
func count(ctx context.Context, c controllers.Clients) error {
	maps := c.Client.CoreV1().ConfigMaps("default")
	object, err := maps.Get(ctx, "web", metav1.GetOptions{})
	if err != nil {
		return err
	}
	n, _ := strconv.Atoi(object.Data["count"])
	object.Data = map[string]string{"count": strconv.Itoa(n + 1)}
	_, err = maps.Update(ctx, object, metav1.UpdateOptions{})
	return err
}

// update updates the ConfigMap web with an old resourceVersion.
func update(version string) controllers.Custom {
	return func(ctx context.Context, c controllers.Clients) error {
		_, err := c.Client.CoreV1().ConfigMaps("default").Update(ctx, &corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{Name: "web", ResourceVersion: version}, Data: map[string]string{"by": "planted"},
		}, metav1.UpdateOptions{})
		return err
	}
}

// create creates the ConfigMap web, which exists.
func create(ctx context.Context, c controllers.Clients) error {
	_, err := c.Client.CoreV1().ConfigMaps("default").Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "web"}}, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	return err
}

// remove deletes the ConfigMap web, which has a finalizer.
func remove(ctx context.Context, c controllers.Clients) error {
	return c.Client.CoreV1().ConfigMaps("default").Delete(ctx, "web", metav1.DeleteOptions{})
}

// patch patches the ConfigMap web to what it is.
func patch(ctx context.Context, c controllers.Clients) error {
	_, err := c.Client.CoreV1().ConfigMaps("default").Patch(ctx, "web", types.MergePatchType,
		[]byte(`{"data": {"color": "blue"}}`), metav1.PatchOptions{})
	return err
}

// echoes counts its syncs in the object that it syncs.
func echoes(ctx context.Context, c controllers.Clients) error {
	queue := workqueue.NewTypedRateLimitingQueueWithConfig(
		workqueue.DefaultTypedControllerRateLimiter[cache.ObjectName](),
		workqueue.TypedRateLimitingQueueConfig[cache.ObjectName]{Name: "planted"})
	maps := c.Informers.Core().V1().ConfigMaps()
	add := func(object any) {
		if name := cache.MetaObjectToName(object.(*corev1.ConfigMap)); name.Name == "web" {
			queue.Add(name)
		}
	}
	handlers := cache.ResourceEventHandlerFuncs{AddFunc: add, UpdateFunc: func(_, object any) { add(object) }}
	if _, err := maps.Informer().AddEventHandler(handlers); err != nil {
		return err
	}
	c.Informers.Start(ctx.Done())
	c.Informers.WaitForCacheSync(ctx.Done())
	go func() {
		<-ctx.Done()
		queue.ShutDown()
	}()
	for {
		key, shutdown := queue.Get()
		if shutdown {
			return nil
		}
		if object, err := maps.Lister().ConfigMaps(key.Namespace).Get(key.Name); err == nil {
			object = object.DeepCopy()
			n, _ := strconv.Atoi(object.Data["syncs"])
			object.Data = map[string]string{"syncs": strconv.Itoa(n + 1)}
			_, _ = c.Client.CoreV1().ConfigMaps(key.Namespace).Update(ctx, object, metav1.UpdateOptions{})
		}
		queue.Done(key)
	}
}

// turns syncs one key, and asks for it again a second later.
func turns(ctx context.Context, _ controllers.Clients) error {
	queue := workqueue.NewTypedRateLimitingQueueWithConfig(
		workqueue.DefaultTypedControllerRateLimiter[string](), workqueue.TypedRateLimitingQueueConfig[string]{Name: "planted"})
	queue.Add("default/web")
	go func() {
		<-ctx.Done()
		queue.ShutDown()
	}()
	for {
		key, shutdown := queue.Get()
		if shutdown {
			return nil
		}
		queue.AddAfter(key, time.Second)
		queue.Done(key)
	}
}
