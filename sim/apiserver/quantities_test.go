package apiserver

import (
	"reflect"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// TestParseQuantities: a quantity of a client has the text that it would have on a server that reads it.
func TestParseQuantities(t *testing.T) {
	for _, test := range []struct {
		q    resource.Quantity
		want string
	}{
		{*resource.NewQuantity(96636764000, resource.BinarySI), "96636764k"},
		{*resource.NewQuantity(96636764001, resource.BinarySI), "96636764001"},
		{*resource.NewQuantity(8<<30, resource.BinarySI), "8Gi"},
		{*resource.NewQuantity(5000, resource.DecimalSI), "5k"},
		{*resource.NewMilliQuantity(1500, resource.DecimalSI), "1500m"},
		{*resource.NewQuantity(0, resource.BinarySI), "0"},
	} {
		limit := test.q.DeepCopy()
		list := corev1.ResourceList{corev1.ResourceMemory: test.q.DeepCopy()}
		pod := &corev1.Pod{
			Spec: corev1.PodSpec{
				Containers: []corev1.Container{{Resources: corev1.ResourceRequirements{Limits: list}}},
				Volumes:    []corev1.Volume{{VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{SizeLimit: &limit}}}},
			},
		}
		parseQuantities(reflect.ValueOf(pod))
		got, size := pod.Spec.Containers[0].Resources.Limits[corev1.ResourceMemory], pod.Spec.Volumes[0].EmptyDir.SizeLimit
		if got.String() != test.want || size.String() != test.want {
			t.Errorf("%s is %s and %s; want %s", test.q.String(), got.String(), size.String(), test.want)
		}
		if again := resource.MustParse(got.String()); again.Format != got.Format && again.Sign() != 0 {
			t.Errorf("%s has the format %s; parsed again, %s", got.String(), got.Format, again.Format)
		}
	}
}
