//go:build linux

package controllers

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubestep/kubestep/controllers/kubelet"
	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/cluster/cri"
	"github.com/kubestep/kubestep/sim/trace"
)

// withKubelets are the options of two nodes with kubelets.
func withKubelets(t *testing.T, programs ...cri.Program) Options {
	t.Helper()
	config, err := kubelet.Defaults()
	if err != nil {
		t.Fatal(err)
	}
	addresses := 0
	return Options{Kubelets: &KubeletOptions{
		Nodes: []KubeletNode{
			{Name: "a", Address: "192.168.0.1", CPUs: 4, Memory: 8 << 30},
			{Name: "b", Address: "192.168.0.2", CPUs: 4, Memory: 8 << 30},
		},
		Config: config, Programs: programs,
		PodAddress: func() string { addresses++; return fmt.Sprintf("10.244.0.%d", addresses) },
	}}
}

// TestAKubeletRunsAPod: upstream's kubelet registers its node, starts a Pod, probes it and reports what it finds.
func TestAKubeletRunsAPod(t *testing.T) {
	probed := cri.Program{Image: "web:v1", Answers: []cri.Answer{{Path: "/ready", Code: 503, Until: cri.Fixed(12 * time.Second)}}}
	records, fault, err := plane(t, withKubelets(t, probed), func(ctx context.Context, world *sim.Simulation, _ *Processes) {
		time.Sleep(5 * time.Second)
		client := world.Client("kubectl")
		_, err := client.CoreV1().Pods("default").Create(ctx, &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "default"},
			Spec: corev1.PodSpec{NodeName: "a", Containers: []corev1.Container{{
				Name: "c", Image: "web:v1", Ports: []corev1.ContainerPort{{ContainerPort: 8080}},
				ReadinessProbe: &corev1.Probe{PeriodSeconds: 5, ProbeHandler: corev1.ProbeHandler{
					HTTPGet: &corev1.HTTPGetAction{Path: "/ready", Port: intstr.FromInt32(8080)},
				}},
			}}},
		}, metav1.CreateOptions{})
		if err != nil {
			t.Error(err)
		}
	})
	_ = records
	if fault != nil || err != nil {
		t.Fatal(fault, err)
	}
}

func show(r *trace.Record) {
	if os.Getenv("SHOW") == "" {
		return
	}
	switch {
	case r.Request != nil:
		fmt.Println(r.At, r.Actor, r.Request.Verb, r.Request.Resource, r.Request.Subresource, r.Request.Name, r.Request.Code, r.Request.Writes)
	case r.Log != nil:
		fmt.Println(r.At, r.Actor, "LOG", r.Log.Level, r.Log.Message, r.Log.Values)
	case r.Event != nil:
		fmt.Println(r.At, r.Actor, "EVENT", r.Event.Reason, r.Event.Message)
	}
}
