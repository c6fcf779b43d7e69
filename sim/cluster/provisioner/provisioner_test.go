package provisioner

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/component-helpers/storage/volume"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/cluster/cri"
	"github.com/kubestep/kubestep/sim/cluster/plugins"
	"github.com/kubestep/kubestep/sim/cluster/plugins/csi"
	"github.com/kubestep/kubestep/sim/engine"
)

// world has a provisioner and no controller.
type world struct {
	*sim.Simulation
	t *testing.T
}

func play(t *testing.T, arrange func(w *world), check func(w *world)) {
	t.Helper()
	if err := engine.Bubble(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), func() {
		s, err := sim.New(sim.Options{Seed: 1})
		if err != nil {
			t.Error(err)
			return
		}
		defer s.End()
		w := &world{s, t}
		Start(s)
		arrange(w)
		s.Run(30 * time.Minute)
		check(w)
	}); err != nil {
		t.Fatal(err)
	}
}

func (w *world) do(verb string, gvr schema.GroupVersionResource, subresource string, object runtime.Object) {
	w.t.Helper()
	accessor := object.(metav1.Object)
	req := apiserver.Request{
		Actor: "test", Verb: verb, Resource: gvr, Subresource: subresource, Namespace: accessor.GetNamespace(), Object: object,
	}
	if verb != "create" {
		req.Name = accessor.GetName()
	}
	if _, err := w.Execute(req, 0, false); err != nil {
		w.t.Error(err)
	}
}

// claim makes a class and a claim of it with annotations.
func (w *world) claim(provisioner string, mode storagev1.VolumeBindingMode, reclaim corev1.PersistentVolumeReclaimPolicy, annotations map[string]string) {
	class := "disk"
	w.do("create", classes, "", &storagev1.StorageClass{
		ObjectMeta: metav1.ObjectMeta{Name: class}, Provisioner: provisioner, VolumeBindingMode: &mode, ReclaimPolicy: &reclaim,
	})
	w.do("create", claims, "", &corev1.PersistentVolumeClaim{
		ObjectMeta: metav1.ObjectMeta{Name: "data", Namespace: "default", Annotations: annotations},
		Spec: corev1.PersistentVolumeClaimSpec{
			StorageClassName: &class, AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
			Resources: corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("3Gi")}},
		},
	})
}

// volume is the only volume, nil if there is none.
func (w *world) volume() *corev1.PersistentVolume {
	list := w.State.List(volumes.GroupResource(), "")
	if len(list) == 0 {
		return nil
	}
	return list[0].(*corev1.PersistentVolume).DeepCopy()
}

const (
	atOnce = storagev1.VolumeBindingImmediate
	waits  = storagev1.VolumeBindingWaitForFirstConsumer
)

func TestProvision(t *testing.T) {
	ours := map[string]string{volume.AnnStorageProvisioner: Name}
	for _, test := range []struct {
		name        string
		provisioner string
		mode        storagev1.VolumeBindingMode
		annotations map[string]string
		made        bool
		node        string
	}{
		{"the controller has not asked", Name, atOnce, nil, false, ""},
		{"asked", Name, atOnce, ours, true, ""},
		{"another's class", "example.com/disk", atOnce, ours, false, ""},
		{"another was asked", Name, atOnce, map[string]string{volume.AnnStorageProvisioner: "example.com/disk"}, false, ""},
		{"no node yet", Name, waits, ours, false, ""},
		{"for a node", Name, waits, map[string]string{volume.AnnStorageProvisioner: Name, volume.AnnSelectedNode: "node-2"}, true, "node-2"},
	} {
		t.Run(test.name, func(t *testing.T) {
			play(t, func(w *world) {
				w.claim(test.provisioner, test.mode, corev1.PersistentVolumeReclaimDelete, test.annotations)
			}, func(w *world) {
				pv := w.volume()
				if made := pv != nil; made != test.made {
					t.Fatalf("made %v, want %v", made, test.made)
				}
				if pv == nil {
					return
				}
				object, _ := w.State.Get(claims.GroupResource(), "default", "data")
				claim := object.(*corev1.PersistentVolumeClaim)
				if pv.Name != "pvc-"+string(claim.UID) || !volume.IsVolumeBoundToClaim(pv, claim) || pv.Spec.Capacity.Storage().String() != "3Gi" {
					t.Errorf("made %v for %v", pv, claim)
				}
				for _, name := range []string{"node-1", "node-2"} {
					err := volume.CheckNodeAffinity(pv, map[string]string{corev1.LabelHostname: name})
					if fits := err == nil; fits != (test.node == "" || test.node == name) {
						t.Errorf("on %s: %v", name, err)
					}
				}
				if count := len(w.State.List(events.GroupResource(), "default")); count != 2 {
					t.Errorf("%d events, want Provisioning and ProvisioningSucceeded", count)
				}
			})
		})
	}
}

