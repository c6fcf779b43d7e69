package memdb

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/kubernetes/pkg/apis/core"
)

func TestEmptyDBHasRevisionOne(t *testing.T) {
	w := newWorld(t, Options{})
	list, err := w.list("/pods", storage.ListOptions{
		Predicate: storage.Everything, Recursive: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	if list.ResourceVersion != "1" || list.Items == nil {
		t.Errorf("empty list: resourceVersion %q, items %#v; want 1, []",
			list.ResourceVersion, list.Items)
	}
	if rv := w.create("a").ResourceVersion; rv != "2" {
		t.Errorf("first write has resourceVersion %s, want 2", rv)
	}
}

func TestAllResourcesShareOneRevision(t *testing.T) {
	var commits []string
	w := newWorld(t, Options{OnCommit: func(c Commit) {
		commits = append(commits, fmt.Sprint(c.Revision, c.Op, c.Resource, c.Key))
	}})
	w.create("a")
	err := w.maps.Create(w.ctx, "/configmaps/default/m",
		&core.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "m"}}, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	w.relabel("a", "x", "1")
	w.delete("a")
	want := []string{
		fmt.Sprint(uint64(2), OpCreate, "pods", "/registry/pods/default/a"),
		fmt.Sprint(uint64(3), OpCreate, "configmaps", "/registry/configmaps/default/m"),
		fmt.Sprint(uint64(4), OpUpdate, "pods", "/registry/pods/default/a"),
		fmt.Sprint(uint64(5), OpDelete, "pods", "/registry/pods/default/a"),
	}
	if diff := cmp.Diff(want, commits); diff != "" {
		t.Error(diff)
	}
	if got := w.db.Revision(); got != 5 {
		t.Errorf("revision %d, want 5", got)
	}
}

func TestCommitCarriesBothObjects(t *testing.T) {
	var commits []Commit
	w := newWorld(t, Options{OnCommit: func(c Commit) { commits = append(commits, c) }})
	created := w.create("a")
	updated := w.relabel("a", "x", "1")
	deleted := w.delete("a")
	if created.ResourceVersion != "2" || updated.ResourceVersion != "3" {
		t.Errorf("revisions %s, %s", created.ResourceVersion, updated.ResourceVersion)
	}
	if deleted.ResourceVersion != "4" {
		t.Errorf("the deleted object has resourceVersion %s, want that of the delete, 4",
			deleted.ResourceVersion)
	}
	want := []struct{ object, previous runtime.Object }{
		{created, nil}, {updated, created}, {deleted, updated},
	}
	for i, c := range commits {
		if diff := cmp.Diff(want[i].object, c.Object); diff != "" {
			t.Errorf("commit %d, object: %s", i, diff)
		}
		if diff := cmp.Diff(want[i].previous, c.Previous); diff != "" {
			t.Errorf("commit %d, previous: %s", i, diff)
		}
	}
}

func TestWhatIsStoredIsTheCodecsRoundTrip(t *testing.T) {
	w := newWorld(t, Options{})
	in := pod("a")
	in.CreationTimestamp = metav1.NewTime(time.Date(2026, 3, 1, 12, 0, 0, 987654321, time.UTC))
	in.Labels = map[string]string{}
	in.SelfLink = "/somewhere"
	in.Spec.RestartPolicy = ""
	out := &core.Pod{}
	if err := w.pods.Create(w.ctx, key("a"), in, out, 0); err != nil {
		t.Fatal(err)
	}
	if got := out.CreationTimestamp.Nanosecond(); got != 0 {
		t.Errorf("creationTimestamp keeps %d ns, want whole seconds", got)
	}
	if out.Labels != nil || out.SelfLink != "" {
		t.Errorf("labels %#v, selfLink %q; want none", out.Labels, out.SelfLink)
	}
	if out.Spec.RestartPolicy != core.RestartPolicyAlways {
		t.Errorf("restartPolicy %q, want the default", out.Spec.RestartPolicy)
	}
}

func TestUpdateThatChangesNothingIsNoWrite(t *testing.T) {
	commits := 0
	w := newWorld(t, Options{OnCommit: func(Commit) { commits++ }})
	created := w.create("a", "x", "1")
	watch := w.watch("2")
	out := w.update("a", func(p *core.Pod) {
		// Neither of these has an encoding of its own.
		p.Annotations = map[string]string{}
		p.CreationTimestamp.Time = p.CreationTimestamp.Add(0)
	})
	if diff := cmp.Diff(created, out); diff != "" {
		t.Error(diff)
	}
	if commits != 1 || len(pending(watch)) != 0 {
		t.Errorf("%d commits, want only that of the create", commits)
	}
}

func TestReadersCannotChangeTheStore(t *testing.T) {
	w := newWorld(t, Options{})
	created := w.create("a", "x", "1")
	spoil := func(p *core.Pod) { p.Labels["x"] = "spoiled" }
	everything := storage.ListOptions{Predicate: storage.Everything, Recursive: true}

	want := *created.DeepCopy()
	spoil(created)
	out := &core.Pod{}
	if err := w.pods.Get(w.ctx, key("a"), storage.GetOptions{}, out); err != nil {
		t.Fatal(err)
	}
	spoil(out)
	list, _ := w.list("/pods/", everything)
	spoil(&list.Items[0])
	watch := w.watch("")
	spoil((<-watch.ResultChan()).Object.(*core.Pod))
	refuse := errors.New("refused")
	err := w.pods.GuaranteedUpdate(w.ctx, key("a"), &core.Pod{}, false, nil,
		func(in runtime.Object, _ storage.ResponseMeta) (runtime.Object, *uint64, error) {
			spoil(in.(*core.Pod))
			return nil, nil, refuse
		}, nil)
	if !errors.Is(err, refuse) {
		t.Errorf("update: %v, want the error of tryUpdate", err)
	}

	list, _ = w.list("/pods/", everything)
	if diff := cmp.Diff(want, list.Items[0]); diff != "" {
		t.Error(diff)
	}
}

func TestCallersMayUseTheDBWhileTheyAreAsked(t *testing.T) {
	w := newWorld(t, Options{})
	w.create("a")
	w.create("b")
	attempts := 0
	w.update("a", func(p *core.Pod) {
		attempts++
		if attempts == 1 {
			w.relabel("a", "other", "1") // somebody else is faster
		}
		metav1.SetMetaDataLabel(&p.ObjectMeta, "own", "1")
	})
	err := w.pods.Delete(w.ctx, key("b"), &core.Pod{}, nil,
		func(context.Context, runtime.Object) error {
			w.create("made-by-validation")
			return nil
		}, nil, storage.DeleteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	got := &core.Pod{}
	if err := w.pods.Get(w.ctx, key("a"), storage.GetOptions{}, got); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"other": "1", "own": "1"}
	if diff := cmp.Diff(want, got.Labels); diff != "" || attempts != 2 {
		t.Errorf("%d attempts, want 2; labels: %s", attempts, diff)
	}
}

func TestOnCommitMayWriteAndSeesCommitsInOrder(t *testing.T) {
	var seen []uint64
	var w *world
	w = newWorld(t, Options{OnCommit: func(c Commit) {
		if c.Op == OpCreate && c.Object.(*core.Pod).Name == "a" {
			w.create("b") // commit 3 is reported after this call, not within it
			w.create("c")
		}
		seen = append(seen, c.Revision)
	}})
	w.create("a")
	w.create("d")
	if diff := cmp.Diff([]uint64{2, 3, 4, 5}, seen); diff != "" {
		t.Error(diff)
	}
}

func TestErrors(t *testing.T) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for name, tc := range map[string]struct {
		do   func(*world) error
		want func(error) bool
	}{
		"get of a missing key": {
			func(w *world) error {
				return w.pods.Get(w.ctx, key("none"), storage.GetOptions{}, &core.Pod{})
			},
			storage.IsNotFound,
		},
		"get from the future": {
			func(w *world) error {
				opts := storage.GetOptions{ResourceVersion: "99"}
				return w.pods.Get(w.ctx, key("a"), opts, &core.Pod{})
			},
			storage.IsTooLargeResourceVersion,
		},
		"get into another type": {
			func(w *world) error {
				return w.pods.Get(w.ctx, key("a"), storage.GetOptions{}, &core.ConfigMap{})
			},
			func(err error) bool { return err != nil },
		},
		"create of an existing key": {
			func(w *world) error { return w.pods.Create(w.ctx, key("a"), pod("a"), nil, 0) },
			storage.IsExist,
		},
		"create with a resourceVersion": {
			func(w *world) error {
				p := pod("b")
				p.ResourceVersion = "7"
				return w.pods.Create(w.ctx, key("b"), p, nil, 0)
			},
			func(err error) bool { return errors.Is(err, storage.ErrResourceVersionSetOnCreate) },
		},
		"delete with another UID": {
			func(w *world) error {
				return w.pods.Delete(w.ctx, key("a"), &core.Pod{},
					storage.NewUIDPreconditions("another"), storage.ValidateAllObjectFunc, nil,
					storage.DeleteOptions{})
			},
			storage.IsInvalidObj,
		},
		"a context that has ended": {
			func(w *world) error { return w.pods.Create(ended, key("b"), pod("b"), nil, 0) },
			func(err error) bool { return errors.Is(err, context.Canceled) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, Options{})
			w.create("a")
			if err := tc.do(w); !tc.want(err) {
				t.Errorf("unexpected error %v", err)
			}
			if got := w.db.Revision(); got != 2 {
				t.Errorf("revision %d after a failure, want 2", got)
			}
		})
	}
}

