package network_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/network"
)

// podOf is a Pod with an argument of a size.
func podOf(bytes int) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "large", Namespace: "default"},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "i", Args: []string{strings.Repeat("a", bytes)}}}},
	}
}

// TestSizes are the limits of etcd, 1.5 MiB for what is stored, and of kube-apiserver, 3 MiB for the body of a request
// and 10,000 operations for a JSON patch.
func TestSizes(t *testing.T) {
	operations := func(n int) []byte {
		one := `{"op": "add", "path": "/metadata/labels", "value": {}}`
		return []byte("[" + strings.Repeat(one+",", n-1) + one + "]")
	}
	merge := func(bytes int) []byte {
		return []byte(`{"metadata": {"labels": {"a": "` + strings.Repeat("a", bytes) + `"}}}`)
	}
	const mib = 1 << 20
	for _, test := range []struct {
		name    string
		do      func(pods podClient) error
		code    int32
		message string
	}{
		{"1 MiB", func(pods podClient) error { return create(pods, mib) }, 0, ""},
		{"2 MiB", func(pods podClient) error { return create(pods, 2*mib) }, 500, "etcdserver: request is too large"},
		{"4 MiB", func(pods podClient) error { return create(pods, 4*mib) }, 413, "Request entity too large: limit is 3145728"},
		{"10000 operations", func(pods podClient) error {
			return errors.Join(create(pods, 0), patchPod(pods, types.JSONPatchType, operations(10000)))
		}, 0, ""},
		{"10001 operations", func(pods podClient) error {
			return errors.Join(create(pods, 0), patchPod(pods, types.JSONPatchType, operations(10001)))
		}, 413, "Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001"},
		{"a patch of 4 MiB", func(pods podClient) error {
			return errors.Join(create(pods, 0), patchPod(pods, types.MergePatchType, merge(4*mib)))
		}, 413, "Request entity too large: limit is 3145728"},
	} {
		t.Run(test.name, func(t *testing.T) {
			bothClients(t, sim.Options{}, func(w *world, client func() kubernetes.Interface) {
				within(t, w, func(context.Context) {
					err := test.do(client().CoreV1().Pods("default"))
					var status apierrors.APIStatus
					switch {
					case test.code == 0 && err != nil:
						t.Errorf("%.200v", err)
					case test.code == 0:
					case !errors.As(err, &status), status.Status().Code != test.code, status.Status().Message != test.message:
						t.Errorf("%.200v; want %d %s", err, test.code, test.message)
					}
				})
			})
		})
	}
}

type podClient interface {
	Create(context.Context, *corev1.Pod, metav1.CreateOptions) (*corev1.Pod, error)
	Patch(context.Context, string, types.PatchType, []byte, metav1.PatchOptions, ...string) (*corev1.Pod, error)
}

func create(pods podClient, bytes int) error {
	_, err := pods.Create(ctx, podOf(bytes), metav1.CreateOptions{})
	return err
}

func patchPod(pods podClient, kind types.PatchType, patch []byte) error {
	_, err := pods.Patch(ctx, "large", kind, patch, metav1.PatchOptions{})
	return err
}

// TestACanceledRequest ends the context of a client while its request, or the opening of its watch, is under way. The
// client does not wait for the answer; the server executes the request.
func TestACanceledRequest(t *testing.T) {
	play(t, sim.Options{Request: network.Range{Min: time.Minute, Max: time.Minute}}, func(w *world) {
		maps := kubernetes.NewForConfigOrDie(config(w, "client")).CoreV1().ConfigMaps("default")
		w.Go("client", func(ctx context.Context) {
			began := time.Now()
			ctx, cancel := context.WithTimeout(ctx, time.Second)
			defer cancel()
			if _, err := maps.Create(ctx, configMap("a"), metav1.CreateOptions{}); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("the creation: %v", err)
			}
			if took := time.Since(began); took != time.Second {
				t.Errorf("the client waited %s", took)
			}
			watching, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			if _, err := maps.Watch(watching, metav1.ListOptions{}); err == nil {
				t.Error("a watch that was canceled is open")
			}
		})
		w.Run(2 * time.Hour)
		if _, found := w.State.Get(configMaps.GroupResource(), "default", "a"); !found {
			t.Error("the request was not executed")
		}
	})
}

// TestPanic creates an object on which a handler of upstream panics: bytes that are no JSON, where JSON belongs. The client
// sees its stream reset, as over HTTP/2, and the next request succeeds.
func TestPanic(t *testing.T) {
	play(t, sim.Options{}, func(w *world) {
		within(t, w, func(context.Context) {
			protobuf := config(w, "client")
			protobuf.ContentType = runtime.ContentTypeProtobuf
			revisions := kubernetes.NewForConfigOrDie(protobuf).AppsV1().ControllerRevisions("default")
			for _, test := range []struct{ data, want string }{
				{"{", "stream error: stream ID 1; INTERNAL_ERROR; received from peer"}, {"{}", ""},
			} {
				_, err := revisions.Create(ctx, &appsv1.ControllerRevision{
					ObjectMeta: metav1.ObjectMeta{Name: "a"}, Data: runtime.RawExtension{Raw: []byte(test.data)},
				}, metav1.CreateOptions{})
				if got := fmt.Sprint(errors.Unwrap(err)); err != nil && got != test.want || err == nil && test.want != "" {
					t.Errorf("data %s: %v; want %s", test.data, err, test.want)
				}
			}
		})
	})
}

// TestHeaders are those that kube-apiserver's filters set on every answer; that of a health check has no id here.
func TestHeaders(t *testing.T) {
	play(t, sim.Options{}, func(w *world) {
		within(t, w, func(context.Context) {
			client := &http.Client{Transport: w.RoundTripper("client")}
			ids := map[string]bool{}
			for _, path := range []string{"/api/v1/namespaces/default/configmaps", "/api/v1/nodes", "/healthz"} {
				response, err := client.Get("http://kube-apiserver" + path)
				if err != nil {
					t.Error(err)
					return
				}
				_ = response.Body.Close()
				if got := response.Header.Get("Cache-Control"); got != "no-cache, private" {
					t.Errorf("Cache-Control: %s", got)
				}
				if path != "/healthz" {
					ids[response.Header.Get("Audit-Id")] = true
				}
			}
			if len(ids) != 2 || ids[""] {
				t.Errorf("Audit-Id: %v", ids)
			}
		})
	})
}
