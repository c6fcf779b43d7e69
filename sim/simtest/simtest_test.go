package simtest_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"

	"github.com/kubestep/kubestep/sim/simtest"
)

// bubble runs f in a bubble with a control plane and its client.
func bubble(t *testing.T, options simtest.Options, f func(t *testing.T, cluster *simtest.Cluster, client kubernetes.Interface)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		cluster := simtest.Start(t, options)
		f(t, cluster, kubernetes.NewForConfigOrDie(cluster.Config))
	})
}

// TestOneSeedGivesOneTrace makes objects from several goroutines, under an informer of client-go: the trace of a seed is
// the same each time, and that of another seed is not. An hour takes no time.
func TestOneSeedGivesOneTrace(t *testing.T) {
	hashes := map[string]uint64{}
	for _, seed := range []uint64{1, 1, 2} {
		bubble(t, simtest.Options{Seed: seed}, func(t *testing.T, cluster *simtest.Cluster, client kubernetes.Interface) {
			factory := informers.NewSharedInformerFactory(client, 0)
			maps := factory.Core().V1().ConfigMaps().Lister()
			factory.Core().V1().ConfigMaps().Informer()
			factory.Start(t.Context().Done())
			t.Cleanup(factory.Shutdown)
			factory.WaitForCacheSync(t.Context().Done())
			for n := range 3 {
				go func() {
					object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{GenerateName: fmt.Sprintf("map-%d-", n)}}
					if _, err := client.CoreV1().ConfigMaps("default").Create(t.Context(), object, metav1.CreateOptions{}); err != nil {
						t.Error(err)
					}
				}()
			}
			time.Sleep(time.Hour)
			found, err := maps.ConfigMaps("default").List(labels.Everything())
			if err != nil || len(found) != 3 {
				t.Errorf("%d ConfigMaps in the cache, %v; want 3", len(found), err)
			}
			hashes[cluster.TraceHash()] = seed
		})
	}
	if len(hashes) != 2 {
		t.Errorf("two seeds, one of them twice, give %d hashes: %v", len(hashes), hashes)
	}
}

// TestNodesRunPods binds a Pod to a node and makes it ready.
func TestNodesRunPods(t *testing.T) {
	bubble(t, simtest.Options{Nodes: 1}, func(t *testing.T, _ *simtest.Cluster, client kubernetes.Interface) {
		pods := client.CoreV1().Pods("default")
		pod := &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: "web"},
			Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "web"}}},
		}
		if _, err := pods.Create(t.Context(), pod, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		got, err := pods.Get(t.Context(), "web", metav1.GetOptions{})
		if err != nil || got.Spec.NodeName != "node-1" || got.Status.Phase != corev1.PodRunning {
			t.Errorf("node %q, phase %q, %v; want node-1, Running", got.Spec.NodeName, got.Status.Phase, err)
		}
	})
}

// TestDefaultAdmission creates what kube-apiserver's default plugins change or refuse. A Pod needs no ServiceAccount; a
// claim gets a finalizer, and a Pod the class of its priority; PodSecurity refuses what a namespace does not allow.
func TestDefaultAdmission(t *testing.T) {
	bubble(t, simtest.Options{}, func(t *testing.T, _ *simtest.Cluster, client kubernetes.Interface) {
		restricted := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{
			Name: "restricted", Labels: map[string]string{"pod-security.kubernetes.io/enforce": "restricted"},
		}}
		if _, err := client.CoreV1().Namespaces().Create(t.Context(), restricted, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		claim, err := client.CoreV1().PersistentVolumeClaims("default").Create(t.Context(), &corev1.PersistentVolumeClaim{
			ObjectMeta: metav1.ObjectMeta{Name: "data"},
			Spec: corev1.PersistentVolumeClaimSpec{
				AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
				Resources:   corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1Gi")}},
			},
		}, metav1.CreateOptions{})
		if err != nil || len(claim.Finalizers) != 1 {
			t.Errorf("finalizers of the claim: %v, %v", claim.Finalizers, err)
		}
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web"}, Spec: corev1.PodSpec{
			PriorityClassName: "system-node-critical", Containers: []corev1.Container{{Name: "web", Image: "web"}},
		}}
		created, err := client.CoreV1().Pods("default").Create(t.Context(), pod, metav1.CreateOptions{})
		if err != nil || created.Spec.Priority == nil || created.Spec.ServiceAccountName != "" {
			t.Errorf("priority %v, ServiceAccount %q, %v", created.Spec.Priority, created.Spec.ServiceAccountName, err)
		}
		if _, err = client.CoreV1().Pods("restricted").Create(t.Context(), pod, metav1.CreateOptions{}); !apierrors.IsForbidden(err) {
			t.Errorf("a Pod that the namespace does not allow: %v", err)
		}
	})
}

