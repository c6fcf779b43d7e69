package apiserver_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/utils/ptr"

	"github.com/kubestep/kubestep/sim/apiserver"
)

// newClient returns a typed client of an empty server, and its wire.
func newClient(t *testing.T) (kubernetes.Interface, *wire) {
	t.Helper()
	seedNames(t)
	server, err := apiserver.New(nil, apiserver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{server: server}
	return apiserver.NewClientset(w, nil), w
}

func newDeployment(name string) *appsv1.Deployment {
	labels := map[string]string{"app": name}
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels},
		Spec: appsv1.DeploymentSpec{
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: name + ":v1"}}},
			},
		},
	}
}

func newPod(name string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"name": name}},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "web:v1"}}},
	}
}

func must[T any](t *testing.T) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// A typed client sees what it would see of a real server: objects without a kind, and errors that
// the functions of package errors understand.
func TestClientsetRoundTrip(t *testing.T) {
	client, _ := newClient(t)
	deployments := client.AppsV1().Deployments("default")
	deployment := must[*appsv1.Deployment](t)
	want := newDeployment("web")
	sent := want.DeepCopy()
	created := deployment(deployments.Create(background, sent, metav1.CreateOptions{}))
	if diff := cmp.Diff(want, sent); diff != "" {
		t.Errorf("the client's object has changed:\n%s", diff)
	}
	if created.Kind != "" || created.ResourceVersion != "2" || *created.Spec.Replicas != 1 {
		t.Errorf("created %+v", created)
	}
	got := deployment(deployments.Get(background, "web", metav1.GetOptions{}))
	if diff := cmp.Diff(created, got); diff != "" {
		t.Errorf("got something else than was created:\n%s", diff)
	}

	got.Spec.Replicas = ptr.To[int32](3)
	updated := deployment(deployments.Update(background, got, metav1.UpdateOptions{}))
	if updated.Generation != 2 {
		t.Errorf("generation %d after a change", updated.Generation)
	}
	_, err := deployments.Update(background, created, metav1.UpdateOptions{})
	if !apierrors.IsConflict(err) {
		t.Errorf("updating from an old version: %v", err)
	}
	updated.Status.Replicas = 3
	updated = deployment(deployments.UpdateStatus(background, updated, metav1.UpdateOptions{}))
	patched := deployment(deployments.Patch(background, "web", types.MergePatchType,
		[]byte(`{"status":{"readyReplicas":2}}`), metav1.PatchOptions{}, "status"))
	if patched.Status.Replicas != 3 || patched.Status.ReadyReplicas != 2 {
		t.Errorf("status %+v", patched.Status)
	}
	_, err = deployments.Create(background, want, metav1.CreateOptions{})
	if !apierrors.IsAlreadyExists(err) {
		t.Errorf("creating twice: %v", err)
	}
	if err := deployments.Delete(background, "web", metav1.DeleteOptions{}); err != nil {
		t.Error(err)
	}
	if _, err := deployments.Get(background, "web", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("getting a deleted object: %v", err)
	}
	if updated.UID == "" || updated.UID != created.UID {
		t.Errorf("uid %q, then %q", created.UID, updated.UID)
	}
}

// The selectors and the limit of a list are the server's work, and its metadata reaches the client.
func TestClientsetList(t *testing.T) {
	client, _ := newClient(t)
	pods := client.CoreV1().Pods("default")
	for _, name := range []string{"a", "b", "c"} {
		must[*corev1.Pod](t)(pods.Create(background, newPod(name), metav1.CreateOptions{}))
	}
	list := must[*corev1.PodList](t)
	page := list(pods.List(background, metav1.ListOptions{Limit: 2}))
	if len(page.Items) != 2 || page.ResourceVersion != "4" || ptr.Deref(page.RemainingItemCount, 0) != 1 {
		t.Errorf("%d items, %+v", len(page.Items), page.ListMeta)
	}
	rest := list(pods.List(background, metav1.ListOptions{Limit: 2, Continue: page.Continue}))
	if len(rest.Items) != 1 || rest.Items[0].Name != "c" || rest.Continue != "" {
		t.Errorf("the second page: %+v", rest)
	}
	selected := list(client.CoreV1().Pods("").List(background, metav1.ListOptions{
		LabelSelector: "name in (a, c)", FieldSelector: "metadata.name!=a",
	}))
	if len(selected.Items) != 1 || selected.Items[0].Name != "c" || selected.ResourceVersion != "4" {
		t.Errorf("selected %+v", selected)
	}
	others := metav1.ListOptions{LabelSelector: "name!=b"}
	err := pods.DeleteCollection(background, metav1.DeleteOptions{}, others)
	if err != nil {
		t.Error(err)
	}
	left := list(pods.List(background, metav1.ListOptions{}))
	if len(left.Items) != 1 || left.Items[0].Name != "b" {
		t.Errorf("left: %+v", left.Items)
	}
}