func TestGetOfMissingKeyCanBeZero(t *testing.T) {
	w := newWorld(t, Options{})
	out := pod("leftover", "x", "1")
	opts := storage.GetOptions{IgnoreNotFound: true}
	if err := w.pods.Get(w.ctx, key("none"), opts, out); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&core.Pod{}, out); diff != "" {
		t.Error(diff)
	}
}

func TestStoresWithTheSamePrefixShareATable(t *testing.T) {
	w := newWorld(t, Options{})
	w.create("a")
	again := w.store("pods",
		func() runtime.Object { return &core.Pod{} },
		func() runtime.Object { return &core.PodList{} })
	out := &core.Pod{}
	if err := again.Get(w.ctx, key("a"), storage.GetOptions{}, out); err != nil {
		t.Fatal(err)
	}
	if out.Name != "a" {
		t.Errorf("read %q through the second store", out.Name)
	}
}

func TestDecoratorRefusesBadPrefixes(t *testing.T) {
	config := storagebackend.NewDefaultConfig("/registry", nil).
		ForResource(schema.GroupResource{Resource: "pods"})
	for _, prefix := range []string{"", "/", "pods"} {
		_, _, err := New(Options{}).Decorator(config, prefix, nil, nil, nil, nil, nil, nil)
		if err == nil {
			t.Errorf("prefix %q is accepted", prefix)
		}
	}
}
