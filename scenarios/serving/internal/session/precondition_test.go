package session_test

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/network/live"
)

// TestASessionCanBeEdited: a client that writes an object back with the resourceVersion that it has read does so in a file, too, when
// steps before it are gone and every object has another resourceVersion. A version that was stale stays a number, and is stale.
func TestASessionCanBeEdited(t *testing.T) {
	r := start(t, live.Pace{Speed: 20})
	maps, ctx := r.client(token).CoreV1().ConfigMaps("default"), t.Context()
	create := func(name string) *corev1.ConfigMap {
		made, err := maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	create("unrelated")
	object := create("mine")
	stale := object.ResourceVersion
	object.Data = map[string]string{"a": "b"}
	if _, err := maps.Update(ctx, object, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	current, err := maps.Get(ctx, "mine", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	patch := fmt.Sprintf(`[{"op":"replace","path":"/metadata/resourceVersion","value":%q},{"op":"add","path":"/data/c","value":"d"}]`, current.ResourceVersion)
	if _, err := maps.Patch(ctx, "mine", types.JSONPatchType, []byte(patch), metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := maps.Update(ctx, object, metav1.UpdateOptions{}); !apierrors.IsConflict(err) {
		t.Fatalf("a stale update: %v", err)
	}
	deletion := metav1.DeleteOptions{Preconditions: &metav1.Preconditions{ResourceVersion: &stale}}
	if err := maps.Delete(ctx, "mine", deletion); !apierrors.IsConflict(err) {
		t.Fatalf("a stale deletion: %v", err)
	}
	text := r.replays(t)
	if n := strings.Count(text, "$(resourceVersion)"); n != 2 || strings.Contains(text, current.ResourceVersion+`"`) || strings.Count(text, `\"`+stale+`\"`)+strings.Count(text, `"`+stale+`"`) != 2 {
		t.Errorf("%d versions are current ones; %s and %s are\n%s", n, stale, current.ResourceVersion, text)
	}
	plan, scenario := prepared(t, []byte(text))
	steps := scenario.Spec.Steps
	scenario.Spec.Steps = append(steps[:1:1], steps[2:]...) // without the unrelated object
	edited, err := scenario.Encode()
	if err != nil {
		t.Fatal(err)
	}
	plan, _ = prepared(t, edited)
	outcome, err := plan.Run(runner.RunOptions{})
	if err != nil || outcome.Result != runner.Pass {
		t.Errorf("without a step before: %+v, %v", outcome, err)
	}
}
