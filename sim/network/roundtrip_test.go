package network_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/scale"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/network"
	"github.com/kubestep/kubestep/sim/trace"
)

// config is what a client over HTTP is made from.
func config(w *world, actor string) *rest.Config {
	return &rest.Config{Host: "http://kube-apiserver", Transport: w.RoundTripper(actor), QPS: -1}
}

// within runs body on a goroutine of the simulation and lets the simulation run until it has returned.
func within(t *testing.T, w *world, body func(ctx context.Context)) {
	t.Helper()
	done := false
	w.Go("test", func(ctx context.Context) {
		body(ctx)
		done = true
		w.Engine.After(0, "test|done", w.Engine.Stop)
	})
	w.Run(time.Hour)
	if !done {
		t.Error("the client waits for ever")
	}
}

// object is a ConfigMap as the dynamic client takes it.
func object(name string, data map[string]any) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap", "data": data,
		"metadata": map[string]any{"name": name, "namespace": "default"},
	}}
}

func TestTheDynamicClient(t *testing.T) {
	play(t, sim.Options{Request: network.Range{Min: time.Millisecond, Max: time.Millisecond}}, func(w *world) {
		within(t, w, func(ctx context.Context) {
			maps := dynamic.NewForConfigOrDie(config(w, "dynamic")).Resource(configMaps).Namespace("default")
			watch, err := maps.Watch(ctx, metav1.ListOptions{})
			if err != nil {
				t.Error(err)
				return
			}
			defer watch.Stop()
			if _, err := maps.Create(ctx, object("a", map[string]any{"k": "1"}), metav1.CreateOptions{}); err != nil {
				t.Error(err)
			}
			applied, err := maps.Apply(ctx, "a", object("a", map[string]any{"k": "2"}), metav1.ApplyOptions{FieldManager: "test", Force: true})
			if err != nil {
				t.Error(err)
				return
			}
			if value, _, _ := unstructured.NestedString(applied.Object, "data", "k"); value != "2" {
				t.Errorf("applied 2, and it is %q", value)
			}
			for _, want := range []string{"ADDED a", "MODIFIED a"} {
				event := <-watch.ResultChan()
				if got := fmt.Sprint(event.Type, " ", event.Object.(*unstructured.Unstructured).GetName()); got != want {
					t.Errorf("watched %s, want %s", got, want)
				}
			}
			list, err := maps.List(ctx, metav1.ListOptions{})
			if err != nil || len(list.Items) != 1 {
				t.Errorf("listed %v, %v", list, err)
			}
			if _, err := maps.Get(ctx, "b", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
				t.Errorf("an object that is not there: %v", err)
			}
		})
	})
}

func TestTheMetadataClient(t *testing.T) {
	play(t, sim.Options{Watch: network.Range{Min: time.Second, Max: time.Second}}, func(w *world) {
		within(t, w, func(ctx context.Context) {
			w.put(t, "a")
			maps := metadata.NewForConfigOrDie(config(w, "metadata")).Resource(configMaps)
			list, err := maps.List(ctx, metav1.ListOptions{})
			if err != nil || len(list.Items) != 1 || list.Items[0].Name != "a" {
				t.Errorf("listed %v, %v", list, err)
				return
			}
			watch, err := maps.Watch(ctx, metav1.ListOptions{ResourceVersion: list.ResourceVersion})
			if err != nil {
				t.Error(err)
				return
			}
			defer watch.Stop()
			_, err = maps.Namespace("default").Patch(ctx, "a", types.MergePatchType,
				[]byte(`{"metadata": {"labels": {"app": "web"}}}`), metav1.PatchOptions{})
			if err != nil {
				t.Error(err)
			}
			sent := w.Engine.Now()
			partial, ok := (<-watch.ResultChan()).Object.(*metav1.PartialObjectMetadata)
			if !ok || partial.Labels["app"] != "web" {
				t.Errorf("watched %+v", partial)
			}
			if travelled := w.Engine.Now() - sent; travelled != time.Second {
				t.Errorf("the event travelled for %s, want 1s", travelled)
			}
			uid := types.UID("another")
			err = maps.Namespace("default").Delete(ctx, "a", metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &uid}})
			if !apierrors.IsConflict(err) {
				t.Errorf("deleting another object's name: %v", err)
			}
		})
	})
}

