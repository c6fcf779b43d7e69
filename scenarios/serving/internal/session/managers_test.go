package session_test

import (
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubestep/kubestep/sim/network/live"
)

// TestManagersOfFields creates a Deployment as one manager, waits for its controller to write its status, scales it as another and
// applies the first number as a third. The conflict names the manager of the field, in the session and in a run of its scenario:
// every step keeps its manager, and the controllers' writes keep those of the fields that they do not change.
func TestManagersOfFields(t *testing.T) {
	text := withSteps("[]")
	r := startOf(t, text, live.Pace{Speed: 20})
	ctx := t.Context()
	deployments := r.client(token).AppsV1().Deployments("default")
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	_, err := deployments.Create(ctx, deployment(), metav1.CreateOptions{FieldManager: "helm"})
	check(err)
	eventually(t, "available", func() bool {
		web, err := deployments.Get(ctx, "web", metav1.GetOptions{})
		return err == nil && web.Status.AvailableReplicas == 3
	})
	options := metav1.PatchOptions{FieldManager: "ops"}
	_, err = deployments.Patch(ctx, "web", types.MergePatchType, []byte(`{"spec":{"replicas":4}}`), options, "scale")
	check(err)
	apply := func(replicas string) error {
		object := "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: " + replicas + "}\n"
		_, err := deployments.Patch(ctx, "web", types.ApplyPatchType, []byte(object), metav1.PatchOptions{FieldManager: "ci"})
		return err
	}
	if err := apply("3"); !apierrors.IsConflict(err) || !strings.Contains(err.Error(), `conflict with "ops" with subresource "scale"`) {
		t.Errorf("an apply of another number: %v", err)
	}
	check(apply("4"))
	_, err = deployments.Patch(ctx, "web", types.MergePatchType, []byte(`{"metadata":{"labels":{"a":"b"}}}`), metav1.PatchOptions{})
	check(err)
	web, err := deployments.Get(ctx, "web", metav1.GetOptions{})
	check(err)
	managers := ""
	for _, entry := range web.ManagedFields {
		managers += entry.Manager + " " + string(entry.Operation) + "\n"
	}
	for _, want := range []string{"ci Apply", "helm Update", "session.test Update", "kube-controller-manager Update", "ops Update"} {
		if !strings.Contains(managers, want+"\n") {
			t.Errorf("%s is not among the managers:\n%s", want, managers)
		}
	}
	saved := r.replays(t)
	for _, want := range []string{"fieldManager: helm\n", "fieldManager: ops\n", "fieldManager: session.test\n", "create: |", "scale:"} {
		if !strings.Contains(saved, want) {
			t.Errorf("the scenario has no %q:\n%s", want, saved)
		}
	}
}
