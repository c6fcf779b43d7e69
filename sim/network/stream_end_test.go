package network_test

import (
	"context"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/utils/ptr"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/network"
	"github.com/kubestep/kubestep/sim/trace"
)

// TestAWatchEndsAfterItsTimeout reads a watch until its channel closes.
func TestAWatchEndsAfterItsTimeout(t *testing.T) {
	for _, test := range []struct {
		name     string
		seconds  *int64
		server   apiserver.Options
		min, max time.Duration
	}{
		{"the client's", ptr.To[int64](7), apiserver.Options{}, 7 * time.Second, 8 * time.Second},
		{"the client's, like a reflector's", ptr.To[int64](400), apiserver.Options{}, 400 * time.Second, 401 * time.Second},
		{"the server's default", nil, apiserver.Options{}, 30 * time.Minute, time.Hour + time.Second},
		{"zero is the default", ptr.To[int64](0), apiserver.Options{}, 30 * time.Minute, time.Hour + time.Second},
		{"the server's flag", nil, apiserver.Options{MinRequestTimeout: 7 * time.Second}, 7 * time.Second, 15 * time.Second},
	} {
		t.Run(test.name, func(t *testing.T) {
			options := sim.Options{Watch: network.Range{Min: 0, Max: time.Second}, Server: test.server}
			bothClients(t, options, func(w *world, client func() kubernetes.Interface) {
				within(t, w, func(ctx context.Context) {
					began := time.Now()
					events, err := client().CoreV1().ConfigMaps("").Watch(ctx, metav1.ListOptions{TimeoutSeconds: test.seconds})
					if err != nil {
						t.Error(err)
						return
					}
					for event := range events.ResultChan() {
						t.Errorf("an event: %v", event)
					}
					if took := time.Since(began); took < test.min || took > test.max {
						t.Errorf("the watch ended after %s; want %s to %s", took, test.min, test.max)
					}
				})
			})
		})
	}
}

// TestBookmarks reads the bookmarks of a watch of five minutes: one each minute, and one two seconds before the end.
// Each has the revision that the store has when it is sent, although nothing that this client watches has changed. In
// the third minute nothing is written at all, and no bookmark is sent.
func TestBookmarks(t *testing.T) {
	bothClients(t, sim.Options{}, func(w *world, client func() kubernetes.Interface) {
		for _, minute := range []int{0, 1, 3, 4} {
			w.Engine.At(time.Duration(minute)*time.Minute+30*time.Second, "put", func() { w.put(t, "map-"+string(rune('a'+minute))) })
		}
		within(t, w, func(ctx context.Context) {
			began := time.Now()
			events, err := client().CoreV1().Secrets("").Watch(ctx, metav1.ListOptions{
				ResourceVersion: "1", TimeoutSeconds: ptr.To[int64](290), AllowWatchBookmarks: true,
			})
			if err != nil {
				t.Error(err)
				return
			}
			var at []time.Duration
			var revisions []uint64
			for event := range events.ResultChan() {
				if event.Type != watch.Bookmark {
					t.Errorf("an event: %v", event)
				}
				at, revisions = append(at, time.Since(began)), append(revisions, network.Revision(event))
			}
			const m = time.Minute
			if want := []time.Duration{m, 2 * m, 4 * m, 288 * time.Second}; !slices.Equal(at, want) {
				t.Errorf("bookmarks at %s; want %s", at, want)
			}
			if want := []uint64{2, 3, 4, 5}; !slices.Equal(revisions, want) {
				t.Errorf("bookmarks of revision %d; want %d", revisions, want)
			}
		})
	})
}

// TestAnInformerResumesItsWatch lets an informer run for an hour in which nothing that it watches changes, and other
// objects do, so that its last event is older than the history that etcd keeps. The informer lists once, resumes the
// watch every five to ten minutes, at times that only the seed decides, and misses nothing.
func TestAnInformerResumesItsWatch(t *testing.T) {
	hour := func(seed uint64, client func(w *world) kubernetes.Interface) (watches []time.Duration) {
		play(t, sim.Options{Seed: seed, Watch: network.Range{Min: time.Millisecond, Max: 20 * time.Millisecond}}, func(w *world) {
			var secrets []string
			w.Go("informer", func(ctx context.Context) {
				factory := informers.NewSharedInformerFactory(client(w), 0)
				lister := factory.Core().V1().Secrets().Lister()
				factory.Start(ctx.Done())
				<-ctx.Done()
				factory.Shutdown()
				all, err := lister.List(labels.Everything())
				if err != nil {
					t.Error(err)
				}
				for _, secret := range all {
					secrets = append(secrets, secret.Name)
				}
			})
			var write func(n int)
			write = func(n int) {
				w.put(t, "map-"+time.Duration(n).String())
				w.Engine.After(10*time.Second, "put", func() { write(n + 1) })
			}
			w.Engine.At(time.Second, "put", func() { write(0) })
			w.Run(time.Hour)
			w.secret(t, "late")
			w.Run(time.Hour + time.Minute)
			for _, record := range w.requests("informer") {
				switch record.Request.Verb {
				case "watch":
					watches = append(watches, record.At)
				case "list":
					if record.At > time.Minute {
						t.Errorf("seed %d: the informer lists again at %s", seed, record.At)
					}
				}
			}
			for _, record := range w.records {
				if record.Kind == trace.KindWatch && record.Watch.Type == "BOOKMARK" && (!record.Background || record.Cause != 0) {
					t.Errorf("seed %d: a bookmark is no background: %v", seed, record)
				}
			}
			w.End()
			if !slices.Equal(secrets, []string{"late"}) {
				t.Errorf("seed %d: the cache holds %v at the end", seed, secrets)
			}
		})
		return watches
	}
	for name, client := range map[string]func(w *world) kubernetes.Interface{
		"typed": func(w *world) kubernetes.Interface { return w.Client("informer") },
		"http":  func(w *world) kubernetes.Interface { return kubernetes.NewForConfigOrDie(config(w, "informer")) },
	} {
		t.Run(name, func(t *testing.T) {
			first, again, other := hour(1, client), hour(1, client), hour(2, client)
			for i := range first[1:] {
				if gap := first[i+1] - first[i]; gap < 5*time.Minute || gap > 10*time.Minute+time.Second {
					t.Errorf("watch %d lasts %s", i, gap)
				}
			}
			if len(first) < 7 || !slices.Equal(first, again) || slices.Equal(first, other) {
				t.Errorf("watches of seed 1: %s\nagain: %s\nof seed 2: %s", first, again, other)
			}
		})
	}
}

// secret creates a Secret at once.
func (w *world) secret(t *testing.T, name string) {
	t.Helper()
	if _, err := w.Execute(apiserver.Request{
		Actor: "setup", Verb: "create", Resource: corev1.SchemeGroupVersion.WithResource("secrets"), Namespace: "default",
		Object: &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default"}},
	}, 0, false); err != nil {
		t.Error(err)
	}
}