func TestDelete(t *testing.T) {
	for _, test := range []struct {
		name    string
		reclaim corev1.PersistentVolumeReclaimPolicy
		phase   corev1.PersistentVolumePhase
		deleted bool
		gone    bool
	}{
		{"bound", corev1.PersistentVolumeReclaimDelete, corev1.VolumeBound, false, false},
		{"released", corev1.PersistentVolumeReclaimDelete, corev1.VolumeReleased, false, true},
		{"released, to be retained", corev1.PersistentVolumeReclaimRetain, corev1.VolumeReleased, false, false},
		{"deleted by a user while it is bound", corev1.PersistentVolumeReclaimDelete, corev1.VolumeBound, true, false},
		{"deleted by a user before", corev1.PersistentVolumeReclaimDelete, corev1.VolumeReleased, true, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			play(t, func(w *world) {
				w.claim(Name, atOnce, test.reclaim, map[string]string{volume.AnnStorageProvisioner: Name})
				w.Engine.After(time.Minute, "test", func() {
					if pv := w.volume(); test.deleted {
						w.do("delete", volumes, "", pv)
					}
					pv := w.volume()
					pv.Status.Phase = test.phase
					w.do("update", volumes, "status", pv)
				})
			}, func(w *world) {
				if gone := w.volume() == nil; gone != test.gone {
					t.Errorf("gone %v, want %v: %v", gone, test.gone, w.volume())
				}
			})
		})
	}
}

// TestDriver: the volumes of a CSI driver are created and deleted by calls, and are on no node.
func TestDriver(t *testing.T) {
	driver := csi.Driver{
		Name: "disk.example.com", CreateVolume: plugins.Call{Takes: cri.Range{Min: time.Minute, Max: time.Minute}, Fails: "no space", Times: 1},
		DeleteVolume: plugins.Call{Fails: "busy", Times: 1},
	}
	play(t, func(w *world) {
		Start(w.Simulation, driver)
		w.claim(driver.Name, waits, corev1.PersistentVolumeReclaimDelete,
			map[string]string{volume.AnnStorageProvisioner: driver.Name, volume.AnnSelectedNode: "node-2"})
		w.Engine.After(90*time.Second, "test|early", func() {
			if pv := w.volume(); pv != nil {
				t.Errorf("made %v although the call failed", pv)
			}
			if events := w.State.List(events.GroupResource(), "default"); len(events) != 3 ||
				events[1].(*corev1.Event).Reason != "ProvisioningFailed" && events[2].(*corev1.Event).Reason != "ProvisioningFailed" {
				t.Errorf("Events %v", events)
			}
		})
		w.Engine.After(5*time.Minute, "test|made", func() {
			pv := w.volume()
			if pv == nil || pv.Spec.CSI == nil || pv.Spec.CSI.Driver != driver.Name || pv.Spec.NodeAffinity != nil {
				t.Fatalf("made %v", pv)
			}
			pv.Status.Phase = corev1.VolumeReleased
			w.do("update", volumes, "status", pv)
		})
	}, func(w *world) {
		if pv := w.volume(); pv != nil {
			t.Errorf("%v is still there", pv)
		}
	})
}
