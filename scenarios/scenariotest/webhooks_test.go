package scenariotest_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/scenariotest"
)

// guard is a webhook: what it answers to a question.
type guard func(ctx context.Context, clients controllers.Clients, asked *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse

// guarded runs a process that serves webhooks, by path.
func guarded(guards map[string]guard) scenariotest.Option {
	return scenariotest.Controller("guard", func(ctx context.Context, clients controllers.Clients) error {
		mux := http.NewServeMux()
		for path, answer := range guards {
			mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
				var review admissionv1.AdmissionReview
				if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
					http.Error(w, err.Error(), http.StatusBadRequest)
					return
				}
				review.Response = answer(r.Context(), clients, review.Request)
				review.Response.UID = review.Request.UID
				_ = json.NewEncoder(w).Encode(review)
			})
		}
		clients.ServeWebhooks(ctx, mux)
		return nil
	})
}

func deny(message string) *admissionv1.AdmissionResponse {
	return &admissionv1.AdmissionResponse{Result: &metav1.Status{Message: message, Code: http.StatusForbidden, Reason: metav1.StatusReasonForbidden}}
}

const configMaps = `
apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: webhooks}
spec:
  title: ConfigMaps with a webhook
  horizon: 2m
  kubernetes: {controllers: []}
  steps:
  - create: |
      apiVersion: admissionregistration.k8s.io/v1
      kind: ValidatingWebhookConfiguration
      metadata: {name: guard}
      webhooks:
      - name: small.guard.example.com
        clientConfig: {service: {namespace: default, name: guard, path: /small}}
        rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [configmaps]}]
        sideEffects: None
        timeoutSeconds: 5
        admissionReviewVersions: [v1]
  - after: 2s
    fails: Forbidden
    create: |
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: good}
      data: {a: b}
`

func TestAWebhookDenies(t *testing.T) {
	hashes := map[string]bool{}
	for range 2 {
		result := scenariotest.Run(t, configMaps, guarded(map[string]guard{
			"/small": func(_ context.Context, _ controllers.Clients, asked *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
				return deny("too big: " + asked.Name)
			},
		}))
		hashes[result.Outcome.TraceHash] = true
		if text := result.Text(); !strings.Contains(text, "denied: too big: good") || !strings.Contains(text, "denied the request") {
			t.Error(text)
		} else {
			t.Log(text)
		}
	}
	if len(hashes) != 1 {
		t.Errorf("%d hashes from one seed", len(hashes))
	}
}
