//go:build linux

package controllers

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/cluster/cri"
	"github.com/kubestep/kubestep/sim/network"
	"github.com/kubestep/kubestep/sim/trace"
)

// housekeeping is the line of a kubelet's log with which it begins to clean up.
const housekeeping = "SyncLoop (housekeeping)"

// TestIdleKubeletsRest compares kubelets that rest while they have nothing to do with those that do not: the same requests, watch events,
// Events and facts of containers happen at the same times.
func TestIdleKubeletsRest(t *testing.T) {
	var happened [2][]string
	var cleanups, started [2]int
	for i, restless := range []bool{true, false} {
		for _, r := range runOfRest(t, restless) {
			switch {
			case r.Log != nil && r.Log.Message == housekeeping:
				cleanups[i]++
			case r.Event != nil && r.Event.Reason == "Started":
				started[i]++
				fallthrough
			case r.Request != nil, r.Watch != nil, r.Event != nil, r.Container != nil:
				happened[i] = append(happened[i], withoutNumbers(t, r))
			}
		}
	}
	if cleanups[0] < 2*30*30 || cleanups[1] > cleanups[0]/2+60 {
		t.Errorf("cleaned up %d times without rest, and %d times with it", cleanups[0], cleanups[1])
	}
	if started[0] < 5 || started[1] != started[0] {
		t.Errorf("%d containers started", started)
	}
	if difference := cmp.Diff(happened[0], happened[1]); difference != "" {
		t.Errorf("what happens (-without rest, +with it):\n%s", difference)
	}
}

// runOfRest is a run of half an hour.
func runOfRest(t *testing.T, restless bool) []*trace.Record {
	t.Helper()
	options := withKubelets(t)
	options.Kubelets.Restless = restless
	late := cri.Range{Min: 9 * time.Minute, Max: 9 * time.Minute}
	options.Kubelets.Programs = []cri.Program{{Image: "late:v1", Exits: &cri.Exit{After: late}}}
	options.Verbosity = 4
	records, fault, err := planeFor(t, 31*time.Minute, options, comeAndGo(t))
	if fault != nil || err != nil {
		t.Fatal(fault, err)
	}
	return records
}

// comeAndGo creates a Pod with volumes on a node, deletes it, and does that again when the node had time to settle. Another Pod stays on
// another node: its program ends after nine minutes, again and again, and its probe does not wait for that.
func comeAndGo(t *testing.T) func(context.Context, *sim.Simulation, *Processes) {
	return func(ctx context.Context, world *sim.Simulation, _ *Processes) {
		client := world.Client("kubectl").CoreV1()
		settings := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "settings"}, Data: map[string]string{"color": "blue"}}
		if _, err := client.ConfigMaps("default").Create(ctx, settings, metav1.CreateOptions{}); err != nil {
			t.Error(err)
		}
		stays := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "stays"}, Spec: corev1.PodSpec{
			NodeName: "b",
			Volumes: []corev1.Volume{{Name: "settings", VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{
				LocalObjectReference: corev1.LocalObjectReference{Name: "settings"},
			}}}},
			Containers: []corev1.Container{{
				Name: "c", Image: "late:v1", VolumeMounts: []corev1.VolumeMount{{Name: "settings", MountPath: "/settings"}},
				ReadinessProbe: &corev1.Probe{PeriodSeconds: 7, ProbeHandler: corev1.ProbeHandler{
					HTTPGet: &corev1.HTTPGetAction{Path: "/ready", Port: intstr.FromInt32(8080)},
				}},
			}},
		}}
		if _, err := client.Pods("default").Create(ctx, stays, metav1.CreateOptions{}); err != nil {
			t.Error(err)
		}
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web"}, Spec: corev1.PodSpec{
			NodeName: "a",
			Volumes: []corev1.Volume{
				{Name: "settings", VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{
					LocalObjectReference: corev1.LocalObjectReference{Name: "settings"},
				}}},
				{Name: "scratch", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}},
			},
			Containers: []corev1.Container{{Name: "c", Image: "web:v1", VolumeMounts: []corev1.VolumeMount{
				{Name: "settings", MountPath: "/settings"}, {Name: "scratch", MountPath: "/scratch"},
			}}},
		}}
		for _, pause := range []time.Duration{30*time.Second + 123*time.Millisecond, 15 * time.Minute} {
			time.Sleep(pause)
			if _, err := client.Pods("default").Create(ctx, pod, metav1.CreateOptions{}); err != nil {
				t.Error(err)
			}
			time.Sleep(20 * time.Second)
			if err := client.Pods("default").Delete(ctx, pod.Name, metav1.DeleteOptions{}); err != nil {
				t.Error(err)
			}
		}
	}
}

