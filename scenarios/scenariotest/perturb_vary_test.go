package scenariotest

import (
	"context"
	"crypto/rand"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/typed/core/v1"

	"github.com/kubestep/kubestep/controllers"
)

// drawing is a controller that draws a new token in each of its lives and writes it to copy. One that forgets drops the other
// field then.
func drawing(forgets bool) controllers.Custom {
	return func(ctx context.Context, c controllers.Clients) error {
		token := rand.Text()
		return reconciler(func(ctx context.Context, client v1.ConfigMapInterface, want *corev1.ConfigMap, got func(string) *corev1.ConfigMap) error {
			copied := got("copy")
			switch {
			case want == nil || copied != nil && copied.Data["token"] == token:
				return nil
			case copied == nil:
				return create(ctx, client, configMap("copy", map[string]string{"token": token, "kept": "yes"}))
			}
			copied = copied.DeepCopy()
			copied.Data["token"] = token
			if forgets {
				delete(copied.Data, "kept")
			}
			_, err := client.Update(ctx, copied, metav1.UpdateOptions{})
			return err
		}, nil)(ctx, c)
	}
}

// TestWhatAControllerDraws is not compared: with another token after a restart the run ends otherwise, and that is no mistake. A
// field of the same object that is lost is one.
func TestWhatAControllerDraws(t *testing.T) {
	for name, test := range map[string]struct {
		forgets bool
		want    []string
	}{
		"a token":             {false, nil},
		"a token and a field": {true, []string{"same-end"}},
	} {
		t.Run(name, func(t *testing.T) {
			var names []string
			found := Findings(t, scenarioOf("crash-after-write"), Controller("mine", drawing(test.forgets)), Patterns("crash-after-write"))
			for _, finding := range found.All {
				names = append(names, finding.Name)
			}
			if !slices.Equal(names, test.want) || found.Runs == 0 {
				t.Errorf("%d runs find %q, want %q", found.Runs, names, test.want)
			}
		})
	}
}
