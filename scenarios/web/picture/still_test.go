package picture_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/web/picture"
)

// TestStill holds that the picture of a lesson in a list is small, does not move, and shows two versions of a rollout.
func TestStill(t *testing.T) {
	text, err := picture.Still(recorded(t, "rolling-update", "A rolling update"))
	if err != nil {
		t.Fatal(err)
	}
	if len(text) > 20_000 {
		t.Errorf("the picture has %d bytes", len(text))
	}
	for _, want := range []string{"ReplicaSet v1", "ReplicaSet v2", "node-1", `aria-label="A rolling update"`, "prefers-color-scheme: dark"} {
		if !strings.Contains(text, want) {
			t.Errorf("the picture has no %q", want)
		}
	}
	if strings.Contains(text, "@keyframes") || strings.Contains(text, "PROGRAMS") {
		t.Error("the picture moves, or has more than the store and the nodes")
	}
	if !picture.Is(strings.NewReader(text)) {
		t.Error("the picture is not recognized")
	}
}

// TestStillWithoutAWorkload draws the objects of a run that is about them.
func TestStillWithoutAWorkload(t *testing.T) {
	text, err := picture.Still(recorded(t, "claim-in-use", "A claim"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{">data<", "PersistentVolumeClaim", ">db-a<", "node-1"} {
		if !strings.Contains(text, want) {
			t.Errorf("the picture has no %q", want)
		}
	}
}

// TestNoStill says why a run has no picture: nothing of it is on the stage.
func TestNoStill(t *testing.T) {
	file := filepath.Join(t.TempDir(), "empty.yaml")
	scenario := "apiVersion: kubestep.dev/v1alpha1\nkind: Scenario\nmetadata: {name: empty}\nspec:\n  title: Nothing\n  steps:\n" +
		"  - create: |\n      apiVersion: coordination.k8s.io/v1\n      kind: Lease\n      metadata: {name: a}\n"
	if err := os.WriteFile(file, []byte(scenario), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := picture.Still(recorded(t, file, file)); err == nil || !strings.Contains(err.Error(), "no objects to draw") {
		t.Errorf("the error is %v", err)
	}
}
