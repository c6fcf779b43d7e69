package memdb

import (
	"fmt"
	"testing"

	"k8s.io/apiserver/pkg/storage"
	"k8s.io/kubernetes/pkg/apis/core"
)

// benchPod is a pod of usual size.
func benchPod(i int) *core.Pod {
	p := pod(fmt.Sprintf("web-%05d", i), "app", "web", "pod-template-hash", "7d9f8c6b5")
	p.Spec.NodeName = fmt.Sprintf("node-%d", i%50)
	p.Spec.Containers = []core.Container{{
		Name: "web", Image: "registry.example/web:1.27",
		Env:          []core.EnvVar{{Name: "A", Value: "1"}, {Name: "B", Value: "2"}},
		VolumeMounts: []core.VolumeMount{{Name: "token", MountPath: "/var/run/secrets"}},
	}}
	p.Status.Phase = core.PodRunning
	for _, kind := range []core.PodConditionType{"PodScheduled", "Initialized", "Ready"} {
		p.Status.Conditions = append(p.Status.Conditions,
			core.PodCondition{Type: kind, Status: core.ConditionTrue})
	}
	return p
}

// crowd is a simulation with n pods and a few watches, as informers open them.
func crowd(b *testing.B, n int) *world {
	w := newWorld(b, Options{HistoryLimit: 10_000})
	for i := range n {
		p := benchPod(i)
		if err := w.pods.Create(w.ctx, key(p.Name), p, nil, 0); err != nil {
			b.Fatal(err)
		}
	}
	for range 10 {
		opened := w.watch(fmt.Sprint(w.db.Revision()))
		opened.SetNotify(func() { opened.Next() })
	}
	return w
}

func BenchmarkCreate(b *testing.B) {
	w := crowd(b, 2000)
	b.ReportAllocs()
	i := 2000
	for b.Loop() {
		p := benchPod(i)
		i++
		if err := w.pods.Create(w.ctx, key(p.Name), p, &core.Pod{}, 0); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkUpdateOneOf2000(b *testing.B) {
	w := crowd(b, 2000)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		i++
		w.update("web-01000", func(p *core.Pod) { p.Status.Message = fmt.Sprint(i) })
	}
}

func BenchmarkGetOneOf2000(b *testing.B) {
	w := crowd(b, 2000)
	b.ReportAllocs()
	for b.Loop() {
		err := w.pods.Get(w.ctx, key("web-01000"), storage.GetOptions{}, &core.Pod{})
		if err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkList2000(b *testing.B) {
	w := crowd(b, 2000)
	b.ReportAllocs()
	for b.Loop() {
		if got := len(w.everything().Items); got != 2000 {
			b.Fatal(got)
		}
	}
}

// BenchmarkListPage2000 continues a list while the pods change, so that pages are computed from the
// log.
func BenchmarkListPage2000(b *testing.B) {
	w := crowd(b, 2000)
	revision := w.db.Revision()
	for i := range 500 {
		w.update(fmt.Sprintf("web-%05d", i), func(p *core.Pod) { p.Status.Message = "new" })
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := w.listAt(revision, 500); err != nil {
			b.Fatal(err)
		}
	}
}
