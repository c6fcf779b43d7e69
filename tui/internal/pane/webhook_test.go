package pane_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// guarded is a recording of a scenario with the process guard, which serves a webhook. It denies objects whose names begin with bad.
func guarded(t *testing.T, d *datadriven.TestData) *recording.Recording {
	t.Helper()
	text := "apiVersion: kubestep.dev/v1alpha1\nkind: Scenario\nmetadata: {name: guarded}\nspec:\n  " + d.Input + "\n"
	scenario, err := format.Parse("guarded.yaml", []byte(text), verb.All)
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	builder := recording.NewBuilder()
	guard := func(ctx context.Context, clients controllers.Clients) error {
		clients.ServeWebhooks(ctx, http.HandlerFunc(check))
		return nil
	}
	options := runner.RunOptions{Sinks: []trace.Sink{builder.Sink}, Controllers: map[string]controllers.Custom{"guard": guard}}
	if _, err := runner.Run(scenario, options); err != nil {
		d.Fatalf(t, "%v", err)
	}
	return builder.Done(recording.Origin{Name: "guarded"}, "")
}

func check(w http.ResponseWriter, r *http.Request) {
	var review admissionv1.AdmissionReview
	if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	review.Response = &admissionv1.AdmissionResponse{UID: review.Request.UID, Allowed: !strings.HasPrefix(review.Request.Name, "bad")}
	if !review.Response.Allowed {
		review.Response.Result = &metav1.Status{Message: "the name is bad", Code: http.StatusForbidden, Reason: metav1.StatusReasonForbidden}
	}
	// The recorder of the answer is in memory.
	_ = json.NewEncoder(w).Encode(review)
}