func TestTheScaleClient(t *testing.T) {
	play(t, sim.Options{}, func(w *world) {
		within(t, w, func(ctx context.Context) {
			client := w.Client("setup").AppsV1().Deployments("default")
			if _, err := client.Create(ctx, deployment(), metav1.CreateOptions{}); err != nil {
				t.Error(err)
				return
			}
			cfg := config(w, "scale")
			cached := memory.NewMemCacheClient(discovery.NewDiscoveryClientForConfigOrDie(cfg))
			scales, err := scale.NewForConfig(cfg, restmapper.NewDeferredDiscoveryRESTMapper(cached),
				dynamic.LegacyAPIPathResolverFunc, scale.NewDiscoveryScaleKindResolver(cached))
			if err != nil {
				t.Error(err)
				return
			}
			resource := schema.GroupResource{Group: "apps", Resource: "deployments"}
			have, err := scales.Scales("default").Get(ctx, resource, "web", metav1.GetOptions{})
			if err != nil {
				t.Error(err)
				return
			}
			have.Spec.Replicas = 3
			if _, err := scales.Scales("default").Update(ctx, resource, have, metav1.UpdateOptions{}); err != nil {
				t.Error(err)
			}
			scaled, err := client.Get(ctx, "web", metav1.GetOptions{})
			if err != nil || *scaled.Spec.Replicas != 3 {
				t.Errorf("scaled to %v, %v; want 3", scaled, err)
			}
		})
	})
}

func deployment() *appsv1.Deployment {
	labels := map[string]string{"app": "web"}
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "default"},
		Spec: appsv1.DeploymentSpec{
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "web"}}},
			},
		},
	}
}

// TestDiscoveryDoesNotPassTheGate asks in a simulation whose requests take an hour.
func TestDiscoveryDoesNotPassTheGate(t *testing.T) {
	play(t, sim.Options{Request: network.Range{Min: time.Hour, Max: time.Hour}}, func(w *world) {
		within(t, w, func(ctx context.Context) {
			for range 2 {
				client := discovery.NewDiscoveryClientForConfigOrDie(config(w, "curious"))
				groups, resources, err := client.ServerGroupsAndResources()
				if err != nil || len(groups) < 15 || len(resources) < 15 {
					t.Errorf("%d groups, %d lists of resources, %v", len(groups), len(resources), err)
				}
				if _, err := client.ServerVersion(); err != nil {
					t.Error(err)
				}
				if paths, err := client.OpenAPIV3().Paths(); err != nil || paths["apis/apps/v1"] == nil {
					t.Errorf("OpenAPI paths %v, %v", paths, err)
				}
				if data, err := client.RESTClient().Get().AbsPath("/healthz").DoRaw(ctx); string(data) != "ok" {
					t.Errorf("health %q, %v", data, err)
				}
			}
			if w.Engine.Now() != 0 {
				t.Errorf("it took %s", w.Engine.Now())
			}
		})
		if len(w.records) != 0 {
			t.Errorf("%d records", len(w.records))
		}
	})
}

// TestBothFrontsRecordAlike sends the same requests through the two kinds of client.
func TestBothFrontsRecordAlike(t *testing.T) {
	record := func(client func(w *world) kubernetes.Interface) (out []trace.Request) {
		play(t, sim.Options{Seed: 1, Request: network.Range{Min: 1, Max: 1e6}}, func(w *world) {
			within(t, w, func(ctx context.Context) { useAll(ctx, client(w)) })
			for _, r := range w.requests("user") {
				out = append(out, *r.Request)
			}
		})
		return out
	}
	fast := record(func(w *world) kubernetes.Interface { return w.Client("user") })
	wired := record(func(w *world) kubernetes.Interface { return kubernetes.NewForConfigOrDie(config(w, "user")) })
	for i := range wired {
		// Only handlers keep managedFields, and they number their managers' times.
		for j := range wired[i].Writes {
			wired[i].Writes[j].New, fast[i].Writes[j].New = nil, nil
			wired[i].Writes[j].Changes, fast[i].Writes[j].Changes = nil, nil
		}
	}
	if diff := cmp.Diff(fast, wired); diff != "" {
		t.Errorf("requests (-fast +wired):\n%s", diff)
	}
	if len(fast) != 12 {
		t.Errorf("%d requests", len(fast))
	}
}

