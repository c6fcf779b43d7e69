package scenariotest

import (
	"context"
	"maps"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/typed/core/v1"

	"github.com/kubestep/kubestep/controllers"
)

// guarding serves the webhook /check and reconciles.
func guarding(check answer, reconciles controllers.Custom) controllers.Custom {
	return func(ctx context.Context, clients controllers.Clients) error {
		go clients.ServeWebhooks(ctx, checking(clients, check))
		return reconciles(ctx, clients)
	}
}

// checked is a scenario in which a webhook of a type and a failurePolicy is called for each ConfigMap.
func checked(kind, policy string) string {
	return strings.NewReplacer("DELETION", "note: It stays.", "  steps:\n", strings.NewReplacer("KIND", kind, "POLICY", policy).Replace(`  steps:
  - create: |
      apiVersion: admissionregistration.k8s.io/v1
      kind: KIND
      metadata: {name: guard}
      webhooks:
      - name: check.example.com
        clientConfig: {service: {namespace: default, name: guard, path: /check}}
        rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [configmaps]}]
        failurePolicy: POLICY
        timeoutSeconds: 5
        sideEffects: None
        admissionReviewVersions: [v1]
  - wait: {for: "now > duration('1s')"}
`)).Replace(changing)
}

const (
	mutating   = "MutatingWebhookConfiguration"
	validating = "ValidatingWebhookConfiguration"
)

// webhookMistakes are those of controllers that serve webhooks; see mistakes.
var webhookMistakes = map[string]controllers.Custom{
	// What the webhook has not labeled stays so: its failurePolicy is Ignore, and nobody looks for it.
	"webhook-refused": guarding(label, reconciler(careful, nil)),
	// Whatever its own webhook answers is final.
	"webhook-timeout": guarding(allow, reconciler(
		func(ctx context.Context, client v1.ConfigMapInterface, want *corev1.ConfigMap, got func(string) *corev1.ConfigMap) error {
			_ = careful(ctx, client, want, got)
			return nil
		}, nil)),
	// A request that takes a second is taken for one that always fails.
	"webhook-slow": guarding(allow, reconciler(
		func(ctx context.Context, client v1.ConfigMapInterface, want *corev1.ConfigMap, got func(string) *corev1.ConfigMap) error {
			short, cancel := context.WithTimeout(ctx, time.Second)
			defer cancel()
			if err := careful(short, client, want, got); short.Err() == nil {
				return err
			}
			return create(ctx, client, configMap("gave-up", nil))
		}, nil)),
}

func init() { maps.Copy(mistakes, webhookMistakes) }

// checkedFor is the scenario that shows a mistake.
func checkedFor(pattern string) string {
	if pattern == "webhook-refused" {
		return strings.Replace(checked(mutating, "Ignore"), "[CREATE, UPDATE]", "[CREATE]", 1)
	}
	return checked(validating, "Fail")
}

// TestACarefulWebhookSurvives runs the patterns of webhooks against a controller that tries again, and whose webhook fails closed.
func TestACarefulWebhookSurvives(t *testing.T) {
	patterns := Patterns("webhook-refused", "webhook-timeout", "webhook-slow")
	findings := Perturb(t, checked(mutating, "Fail"), Controller("mine", guarding(label, reconciler(careful, nil))), patterns)
	// The webhook is called for two writes of the controller, and for two of steps, which it only delays.
	if findings.Runs != 8 {
		t.Errorf("%d runs", findings.Runs)
	}
}
