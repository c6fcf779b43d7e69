package scenariotest

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/controllers"
)

// answer is what a webhook does.
type answer func(ctx context.Context, clients controllers.Clients, asked *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse

// guard is a process that serves the webhook /check.
func guard(check answer) Option {
	return Controller("guard", func(ctx context.Context, clients controllers.Clients) error {
		clients.ServeWebhooks(ctx, checking(clients, check))
		return nil
	})
}

// checking handles /check.
func checking(clients controllers.Clients, check answer) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/check", func(w http.ResponseWriter, r *http.Request) {
		var review admissionv1.AdmissionReview
		if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		review.Response = check(r.Context(), clients, review.Request)
		review.Response.UID = review.Request.UID
		// The recorder of the answer is in memory.
		_ = json.NewEncoder(w).Encode(review)
	})
	return mux
}

func allow(context.Context, controllers.Clients, *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	return &admissionv1.AdmissionResponse{Allowed: true}
}

func deny(context.Context, controllers.Clients, *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	return &admissionv1.AdmissionResponse{Result: &metav1.Status{
		Message: "not today", Code: http.StatusForbidden, Reason: metav1.StatusReasonForbidden,
	}}
}

// hang answers after an hour, unless the caller hangs up.
func hang(ctx context.Context, clients controllers.Clients, asked *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	select {
	case <-ctx.Done():
	case <-time.After(time.Hour):
	}
	return allow(ctx, clients, asked)
}

// label mutates.
func label(context.Context, controllers.Clients, *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	kind := admissionv1.PatchTypeJSONPatch
	return &admissionv1.AdmissionResponse{
		Allowed: true, PatchType: &kind, Patch: []byte(`[{"op":"add","path":"/metadata/labels","value":{"checked":"yes"}}]`),
	}
}

// quota asks the API server, as a webhook that counts objects does.
func quota(ctx context.Context, clients controllers.Clients, asked *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	found, err := clients.Client.CoreV1().ConfigMaps(asked.Namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		panic(err)
	}
	if len(found.Items) > 0 {
		return deny(ctx, clients, asked)
	}
	return allow(ctx, clients, asked)
}

// guarded is a scenario with a webhook of a type, a failurePolicy, and steps.
func guarded(kind, policy, steps string) string {
	return strings.NewReplacer("KIND", kind, "POLICY", policy, "STEPS", strings.TrimSpace(steps)).Replace(`
apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: guarded}
spec:
  title: ConfigMaps and a webhook
  horizon: 2m
  kubernetes: {controllers: []}
  steps:
  - create: |
      apiVersion: admissionregistration.k8s.io/v1
      kind: KIND
      metadata: {name: guard}
      webhooks:
      - name: check.example.com
        clientConfig: {service: {namespace: default, name: guard, path: /check}}
        rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
        failurePolicy: POLICY
        timeoutSeconds: 5
        sideEffects: None
        admissionReviewVersions: [v1]
  STEPS
`)
}

// TestWebhooks plays a scenario for everything that a webhook may do, well or badly, and looks for lines of its trace.
func TestWebhooks(t *testing.T) {
	const create = `
  - after: 2s
    FAILS
    create: "{apiVersion: v1, kind: ConfigMap, metadata: {name: NAME}}"`
	creates := func(name, fails string) string {
		if fails != "" {
			fails = "fails: " + fails
		}
		return strings.NewReplacer("NAME", name, "FAILS", fails).Replace(create)
	}
	for name, test := range map[string]struct {
		check        answer
		kind, policy string
		steps        string
		want         []string
	}{
		"allows": {allow, validating, "Fail", creates("a", ""), []string{"create    configmaps/a "}},
		"denies": {deny, validating, "Fail", creates("a", "Forbidden"), []string{
			"guard                       webhook   configmaps/a                        create: denied: not today",
			`403 Forbidden: admission webhook "check.example.com" denied the request: not today`,
		}},
		"patches": {label, mutating, "Fail", creates("a", "") + `
  - expect: {that: "configmap('a').metadata.labels.checked == 'yes'", by: 1s}`, []string{
			`create: allowed with the patch [{"op":"add","path":"/metadata/labels","value":{"checked":"yes"}}]`,
		}},
		"calls back": {quota, validating, "Fail", creates("a", "") + creates("b", "Forbidden"), []string{
			"guard                       webhook   configmaps/b                        create: denied",
		}},
		"hangs, and fails closed": {hang, validating, "Fail", creates("a", "InternalError"), []string{
			"no answer: context deadline exceeded", "7.0", `500 InternalError: Internal error occurred: failed calling webhook "check.example.com"`,
		}},
		"hangs, and fails open": {hang, validating, "Ignore", creates("a", ""), []string{
			"no answer: context deadline exceeded", "create    configmaps/a ",
		}},
		"panics": {func(context.Context, controllers.Clients, *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
			panic("no such field")
		}, validating, "Fail", creates("a", "InternalError"), []string{"no answer: the webhook panicked: no such field: EOF"}},
		"is down": {allow, validating, "Fail", `
  - controller: {crash: guard}` + creates("a", "InternalError"), []string{
			"no answer: dial tcp guard.default.svc:443: connect: connection refused",
		}},
		"crashes while it is called": {quota, validating, "Fail", `
  - fault: {request: {actor: guard, verb: list}, crash: true}` + creates("a", "InternalError"), []string{"no answer: EOF"}},
		"refused by a fault": {allow, validating, "Fail", `
  - fault: {webhook: {name: "check.*", operation: CREATE, resource: configmaps}, disconnect: true, times: 1}` +
			creates("a", "InternalError") + creates("b", ""), []string{
			"create: disconnect", "no answer: dial tcp guard.default.svc:443: connect: connection refused", "create    configmaps/b ",
		}},
		"answer lost by a fault": {deny, validating, "Ignore", `
  - fault: {webhook: {name: "check.*"}, disconnect: true, afterCommit: true, times: 1}` + creates("a", "") + creates("b", "Forbidden"),
			[]string{"no answer: EOF", "create    configmaps/a ", "create: denied: not today"}},
		"code by a fault": {allow, validating, "Fail", `
  - fault: {webhook: {resource: configmaps}, fail: ServiceUnavailable, times: 1}` + creates("a", "InternalError"), []string{
			"no answer: HTTP 503: an injected fault",
		}},
		"delayed by a fault": {allow, validating, "Fail", `
  - fault: {webhook: {name: "*"}, delay: 10s, times: 1}` + creates("a", "InternalError"), []string{"context deadline exceeded"}},
		"held by a fault": {allow, validating, "Fail", `
  - fault: {webhook: {name: "*"}, hold: true, for: 5s}` + creates("a", ""), []string{"release", "create    configmaps/a "}},
		"crashed by a fault": {allow, validating, "Fail", `
  - fault: {webhook: {name: "*"}, crash: true, restartAfter: 1s, times: 1}` + creates("a", "InternalError") + creates("b", ""), []string{
			"no answer: EOF", "restart", "create    configmaps/b ",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			hashes := map[string]bool{}
			for range 2 {
				result := Run(t, guarded(test.kind, test.policy, test.steps), guard(test.check))
				hashes[result.Outcome.TraceHash] = true
				for _, want := range test.want {
					if text := result.Text(); !strings.Contains(text, want) {
						t.Errorf("the trace has no %q:\n%s", want, text)
					}
				}
			}
			if len(hashes) != 1 {
				t.Errorf("%d hashes from one seed", len(hashes))
			}
		})
	}
}
