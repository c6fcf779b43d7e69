package binder

import (
	"strings"
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
	"github.com/kubestep/kubestep/sim/cluster/node"
	"github.com/kubestep/kubestep/sim/engine"
)

// world has two nodes, a scheduler, and no controller: the test does what the PersistentVolume controller would.
type world struct {
	*sim.Simulation
	t *testing.T
}

// play lets a simulation run for an hour; arrange says what happens in it.
func play(t *testing.T, arrange func(w *world), check func(w *world)) {
	t.Helper()
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	if err := engine.Bubble(start, func() {
		s, err := sim.New(sim.Options{Seed: 1})
		if err != nil {
			t.Error(err)
			return
		}
		defer s.End()
		w := &world{s, t}
		never := node.Delay{Never: true}
		if err := node.Start(s, []node.Rule{{Ready: never, Terminate: never}}).AddNodes([]node.Spec{
			{Name: "node-1", Pods: 10, Labels: map[string]string{"zone": "a"}}, {Name: "node-2", Pods: 10, Labels: map[string]string{"zone": "b"}},
		}, 0); err != nil {
			t.Error(err)
		}
		Start(s)
		arrange(w)
		s.Run(time.Hour)
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

const ours = "example.com/disk"

func (w *world) class(provisioner string, mode storagev1.VolumeBindingMode, topology ...corev1.TopologySelectorTerm) {
	w.do("create", classResource, "", &storagev1.StorageClass{
		ObjectMeta: metav1.ObjectMeta{Name: "disk"}, Provisioner: provisioner, VolumeBindingMode: &mode, AllowedTopologies: topology,
	})
}

func (w *world) newClaim() { w.newClaimOf("data", "disk") }

func (w *world) newClaimOf(name, class string) {
	w.do("create", claimResource, "", &corev1.PersistentVolumeClaim{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default"},
		Spec: corev1.PersistentVolumeClaimSpec{
			StorageClassName: &class, AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
			Resources: corev1.VolumeResourceRequirements{Requests: gigabyte},
		},
	})
}

var gigabyte = corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1Gi")}

// newVolume makes a volume in a zone, Available.
func (w *world) newVolume(name, zone string) {
	pv := &corev1.PersistentVolume{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: corev1.PersistentVolumeSpec{
			Capacity: gigabyte, AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}, StorageClassName: "disk",
			PersistentVolumeSource: corev1.PersistentVolumeSource{HostPath: &corev1.HostPathVolumeSource{Path: "/disk"}},
			NodeAffinity: &corev1.VolumeNodeAffinity{Required: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
				MatchExpressions: []corev1.NodeSelectorRequirement{{Key: "zone", Operator: corev1.NodeSelectorOpIn, Values: []string{zone}}},
			}}}},
		},
	}
	w.do("create", volumeResource, "", pv)
	pv.Status.Phase = corev1.VolumeAvailable
	w.do("update", volumeResource, "status", pv)
}

// newPod makes a pod that uses the claims, and that which newClaim makes.
func (w *world) newPod(claims ...string) {
	var volumes []corev1.Volume
	for _, claim := range append(claims, "data") {
		volumes = append(volumes, corev1.Volume{Name: claim, VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: claim},
		}})
	}
	w.do("create", pods, "", &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "db", Namespace: "default"},
		Spec: corev1.PodSpec{
			Containers: []corev1.Container{{Name: "c", Image: "c"}},
			Volumes:    volumes,
		},
	})
}

// bindClaim does what the controller does when claim and volume belong together.
func (w *world) bindClaim(to string) {
	claim := w.claim().DeepCopy()
	claim.Spec.VolumeName = to
	metav1.SetMetaDataAnnotation(&claim.ObjectMeta, volume.AnnBindCompleted, "yes")
	w.do("update", claimResource, "", claim)
}

func (w *world) claim() *corev1.PersistentVolumeClaim {
	object, _ := w.State.Get(claimResource.GroupResource(), "default", "data")
	return object.(*corev1.PersistentVolumeClaim)
}

// after does something at a virtual time.
func (w *world) after(d time.Duration, do func()) {
	w.Engine.After(d, "test|"+d.String(), do)
}

// place is the pod's node, or why it has none.
func (w *world) place() string {
	object, _ := w.State.Get(pods.GroupResource(), "default", "db")
	pod := object.(*corev1.Pod)
	if pod.Spec.NodeName != "" {
		return pod.Spec.NodeName
	}
	for _, condition := range pod.Status.Conditions {
		return condition.Message
	}
	return "not decided"
}

