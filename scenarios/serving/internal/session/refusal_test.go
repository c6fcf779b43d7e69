package session_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/cert"

	"github.com/kubestep/kubestep/sim/network/live"
)

// denying is a cluster with a webhook that denies all new ConfigMaps, once the Pod that serves it is ready.
const denying = `apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: denying}
spec:
  title: A webhook that denies
  start: %[1]s
  kubernetes: {controllers: ['*']}
  cluster: {nodes: [{count: 1}], managedFields: true, pods: [{ready: 1s}]}
  steps:
  - create: |
      apiVersion: v1
      kind: Secret
      metadata: {name: certificate}
      data: {tls.crt: %[2]s}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: guard, labels: {app: guard}}
      spec:
        containers:
        - name: guard
          image: registry.k8s.io/e2e-test-images/agnhost:2.63
          args: [webhook, --tls-cert-file=/certificates/tls.crt, --port=8444]
          volumeMounts: [{name: certificate, mountPath: /certificates}]
        volumes: [{name: certificate, secret: {secretName: certificate}}]
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: guard}
      spec: {selector: {app: guard}, ports: [{port: 8443, targetPort: 8444}]}
  - at: 20s
    create: |
      apiVersion: admissionregistration.k8s.io/v1
      kind: ValidatingWebhookConfiguration
      metadata: {name: guard}
      webhooks:
      - name: guard.example.com
        clientConfig: {service: {namespace: default, name: guard, port: 8443, path: /always-deny}, caBundle: %[2]s}
        rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
        sideEffects: None
        admissionReviewVersions: [v1]
`

// TestARefusalWithoutAReason: a webhook denies what a client creates, and gives no reason. The saved session has the step, and expects the
// refusal.
func TestARefusalWithoutAReason(t *testing.T) {
	certificate, _, err := cert.GenerateSelfSignedCertKey("guard.default.svc", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now().UTC().Truncate(time.Second).Format(time.RFC3339)
	r := startOf(t, fmt.Sprintf(denying, start, base64.StdEncoding.EncodeToString(certificate)), live.Pace{Speed: 20})
	eventually(t, "open", r.Door.IsOpen)
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "denied"}}
	_, err = r.client(token).CoreV1().ConfigMaps("default").Create(t.Context(), object, metav1.CreateOptions{})
	if err == nil || apierrors.ReasonForError(err) != metav1.StatusReasonUnknown || !strings.Contains(err.Error(), "denied the request") {
		t.Fatalf("the webhook answers %v", err)
	}
	if text := r.replays(t); !strings.Contains(text, "fails: Unknown") {
		t.Errorf("the step expects nothing:\n%s", text)
	}
}