// TestFaultsApply refuses the second creation of a ConfigMap.
func TestFaultsApply(t *testing.T) {
	refused := simtest.Fault{
		Name: "quota", Place: simtest.Requests, Nth: 2, Times: 1,
		Match:  simtest.Match{Verb: "create", Resource: "configmaps"},
		Effect: simtest.Effect{Code: 403, Reason: "Forbidden"},
	}
	bubble(t, simtest.Options{Faults: []simtest.Fault{refused}}, func(t *testing.T, _ *simtest.Cluster, client kubernetes.Interface) {
		for n, forbidden := range []bool{false, true, false} {
			object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("map-", n)}}
			_, err := client.CoreV1().ConfigMaps("default").Create(t.Context(), object, metav1.CreateOptions{})
			if apierrors.IsForbidden(err) != forbidden {
				t.Errorf("creation %d: %v; forbidden: want %t", n, err, forbidden)
			}
		}
	})
}

// TestFaultsThatNeverApply refuses rules that cannot match, and logs why another one did not.
func TestFaultsThatNeverApply(t *testing.T) {
	for _, test := range []struct {
		match simtest.Match
		want  string
	}{
		{simtest.Match{Verb: "delte", Resource: "configmaps"}, `fault lost: unknown verb "delte": want one of get, list, `},
		{simtest.Match{Verb: "delete", Resource: "configmap"}, `fault lost: unknown resource "configmap": want a plural name`},
		{simtest.Match{Resource: "deployments"}, `fault lost: no resource "deployments" in the group "": want the group "apps"`},
		{simtest.Match{Verb: "delete", Resource: "configmaps"}, "fault lost never matched: no request about configmaps had the verb delete, only create"},
	} {
		fake := &failing{}
		rule := simtest.Fault{Name: "lost", Match: test.match, Nth: 1, Effect: simtest.Effect{Code: 504, Reason: "Timeout"}}
		synctest.Test(t, func(t *testing.T) {
			defer func() { _ = recover() }()
			cluster := simtest.Start(fake, simtest.Options{Faults: []simtest.Fault{rule}})
			object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "map"}}
			client := kubernetes.NewForConfigOrDie(cluster.Config)
			if _, err := client.CoreV1().ConfigMaps("default").Create(t.Context(), object, metav1.CreateOptions{}); err != nil {
				t.Error(err)
			}
			cluster.Stop()
		})
		if !strings.Contains(fake.message, test.want) {
			t.Errorf("%+v: the message is %q, want %q", test.match, fake.message, test.want)
		}
	}
}

// TestFaultsOfCustomResources knows the resources that definitions define. One of another group may be defined by the test.
func TestFaultsOfCustomResources(t *testing.T) {
	definition := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": map[string]any{"name": "farms.example.com"},
	}}
	for _, test := range []struct{ resource, group, want string }{
		{"farms", "example.com", ""},
		{"plots", "example.org", ""},
		{"barns", "example.com", `fault lost: unknown resource "barns.example.com": want a plural name`},
		{"farms", "apps", `fault lost: no resource "farms" in the group "apps": want the group "example.com"`},
		{"farms", "", `fault lost: no resource "farms" in the group "": want the group "example.com"`},
	} {
		fake := &failing{}
		rule := simtest.Fault{Name: "lost", Match: simtest.Match{Resource: test.resource, Group: test.group}}
		synctest.Test(t, func(t *testing.T) {
			defer func() { _ = recover() }()
			simtest.Start(fake, simtest.Options{
				Server: simtest.Server{CustomResources: true}, Faults: []simtest.Fault{rule}, Objects: []runtime.Object{definition},
			}).Stop()
		})
		refused := strings.Contains(fake.message, "resource")
		if refused != (test.want != "") || !strings.Contains(fake.message, test.want) {
			t.Errorf("%s.%s: the message is %q, want %q", test.resource, test.group, fake.message, test.want)
		}
	}
}

