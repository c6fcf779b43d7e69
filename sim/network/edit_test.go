package network_test

import (
	"context"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/network"
)

// TestEdit changes what no client may: an immutable ConfigMap. Whoever watches it is told.
func TestEdit(t *testing.T) {
	play(t, sim.Options{}, func(w *world) {
		within(t, w, func(ctx context.Context) {
			maps := w.Client("client").CoreV1().ConfigMaps("default")
			frozen := true
			object := configMap("a")
			object.Immutable, object.Data = &frozen, map[string]string{"k": "1"}
			if _, err := maps.Create(ctx, object, metav1.CreateOptions{}); err != nil {
				t.Error(err)
			}
			watch, err := maps.Watch(ctx, metav1.ListOptions{})
			if err != nil {
				t.Error(err)
				return
			}
			defer watch.Stop()
			<-watch.ResultChan()
			w.Engine.Call("edit", func() {
				if err := w.Edit(configMaps, "default", "a", []byte(`{"data": {"k": "2"}, "metadata": {"finalizers": ["x/y"]}}`), 0); err != nil {
					t.Error(err)
				}
				if err := w.Edit(configMaps, "default", "b", []byte(`{}`), 0); err == nil || !strings.Contains(err.Error(), `no configmap "b"`) {
					t.Errorf("an object that does not exist: %v", err)
				}
			})
			event := <-watch.ResultChan()
			if m := event.Object.(*corev1.ConfigMap); m.Data["k"] != "2" || len(m.Finalizers) != 1 {
				t.Errorf("watched %v", m)
			}
			if edits := w.requests(network.StoreActor); len(edits) != 1 || len(edits[0].Request.Writes) != 1 || edits[0].Request.Verb != "edit" {
				t.Errorf("recorded %v", edits)
			}
		})
	})
}