// withoutNumbers is a record without its number and that of its cause, which count records.
func withoutNumbers(t *testing.T, r *trace.Record) string {
	t.Helper()
	bare := *r
	bare.Seq, bare.Cause = 0, 0
	text, err := json.Marshal(&bare)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestARenewalKeepsTheManagerOfALease: on a server that keeps them, metadata.managedFields of a lease are those of its kubelet, and a
// renewal changes only their time.
func TestARenewalKeepsTheManagerOfALease(t *testing.T) {
	_, fault, err := planeOf(t, time.Minute, apiserver.Options{ManagedFields: true}, withKubelets(t), func(ctx context.Context, world *sim.Simulation, _ *Processes) {
		client := world.Client("kubectl")
		leases := client.CoordinationV1().Leases(corev1.NamespaceNodeLease)
		namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: corev1.NamespaceNodeLease}}
		if _, err := client.CoreV1().Namespaces().Create(ctx, namespace, metav1.CreateOptions{}); err != nil {
			t.Error(err)
		}
		time.Sleep(25 * time.Second)
		made, err := leases.Get(ctx, "a", metav1.GetOptions{})
		if err != nil {
			t.Error(err)
			return
		}
		time.Sleep(25 * time.Second)
		renewed, err := leases.Get(ctx, "a", metav1.GetOptions{})
		if err != nil {
			t.Error(err)
			return
		}
		if passed := renewed.Spec.RenewTime.Sub(made.Spec.RenewTime.Time); passed < 15*time.Second {
			t.Errorf("renewed after %s", passed)
		}
		if len(made.ManagedFields) != 1 || made.ManagedFields[0].Manager != KubeletName {
			t.Errorf("managed by %v", made.ManagedFields)
			return
		}
		made.ManagedFields[0].Time = renewed.ManagedFields[0].Time
		if difference := cmp.Diff(made.ManagedFields, renewed.ManagedFields); difference != "" {
			t.Errorf("who manages the lease (-when it was made, +renewed):\n%s", difference)
		}
	})
	if fault != nil || err != nil {
		t.Fatal(fault, err)
	}
}

// TestRenewalsThatNobodyLooksAt: kubelets leave out the renewals of their leases until somebody watches leases, and then renew them as
// often as before.
func TestRenewalsThatNobodyLooksAt(t *testing.T) {
	options := withKubelets(t)
	options.Kubelets.LooksAtLeases = func(stream *network.Stream) bool { return stream.Actor == "kubectl" }
	_, fault, err := planeFor(t, 5*time.Minute, options, func(ctx context.Context, world *sim.Simulation, _ *Processes) {
		client := world.Client("kubectl").CoordinationV1().Leases(corev1.NamespaceNodeLease)
		age := func() time.Duration {
			lease, err := client.Get(ctx, "a", metav1.GetOptions{})
			if err != nil {
				t.Error(err)
				return 0
			}
			return time.Since(lease.Spec.RenewTime.Time)
		}
		time.Sleep(3 * time.Minute)
		if left := age(); left < 150*time.Second {
			t.Errorf("before somebody looks, the lease is %s old", left)
		}
		if _, err := client.Watch(ctx, metav1.ListOptions{}); err != nil {
			t.Error(err)
		}
		for range 5 {
			time.Sleep(15 * time.Second)
			if renewed := age(); renewed > 12*time.Second {
				t.Errorf("while somebody looks, the lease is %s old", renewed)
			}
		}
	})
	if fault != nil || err != nil {
		t.Fatal(fault, err)
	}
}
