package simtest_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/kubestep/kubestep/sim/simtest"
)

// TestOthersContinue creates a Secret while the creation of a ConfigMap waits three seconds for its webhook.
func TestOthersContinue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cluster := simtest.Start(t, simtest.Options{})
		client := kubernetes.NewForConfigOrDie(cluster.Config)
		go cluster.ServeWebhooks(t.Context(), "guard", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var review admissionv1.AdmissionReview
			if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
				t.Error(err)
				return
			}
			time.Sleep(3 * time.Second)
			review.Response = &admissionv1.AdmissionResponse{UID: review.Request.UID, Allowed: true}
			if err := json.NewEncoder(w).Encode(review); err != nil {
				t.Error(err)
			}
		}))
		configuration := &admissionregistrationv1.ValidatingWebhookConfiguration{
			ObjectMeta: metav1.ObjectMeta{Name: "guard"},
			Webhooks: []admissionregistrationv1.ValidatingWebhook{{
				Name:         "guard.example.com",
				ClientConfig: admissionregistrationv1.WebhookClientConfig{URL: new("https://guard.example.com/check")},
				Rules: []admissionregistrationv1.RuleWithOperations{{
					Operations: []admissionregistrationv1.OperationType{admissionregistrationv1.Create},
					Rule: admissionregistrationv1.Rule{
						APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"configmaps"},
					},
				}},
				SideEffects:             new(admissionregistrationv1.SideEffectClassNone),
				AdmissionReviewVersions: []string{"v1"},
			}},
		}
		hooks := client.AdmissionregistrationV1().ValidatingWebhookConfigurations()
		if _, err := hooks.Create(t.Context(), configuration, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		waited := make(chan time.Duration)
		go func() {
			begin := time.Now()
			slow := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{GenerateName: "slow-"}}
			if _, err := client.CoreV1().ConfigMaps("default").Create(t.Context(), slow, metav1.CreateOptions{}); err != nil {
				t.Error(err)
			}
			waited <- time.Since(begin)
		}()
		time.Sleep(time.Second)
		begin := time.Now()
		fast := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{GenerateName: "fast-"}}
		if _, err := client.CoreV1().Secrets("default").Create(t.Context(), fast, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begin); took > time.Second {
			t.Errorf("the Secret took %s", took)
		}
		if took := <-waited; took < 3*time.Second || took > 4*time.Second {
			t.Errorf("the ConfigMap took %s", took)
		}
	})
}