func TestPodsWithClaims(t *testing.T) {
	zoneB := corev1.TopologySelectorTerm{MatchLabelExpressions: []corev1.TopologySelectorLabelRequirement{{Key: "zone", Values: []string{"b"}}}}
	wait := storagev1.VolumeBindingWaitForFirstConsumer
	for _, test := range []struct {
		name    string
		arrange func(w *world)
		want    string
	}{
		{"no claim", func(w *world) { w.newPod() }, `0/2 nodes are available: persistentvolumeclaim "data" not found.`},
		{"unbound", func(w *world) {
			w.class(ours, storagev1.VolumeBindingImmediate)
			w.newClaim()
			w.newPod()
		}, "0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims."},
		{"one of two unbound", func(w *world) {
			w.class(ours, wait)
			w.newClaimOf("first", "unknown")
			w.newClaim()
			w.newPod("first")
		}, "0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims."},
		{"the claim goes while the pod waits for it", func(w *world) {
			w.class(ours, wait)
			w.newClaim()
			w.newPod()
			w.after(time.Minute, func() { w.do("delete", claimResource, "", w.claim()) })
		}, `0/2 nodes are available: persistentvolumeclaim "data" not found.`},
		{"bound later, in zone b", func(w *world) {
			w.class(ours, storagev1.VolumeBindingImmediate)
			w.newClaim()
			w.newPod()
			w.newVolume("v", "b")
			w.after(time.Minute, func() { w.bindClaim("v") })
		}, "node-2"},
		{"the volume's zone has no node", func(w *world) {
			w.class(ours, storagev1.VolumeBindingImmediate)
			w.newClaim()
			w.newVolume("v", "c")
			w.bindClaim("v")
			w.newPod()
		}, "0/2 nodes are available: 2 node(s) didn't match PersistentVolume's node affinity."},
		{"nothing for the first consumer", func(w *world) {
			w.class(volume.NotSupportedProvisioner, wait)
			w.newClaim()
			w.newPod()
		}, "0/2 nodes are available: 2 node(s) didn't find available persistent volumes to bind."},
		{"a volume for the first consumer", func(w *world) {
			w.class(volume.NotSupportedProvisioner, wait)
			w.newClaim()
			w.newVolume("v", "b")
			w.newPod()
			w.after(time.Minute, func() {
				if object, _ := w.State.Get(volumeResource.GroupResource(), "", "v"); object.(*corev1.PersistentVolume).Spec.ClaimRef == nil {
					w.t.Error("the volume was not reserved")
				}
				if w.place() != "not decided" {
					w.t.Error("the pod was bound before its claim")
				}
				w.bindClaim("v")
			})
		}, "node-2"},
		{"provisioned where the class allows it", func(w *world) {
			w.class(ours, wait, zoneB)
			w.newClaim()
			w.newPod()
			w.after(time.Minute, func() {
				if node := w.claim().Annotations[volume.AnnSelectedNode]; node != "node-2" {
					w.t.Errorf("selected node %q", node)
				}
				w.newVolume("v", "b")
				w.bindClaim("v")
			})
		}, "node-2"},
		{"never provisioned", func(w *world) {
			w.class(ours, wait)
			w.newClaim()
			w.newPod()
		}, `running PreBind plugin "VolumeBinding": binding volumes: context deadline exceeded`},
	} {
		t.Run(test.name, func(t *testing.T) {
			play(t, test.arrange, func(w *world) {
				if got := w.place(); got != test.want {
					t.Errorf("the pod: %s\nwant:    %s", got, test.want)
				}
			})
		})
	}
}

// TestAFailedProvisioning takes the node away from the claim, as the PersistentVolume controller does when a
// provisioner says that it cannot: the scheduler begins again.
func TestAFailedProvisioning(t *testing.T) {
	var selected []string
	play(t, func(w *world) {
		w.class(ours, storagev1.VolumeBindingWaitForFirstConsumer)
		w.newClaim()
		w.newPod()
		for _, at := range []time.Duration{10 * time.Second, 20 * time.Second} {
			w.after(at, func() {
				claim := w.claim().DeepCopy()
				selected = append(selected, claim.Annotations[volume.AnnSelectedNode])
				delete(claim.Annotations, volume.AnnSelectedNode)
				w.do("update", claimResource, "", claim)
			})
		}
	}, func(w *world) {
		if len(selected) != 2 || strings.Join(selected, "") == "" || selected[1] == "" {
			t.Errorf("selected %q", selected)
		}
	})
}
