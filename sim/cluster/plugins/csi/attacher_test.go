package csi

import (
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/cluster/cri"
	"github.com/kubestep/kubestep/sim/cluster/plugins"
	"github.com/kubestep/kubestep/sim/engine"
)

const driverName = "disk.example.com"

// world has an attacher, and steps at times.
type world struct {
	*sim.Simulation
	t *testing.T
}

func play(t *testing.T, driver Driver, steps map[time.Duration]func(w *world)) {
	t.Helper()
	driver.Name = driverName
	if err := engine.Bubble(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), func() {
		s, err := sim.New(sim.Options{Seed: 1})
		if err != nil {
			t.Error(err)
			return
		}
		defer s.End()
		w := &world{s, t}
		Start(s, []Driver{driver})
		w.do("create", volumes, &corev1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: "pv"}, Spec: corev1.PersistentVolumeSpec{
			Capacity:    corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1Gi")},
			AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
			PersistentVolumeSource: corev1.PersistentVolumeSource{
				CSI: &corev1.CSIPersistentVolumeSource{Driver: driverName, VolumeHandle: "pv"},
			},
		}})
		for _, node := range []string{"node-1", "node-2"} {
			w.do("create", storagev1.SchemeGroupVersion.WithResource("csinodes"), &storagev1.CSINode{
				ObjectMeta: metav1.ObjectMeta{Name: node},
				Spec:       storagev1.CSINodeSpec{Drivers: []storagev1.CSINodeDriver{{Name: driverName, NodeID: "id of " + node}}},
			})
		}
		for at, step := range steps {
			s.Engine.After(at, "test|"+at.String(), func() { step(w) })
		}
		s.Run(30 * time.Minute)
	}); err != nil {
		t.Fatal(err)
	}
}

func (w *world) do(verb string, gvr schema.GroupVersionResource, object metav1.Object) {
	w.t.Helper()
	req := apiserver.Request{Actor: "test", Verb: verb, Resource: gvr, Object: object.(runtime.Object)}
	if verb != "create" {
		req.Name = object.GetName()
	}
	if _, err := w.Execute(req, 0, false); err != nil {
		w.t.Error(err)
	}
}

// attach asks for the volume on a node.
func attach(node string) func(w *world) {
	return func(w *world) {
		name := "pv"
		w.do("create", attachments, &storagev1.VolumeAttachment{ObjectMeta: metav1.ObjectMeta{Name: node}, Spec: storagev1.VolumeAttachmentSpec{
			Attacher: driverName, NodeName: node, Source: storagev1.VolumeAttachmentSource{PersistentVolumeName: &name},
		}})
	}
}

// state is what a VolumeAttachment says; empty if it is gone.
func (w *world) state(node string) string {
	object, found := w.State.Get(attachments.GroupResource(), "", node)
	if !found {
		return ""
	}
	va := object.(*storagev1.VolumeAttachment)
	var has []string
	if slices.Contains(va.Finalizers, "external-attacher/disk-example-com") {
		has = append(has, va.Annotations[nodeIDAnnotation])
	}
	if va.Status.Attached {
		has = append(has, "attached")
	}
	if e := va.Status.AttachError; e != nil {
		has = append(has, e.Message)
	}
	if e := va.Status.DetachError; e != nil {
		has = append(has, e.Message)
	}
	return strings.Join(has, ", ")
}

// is expects a state.
func is(node, want string) func(w *world) {
	return func(w *world) {
		if got := w.state(node); got != want {
			w.t.Errorf("at %s: %q, want %q", w.Engine.Now(), got, want)
		}
	}
}

func remove(node string) func(w *world) {
	return func(w *world) {
		w.do("delete", attachments, &storagev1.VolumeAttachment{ObjectMeta: metav1.ObjectMeta{Name: node}})
	}
}

// lasting is a call that takes a while.
func lasting(d time.Duration) plugins.Call { return plugins.Call{Takes: cri.Range{Min: d, Max: d}} }

func TestAttach(t *testing.T) {
	play(t, Driver{ControllerPublishVolume: lasting(2 * time.Second), ControllerUnpublishVolume: lasting(4 * time.Second)},
		map[time.Duration]func(w *world){
			time.Second:              attach("node-1"),
			2 * time.Second:          is("node-1", "id of node-1"),
			4 * time.Second:          is("node-1", "id of node-1, attached"),
			10 * time.Second:         remove("node-1"),
			13 * time.Second:         is("node-1", "id of node-1, attached"),
			15 * time.Second:         is("node-1", ""),
			20 * time.Second:         attach("node-1"),
			20500 * time.Millisecond: remove("node-1"), // while it is being attached
			30 * time.Second:         is("node-1", ""),
			time.Minute: func(w *world) {
				w.do("delete", volumes, &corev1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: "pv"}})
			},
			2 * time.Minute: func(w *world) {
				pv := w.State.List(volumes.GroupResource(), "")
				if len(pv) > 0 && slices.Contains(pv[0].(*corev1.PersistentVolume).Finalizers, "external-attacher/disk-example-com") {
					t.Error("the deleted volume keeps the finalizer")
				}
			},
		})
}

func TestAttachFails(t *testing.T) {
	const message = "rpc error: code = Internal desc = no slot"
	play(t, Driver{ControllerPublishVolume: plugins.Call{Fails: "no slot", Times: 2}}, map[time.Duration]func(w *world){
		time.Second:             attach("node-1"),
		1900 * time.Millisecond: is("node-1", "id of node-1, "+message),
		3 * time.Second:         is("node-1", "id of node-1, "+message), // after another second
		6 * time.Second:         is("node-1", "id of node-1, attached"), // and two more
	})
}

// TestOneNode: a volume for one node is not attached to a second one before it is detached from the first. A node without the driver has
// no volume.
func TestOneNode(t *testing.T) {
	play(t, Driver{}, map[time.Duration]func(w *world){
		time.Second:      attach("node-1"),
		2 * time.Second:  attach("node-2"),
		3 * time.Second:  is("node-2", "id of node-2, rpc error: code = FailedPrecondition desc = volume pv is attached to node-1"),
		4 * time.Second:  remove("node-1"),
		30 * time.Second: is("node-2", "id of node-2, attached"),
		40 * time.Second: attach("node-3"),
		50 * time.Second: is("node-3", "CSINode node-3 not found"),
	})
}
