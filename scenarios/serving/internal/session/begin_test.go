package session_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/sim/network/live"
)

// withSteps is the world with other steps.
func withSteps(steps string) string {
	before, _, _ := strings.Cut(world, "  steps:")
	return before + "  steps: " + steps + "\n"
}

// eventually waits for what another goroutine does.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("after a minute: not " + what)
		}
	}
}

// TestASessionBeginsAtTimeZero opens a cluster in which nothing is due for seconds, and looks when clients can write.
func TestASessionBeginsAtTimeZero(t *testing.T) {
	r := startOf(t, withSteps("[]"), live.Pace{})
	eventually(t, "open", r.Door.IsOpen)
	if now, _ := r.Door.Now(); now != 0 {
		t.Errorf("the door opens at %s", now)
	}
	r.end(t)
}

// TestASessionEndsBeforeItsSteps ends a session that takes a step that waits for days of virtual time.
func TestASessionEndsBeforeItsSteps(t *testing.T) {
	r := startOf(t, withSteps(`[{wait: {for: "size(pods()) == 1", timeout: 100h}}]
  horizon: 101h`), live.Pace{})
	eventually(t, "on its way", func() bool { now, _ := r.Door.Now(); return now > 0 })
	r.Door.Stop()
	select {
	case outcome := <-r.outcome:
		if outcome != nil && outcome.VirtualSeconds >= (100*time.Hour).Seconds() {
			t.Errorf("the session went on for %v virtual seconds", outcome.VirtualSeconds)
		}
	case <-time.After(time.Minute):
		t.Fatal("the session has not ended after a minute")
	}
	if r.Door.IsOpen() {
		t.Error("the steps have been taken")
	}
}

// TestClientsDefineKinds creates a definition in a cluster that has none, an object of its kind, and a namespace that ends, and
// runs the scenario that they make.
func TestClientsDefineKinds(t *testing.T) {
	text := strings.NewReplacer("{scheduler: simple}", "{scheduler: simple, controllers: [namespace-controller]}",
		"managedFields: true", "managedFields: true, customResources: true").Replace(withSteps("[]"))
	r := startOf(t, text, live.Pace{Speed: 20})
	client, ctx := r.client(token), t.Context()
	post := func(path, body string) error {
		return client.RESTClient().Post().AbsPath(path).SetHeader("Content-Type", "application/json").Body([]byte(body)).Do(ctx).Error()
	}
	const definition = `{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "farms.example.com"},
		"spec": {"group": "example.com", "names": {"plural": "farms", "kind": "Farm"}, "scope": "Namespaced", "versions": [{"name": "v1",
		"served": true, "storage": true, "schema": {"openAPIV3Schema": {"type": "object"}}}]}}`
	if err := post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition); err != nil {
		t.Fatal(err)
	}
	if err := post("/api/v1/namespaces", `{"metadata": {"name": "team"}}`); err != nil {
		t.Fatal(err)
	}
	const farms = "/apis/example.com/v1/namespaces/team/farms"
	eventually(t, "served", func() bool { return client.RESTClient().Get().AbsPath(farms).Do(ctx).Error() == nil })
	if document, err := client.Discovery().RESTClient().Get().AbsPath("/openapi/v3").DoRaw(ctx); err != nil || !json.Valid(document) {
		t.Errorf("the OpenAPI document: %v", err)
	}
	if err := post(farms, `{"apiVersion": "example.com/v1", "kind": "Farm", "metadata": {"name": "one"}}`); err != nil {
		t.Fatal(err)
	}
	if err := client.CoreV1().Namespaces().Delete(ctx, "team", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "deleted", func() bool {
		_, err := client.CoreV1().Namespaces().Get(ctx, "team", metav1.GetOptions{})
		return apierrors.IsNotFound(err)
	})
	r.replays(t)
}
