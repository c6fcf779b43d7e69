package simtest_test

import (
	"fmt"
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
	t := new(testing.T) // in a test, its parameter
	synctest.Test(t, func(t *testing.T) {
		cluster := simtest.Start(t, simtest.Options{Seed: 1, Faults: []simtest.Fault{{
			Name: "refused", Times: 1, Match: simtest.Match{Verb: "create", Resource: "configmaps"},
			Effect: simtest.Effect{Code: 409, Reason: "Conflict"},
		}}})
		configMaps := kubernetes.NewForConfigOrDie(cluster.Config).CoreV1().ConfigMaps("default")
		object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "mine"}}
		_, err := configMaps.Create(t.Context(), object, metav1.CreateOptions{})
		fmt.Println(err)
		time.Sleep(time.Hour)
		created, err := configMaps.Create(t.Context(), object, metav1.CreateOptions{})
		fmt.Println(created.Name, created.CreationTimestamp.UTC().Format(time.DateTime), err)
	})
	// Output:
	// the request was rejected (refused)
	// mine 2026-01-01 01:00:00 <nil>
}
