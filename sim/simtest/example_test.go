package simtest_test

import (
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/kubestep/kubestep/sim/simtest"
)

// The first creation of a ConfigMap is refused. The test waits an hour, which takes no time, and tries again.
func Example() {
	var t *testing.T // that of the test
	createAgain(t)
}

func createAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cluster := simtest.Start(t, simtest.Options{Seed: 1, Faults: []simtest.Fault{{
			Name: "refused", Times: 1, Match: simtest.Match{Verb: "create", Resource: "configmaps"},
			Effect: simtest.Effect{Code: 409, Reason: "Conflict"},
		}}})
		configMaps := kubernetes.NewForConfigOrDie(cluster.Config).CoreV1().ConfigMaps("default")
		object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "mine"}}
		if _, err := configMaps.Create(t.Context(), object, metav1.CreateOptions{}); err == nil {
			t.Error("the fault does not apply")
		}
		time.Sleep(time.Hour)
		if _, err := configMaps.Create(t.Context(), object, metav1.CreateOptions{}); err != nil {
			t.Error(err)
		}
	})
}
