package diff

import "testing"

// BenchmarkObjects compares two versions of a pod as the kubelet's last status update leaves them.
func BenchmarkObjects(b *testing.B) {
	before, after := newPodLike(), newPodLike()
	after.Status.Phase = "Running"
	after.Status.Conditions[1].Status = "True"
	b.ReportAllocs()
	for b.Loop() {
		if len(Objects(before, after)) != 2 {
			b.Fatal("wrong diff")
		}
	}
}