// TestOneAfterTheOther starts a second control plane in the bubble of the first, which has ended: it is empty.
func TestOneAfterTheOther(t *testing.T) {
	bubble(t, simtest.Options{}, func(t *testing.T, first *simtest.Cluster, client kubernetes.Interface) {
		object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "map"}}
		if _, err := client.CoreV1().ConfigMaps("default").Create(t.Context(), object, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		first.Stop()
		second := simtest.Start(t, simtest.Options{})
		client = kubernetes.NewForConfigOrDie(second.Config)
		if _, err := client.CoreV1().ConfigMaps("default").Get(t.Context(), "map", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
			t.Errorf("the ConfigMap of the first control plane: %v; want not found", err)
		}
	})
}

// TestOutsideOfABubble fails the test, and says what to do.
func TestOutsideOfABubble(t *testing.T) {
	fake := &failing{}
	func() {
		defer func() { _ = recover() }()
		simtest.Start(fake, simtest.Options{})
	}()
	if !strings.Contains(fake.message, "synctest.Test") {
		t.Errorf("the message is %q", fake.message)
	}
}

// TestMessagesNameThePackage expects its name before whatever keeps a control plane from starting.
func TestMessagesNameThePackage(t *testing.T) {
	for _, wrong := range []struct {
		options simtest.Options
		want    string
	}{
		{simtest.Options{Server: simtest.Server{Admission: []string{"Nameless"}}}, `simtest: `},
		{simtest.Options{Objects: []runtime.Object{&unstructured.Unstructured{}}}, "simtest: object : its kind is unknown"},
		{simtest.Options{Faults: []simtest.Fault{{Name: "lost", Place: 7}}}, "simtest: fault lost: unknown place 7"},
		{simtest.Options{Faults: []simtest.Fault{{Name: "lost", Match: simtest.Match{Verb: "delte"}}}}, "simtest: fault lost: unknown verb"},
	} {
		fake := &failing{}
		synctest.Test(t, func(*testing.T) {
			defer func() { _ = recover() }()
			simtest.Start(fake, wrong.options)
		})
		if !strings.HasPrefix(fake.message, wrong.want) || strings.Count(fake.message, "simtest:") != 1 {
			t.Errorf("%q; want %q", fake.message, wrong.want)
		}
	}
}

// TestTheLimitFailsTheTest ends a test that waits for something that never happens.
func TestTheLimitFailsTheTest(t *testing.T) {
	fake := &failing{}
	synctest.Test(t, func(t *testing.T) {
		cluster := simtest.Start(fake, simtest.Options{Limit: time.Hour})
		client := kubernetes.NewForConfigOrDie(cluster.Config)
		time.Sleep(2 * time.Hour)
		if _, err := client.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{}); err == nil {
			t.Error("a request after the limit succeeds")
		}
		cluster.Stop()
	})
	if !strings.Contains(fake.message, "1h0m0s of virtual time") {
		t.Errorf("the message is %q", fake.message)
	}
}

// failing is a test that fails. Fatal ends its goroutine by a panic.
type failing struct{ message string }

func (f *failing) Helper()                           {}
func (f *failing) Cleanup(func())                    {}
func (f *failing) Errorf(format string, args ...any) { f.message = fmt.Sprintf(format, args...) }
func (f *failing) Logf(format string, args ...any)   { f.message = fmt.Sprintf(format, args...) }
func (f *failing) Fatal(args ...any) {
	f.message = fmt.Sprint(args...)
	panic(f.message)
}