func TestClientsetWatch(t *testing.T) {
	client, _ := newClient(t)
	pods := client.CoreV1().Pods("default")
	w, err := pods.Watch(background, metav1.ListOptions{ResourceVersion: "1", LabelSelector: "name=a"})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Stop()
	for _, name := range []string{"a", "b"} {
		must[*corev1.Pod](t)(pods.Create(background, newPod(name), metav1.CreateOptions{}))
	}
	if err := pods.Delete(background, "a", metav1.DeleteOptions{}); err != nil {
		t.Error(err)
	}
	w.(*wiredWatch).deliver()
	// Two for the delete: the deadline, then the end.
	for _, want := range []watch.EventType{watch.Added, watch.Modified, watch.Deleted} {
		event := <-w.ResultChan()
		pod, ok := event.Object.(*corev1.Pod)
		if event.Type != want || !ok || pod.Name != "a" || pod.Kind != "" {
			t.Errorf("%s %+v, want %s of the pod a", event.Type, event.Object, want)
		}
	}
	if len(w.ResultChan()) > 0 {
		t.Errorf("unexpected event %+v", <-w.ResultChan())
	}
}

// The calls for which client-go has methods of their own.
func TestClientsetExpansions(t *testing.T) {
	client, w := newClient(t)
	deployments, pods := client.AppsV1().Deployments("default"), client.CoreV1().Pods("default")
	must[*appsv1.Deployment](t)(deployments.Create(background, newDeployment("web"), metav1.CreateOptions{}))
	scale, err := deployments.GetScale(background, "web", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	scale.Spec.Replicas = 5
	if scale, err = deployments.UpdateScale(background, "web", scale, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	if scale.Spec.Replicas != 5 || scale.Status.Selector != "app=web" {
		t.Errorf("scale %+v", scale)
	}

	must[*corev1.Pod](t)(pods.Create(background, newPod("a"), metav1.CreateOptions{}))
	err = pods.Bind(background, &corev1.Binding{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "a"},
		Target:     corev1.ObjectReference{Kind: "Node", Name: "n1"},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Error(err)
	}
	eviction := &policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Name: "a"}}
	if err := client.PolicyV1().Evictions("default").Evict(background, eviction); err != nil {
		t.Error(err)
	}
	pod := must[*corev1.Pod](t)(pods.Get(background, "a", metav1.GetOptions{}))
	if pod.Spec.NodeName != "n1" || pod.DeletionTimestamp == nil {
		t.Errorf("a bound and evicted pod: %+v", pod)
	}

	namespaces := client.CoreV1().Namespaces()
	namespace := must[*corev1.Namespace](t)(namespaces.Create(background,
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "shop"}}, metav1.CreateOptions{}))
	namespace.Spec.Finalizers = nil
	must[*corev1.Namespace](t)(namespaces.Finalize(background, namespace, metav1.UpdateOptions{}))
	if w.last.Verb != "update" || w.last.Path() != "namespaces/finalize" {
		t.Errorf("finalizing is %s %s", w.last.Verb, w.last.Path())
	}
}

// Events are written through a client of all namespaces, to the namespace that the Event names.
func TestClientsetEvents(t *testing.T) {
	client, _ := newClient(t)
	event := &corev1.Event{
		ObjectMeta:     metav1.ObjectMeta{Namespace: "default", Name: "pulled"},
		InvolvedObject: corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: "a"},
		Reason:         "Pulled", Count: 1,
	}
	sink := client.CoreV1().Events("")
	counted := []byte(`{"count":2}`)
	written := must[*corev1.Event](t)
	created := written(sink.CreateWithEventNamespaceWithContext(background, event))
	patched := written(sink.PatchWithEventNamespaceWithContext(background, created, counted))
	if patched.Count != 2 || patched.Namespace != "default" {
		t.Errorf("patched %+v", patched)
	}
	event.Name = "missing"
	_, err := sink.PatchWithEventNamespaceWithContext(background, event, counted)
	if !apierrors.IsNotFound(err) {
		t.Errorf("patching a missing Event: %v", err)
	}
}

// held is a Transport whose requests wait until they are released.
type held struct{ release chan struct{} }

func (h *held) Do(apiserver.Request) (runtime.Object, error) {
	<-h.release
	return &corev1.Pod{}, nil
}

func (h *held) Watch(apiserver.Request) (watch.Interface, error) { return watch.NewFake(), nil }

// A client that waits for an answer does not keep its other requests waiting. If it did, it would do so
// with a lock, and a goroutine that waits for a lock stops virtual time: this test would never end.
func TestClientsetDoesNotSerializeRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		transport := &held{release: make(chan struct{})}
		client := apiserver.NewClientset(transport, nil)
		answers := make(chan error)
		for range 3 {
			go func() {
				_, err := client.CoreV1().Pods("default").Get(context.Background(), "a", metav1.GetOptions{})
				answers <- err
			}()
		}
		synctest.Wait()
		close(transport.release)
		for range 3 {
			if err := <-answers; err != nil {
				t.Error(err)
			}
		}
		if actions := client.Actions(); len(actions) != 0 {
			t.Errorf("the client remembers %d actions", len(actions))
		}
	})
}
