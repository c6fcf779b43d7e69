package why_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/controllers"
)

// guard is a process that serves two webhooks. /check denies objects whose names begin with bad, and answers after three seconds if
// they begin with slow. /convert refuses to convert.
func guard(ctx context.Context, clients controllers.Clients) error {
	mux := http.NewServeMux()
	mux.HandleFunc("/check", func(w http.ResponseWriter, r *http.Request) {
		var review admissionv1.AdmissionReview
		if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if strings.HasPrefix(review.Request.Name, "slow") {
			time.Sleep(3 * time.Second)
		}
		review.Response = &admissionv1.AdmissionResponse{UID: review.Request.UID, Allowed: !strings.HasPrefix(review.Request.Name, "bad")}
		if !review.Response.Allowed {
			review.Response.Result = &metav1.Status{Message: "the name is bad", Code: http.StatusForbidden, Reason: metav1.StatusReasonForbidden}
		}
		// The recorder of the answer is in memory.
		_ = json.NewEncoder(w).Encode(review)
	})
	mux.HandleFunc("/convert", func(w http.ResponseWriter, r *http.Request) {
		var review apiextensionsv1.ConversionReview
		if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		review.Response = &apiextensionsv1.ConversionResponse{
			UID: review.Request.UID, Result: metav1.Status{Status: metav1.StatusFailure, Message: "no farms today"},
		}
		_ = json.NewEncoder(w).Encode(review)
	})
	clients.ServeWebhooks(ctx, mux)
	return nil
}
