package session_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubestep/kubestep/sim/network/live"
)

// TestAWatchThatNobodyReads writes more than a connection holds while one client watches without reading and another has gone
// away in the middle of its watch. Others are served, and all watches end with the session.
func TestAWatchThatNobodyReads(t *testing.T) {
	r := start(t, live.Pace{})
	client, ctx := r.client(token), t.Context()
	maps := client.CoreV1().ConfigMaps("default")
	unread, err := maps.Watch(ctx, metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	if _, err := maps.Watch(cancelled, metav1.ListOptions{}); err != nil {
		t.Fatal(err)
	}
	cancel()
	data := map[string]string{"x": strings.Repeat("y", 500_000)}
	for range 20 {
		object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{GenerateName: "large-"}, Data: data}
		if _, err := maps.Create(ctx, object, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	if list, err := maps.List(ctx, metav1.ListOptions{}); err != nil || len(list.Items) < 20 {
		t.Errorf("the others read %v, %v", list, err)
	}
	r.end(t)
	seen := 0
	for event := range unread.ResultChan() {
		if _, ok := event.Object.(*corev1.ConfigMap); !ok {
			t.Errorf("the watch ends with %v", event.Object)
		}
		seen++
	}
	if seen < 20 {
		t.Errorf("the watch has %d events, and ended", seen)
	}
}

// TestCBORIsNotAcceptable: kube-apiserver serves CBOR only with the feature gate CBORServingAndStorage, which is off by default.
func TestCBORIsNotAcceptable(t *testing.T) {
	r := start(t, live.Pace{})
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.url+"/api/v1/pods", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Accept", "application/cbor")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusNotAcceptable {
		t.Errorf("the answer is %s", answer.Status)
	}
	r.end(t)
}

// TestAWriteThatIsNotAcceptable is refused before it does anything, so it is no step: a step of a file accepts JSON, and would write.
func TestAWriteThatIsNotAcceptable(t *testing.T) {
	r := start(t, live.Pace{})
	eventually(t, "open", r.Door.IsOpen)
	const all = "/api/v1/namespaces/default/configmaps"
	for _, accept := range []string{"application/cbor", "text/html", "application/json;as=Odd;v=v1;g=meta.k8s.io"} {
		for method, path := range map[string]string{http.MethodPost: all, http.MethodPut: all + "/before", http.MethodDelete: all + "/before"} {
			response, data := r.send(t, method, path, map[string]string{"Accept": accept}, `{"metadata":{"name":"before"},"data":{"a":"b"}}`)
			if response.StatusCode != http.StatusNotAcceptable {
				t.Errorf("%s that accepts %s: %s %s", method, accept, response.Status, data)
			}
		}
	}
	if steps, _ := r.Steps(); steps != 0 {
		t.Errorf("%d steps", steps)
	}
	r.replays(t)
}

// TestAnObjectThatDoesNotSayItsKind is of the kind that its path names. The name that the server generates for it is that of the replay.
func TestAnObjectThatDoesNotSayItsKind(t *testing.T) {
	r := start(t, live.Pace{})
	eventually(t, "open", r.Door.IsOpen)
	for range 2 {
		response, data := r.send(t, http.MethodPost, "/api/v1/namespaces/default/configmaps", nil, `{"metadata":{"generateName":"drawn-"}}`)
		if response.StatusCode != http.StatusCreated {
			t.Errorf("%s %s", response.Status, data)
		}
	}
	r.replays(t)
}

// TestTheLogHasThePathOfTheStep sends what the server logs with its path. The step names the manager of the fields, which the client did not.
func TestTheLogHasThePathOfTheStep(t *testing.T) {
	r := start(t, live.Pace{})
	eventually(t, "open", r.Door.IsOpen)
	response, data := r.send(t, http.MethodPost, "/api/v1/namespaces/default/configmaps?timeout=odd", nil, "{}")
	if response.StatusCode != http.StatusBadRequest {
		t.Errorf("%s %s", response.Status, data)
	}
	r.replays(t)
}

// TestOptionsThatNothingHas are refused, of writes that a verb could otherwise say.
func TestOptionsThatNothingHas(t *testing.T) {
	for _, query := range []string{
		"timeout=odd", "timeout=", "timeout=1s&timeout=odd", "fieldValidation=Odd", "fieldManager=%00", "dryRun=Odd", "pretty=odd", "force=odd",
	} {
		t.Run(query, func(t *testing.T) {
			r := start(t, live.Pace{})
			eventually(t, "open", r.Door.IsOpen)
			const all = "/api/v1/namespaces/default/configmaps"
			patch := map[string]string{"Content-Type": "application/merge-patch+json"}
			r.send(t, http.MethodPost, all+"?"+query, nil, `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"}}`)
			r.send(t, http.MethodPatch, all+"/before?"+query, patch, `{"data":{"a":"b"}}`)
			r.send(t, http.MethodDelete, all+"/before?"+query, nil, "")
			r.replays(t)
		})
	}
}

// TestGroupsWithoutAUser are refused, of a write that a verb could otherwise say.
func TestGroupsWithoutAUser(t *testing.T) {
	r := start(t, live.Pace{})
	eventually(t, "open", r.Door.IsOpen)
	header := map[string]string{"Content-Type": "application/merge-patch+json", "Impersonate-Group": "developers"}
	response, data := r.send(t, http.MethodPatch, "/api/v1/namespaces/default/configmaps/before", header, `{"data":{"a":"b"}}`)
	if response.StatusCode < http.StatusBadRequest {
		t.Errorf("%s %s", response.Status, data)
	}
	r.replays(t)
}

// TestNoContainerRuns refuses what kubectl debug asks for, which would wait for its container. Of a Pod that is not there, it says so.
func TestNoContainerRuns(t *testing.T) {
	r := start(t, live.Pace{})
	pods := r.client(token).CoreV1().Pods("default")
	debug := func() string {
		_, err := pods.Patch(t.Context(), "web", types.StrategicMergePatchType,
			[]byte(`{"spec":{"ephemeralContainers":[{"name":"d","image":"busybox"}]}}`), metav1.PatchOptions{}, "ephemeralcontainers")
		if err == nil {
			t.Fatal("kubectl debug succeeds")
		}
		return err.Error()
	}
	if message := debug(); message != `pods "web" not found` {
		t.Errorf("kubectl debug of nothing: %s", message)
	}
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "web"},
		Spec:       corev1.PodSpec{NodeName: "node-1", Containers: []corev1.Container{{Name: "c", Image: "i"}}},
	}
	if _, err := pods.Create(t.Context(), pod, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if message := debug(); !strings.Contains(message, "nothing to debug in the Pod web") {
		t.Errorf("kubectl debug: %s", message)
	}
	r.end(t)
}