// useAll sends a request of each kind. Errors are in the records.
func useAll(ctx context.Context, client kubernetes.Interface) {
	maps, deployments := client.CoreV1().ConfigMaps("default"), client.AppsV1().Deployments("default")
	_, _ = maps.Create(ctx, configMap("a"), metav1.CreateOptions{})
	_, _ = maps.Create(ctx, configMap("a"), metav1.CreateOptions{})
	_, _ = maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{GenerateName: "b-"}}, metav1.CreateOptions{})
	_, _ = maps.Get(ctx, "a", metav1.GetOptions{})
	_, _ = maps.List(ctx, metav1.ListOptions{FieldSelector: "metadata.name=a"})
	_, _ = maps.Patch(ctx, "a", types.StrategicMergePatchType, []byte(`{"data":{"k":"v"}}`), metav1.PatchOptions{})
	_, _ = maps.Update(ctx, configMap("a"), metav1.UpdateOptions{})
	_, _ = deployments.Create(ctx, deployment(), metav1.CreateOptions{})
	_, _ = deployments.UpdateScale(ctx, "web", &autoscalingv1.Scale{
		ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "default"}, Spec: autoscalingv1.ScaleSpec{Replicas: 2},
	}, metav1.UpdateOptions{})
	_ = deployments.Delete(ctx, "none", metav1.DeleteOptions{})
	_ = maps.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{})
	_, _ = client.CoreV1().Namespaces().Get(ctx, "default", metav1.GetOptions{})
}

// TestAWatchEndsWithItsContext: the reader of an open watch must not outlive its client.
func TestAWatchEndsWithItsContext(t *testing.T) {
	play(t, sim.Options{}, func(w *world) {
		within(t, w, func(ctx context.Context) {
			ctx, cancel := context.WithCancel(ctx)
			defer cancel()
			watch, err := metadata.NewForConfigOrDie(config(w, "metadata")).Resource(configMaps).Watch(ctx, metav1.ListOptions{})
			if err != nil {
				t.Error(err)
				return
			}
			cancel()
			for range watch.ResultChan() {
			}
		})
	})
}

// TestAnExpiredWatch is refused as the reflectors of all clients know it.
func TestAnExpiredWatch(t *testing.T) {
	play(t, sim.Options{}, func(w *world) {
		w.put(t, "a")
		w.put(t, "b")
		w.Server.Compact(w.Server.Revision())
		within(t, w, func(ctx context.Context) {
			client := metadata.NewForConfigOrDie(config(w, "metadata")).Resource(configMaps)
			watch, err := client.Watch(ctx, metav1.ListOptions{ResourceVersion: "2"})
			if err == nil {
				defer watch.Stop()
				err = apierrors.FromObject((<-watch.ResultChan()).Object)
			}
			if !apierrors.IsResourceExpired(err) && !apierrors.IsGone(err) {
				t.Errorf("a watch from the past: %v", err)
			}
		})
	})
}

// TestTheEndReleasesHTTPClients ends a simulation with a request under way and a watch open.
func TestTheEndReleasesHTTPClients(t *testing.T) {
	play(t, sim.Options{Request: network.Range{Min: time.Hour, Max: time.Hour}}, func(w *world) {
		for _, verb := range []string{"get", "watch"} {
			w.Go(verb, func(ctx context.Context) {
				maps := dynamic.NewForConfigOrDie(config(w, verb)).Resource(configMaps).Namespace("default")
				var err error
				if verb == "get" {
					_, err = maps.Get(ctx, "a", metav1.GetOptions{})
				} else {
					_, err = maps.Watch(ctx, metav1.ListOptions{})
				}
				if err == nil {
					t.Errorf("%s was answered", verb)
				}
			})
		}
		w.Run(time.Minute)
	})
}

// TestTheGateRefusesOverHTTP lets the gate answer in the place of the handler, as an injected fault does.
func TestTheGateRefusesOverHTTP(t *testing.T) {
	play(t, sim.Options{}, func(w *world) {
		within(t, w, func(ctx context.Context) {
			front, err := w.Server.HTTP()
			if err != nil {
				t.Error(err)
				return
			}
			client := dynamic.NewForConfigOrDie(&rest.Config{Host: "http://kube-apiserver", QPS: -1, Transport: refusing{w, front}})
			_, err = client.Resource(configMaps).Namespace("default").Get(ctx, "a", metav1.GetOptions{})
			if !apierrors.IsServiceUnavailable(err) {
				t.Errorf("refused with %v", err)
			}
		})
	})
}

// refusing answers every request as the gate does when a fault was injected.
type refusing struct {
	world *world
	front *apiserver.HTTP
}

// RoundTrip implements http.RoundTripper.
func (r refusing) RoundTrip(request *http.Request) (*http.Response, error) {
	wire, _, err := r.front.Parse(request, "user")
	if err != nil {
		return nil, err
	}
	return network.Refuse(r.front, wire, apierrors.NewServiceUnavailable("a fault"))
}
