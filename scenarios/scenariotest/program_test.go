package scenariotest_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"math/big"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/kubestep/kubestep/scenarios/scenariotest"
	"github.com/kubestep/kubestep/sim/cluster/program"
)

// guarded is a cluster in which a Deployment serves a webhook that denies Pods with a mark. The first Pod is created before that of the
// Deployment is ready, the second one and those of the ReplicaSet behind it.
const guarded = `apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: guarded}
spec:
  title: A webhook in a container
  horizon: 2m
  invariants: {expect: [convergence]}
  kubernetes: {controllers: ['*']}
  cluster: {pods: [{ready: 5s}]}
  steps:
  - create: |
      apiVersion: v1
      kind: Secret
      metadata: {name: certificate}
      data: {tls.crt: %[1]s}
      ---
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: guard}
      spec:
        selector: {matchLabels: {app: guard}}
        template:
          metadata: {labels: {app: guard}}
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
      ---
      apiVersion: admissionregistration.k8s.io/v1
      kind: ValidatingWebhookConfiguration
      metadata: {name: guard}
      webhooks:
      - name: guard.example.com
        clientConfig: {service: {namespace: default, name: guard, port: 8443, path: /pods}%[2]s}
        rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
        objectSelector: {matchLabels: {guarded: "yes"}}
        sideEffects: None
        admissionReviewVersions: [v1]
  - after: 1s
    create: |
      {apiVersion: v1, kind: Pod, metadata: {name: early, labels: {guarded: "yes"}}, spec: {containers: [{name: c, image: web:v1}]}}
    fails: InternalError
  - at: 1m
    create: |
      {apiVersion: v1, kind: Pod, metadata: {name: good, labels: {guarded: "yes"}}, spec: {containers: [{name: c, image: web:v1}]}}
    %[3]s
  - create: |
      {apiVersion: v1, kind: Pod, metadata: {name: worse, labels: {guarded: "yes", webhook-e2e-test: webhook-disallow}}, spec: {containers: [{name: c, image: web:v1}]}}
    fails: %[4]s
  - create: |
      apiVersion: apps/v1
      kind: ReplicaSet
      metadata: {name: bad}
      spec:
        selector: {matchLabels: {app: bad}}
        template:
          metadata: {labels: {app: bad, guarded: "yes", webhook-e2e-test: webhook-disallow}}
          spec: {containers: [{name: c, image: web:v1}]}
`

// TestProgramServesAWebhook calls a webhook in a container: once the Pod is an endpoint of the Service, and with a caBundle that
// vouches for the certificate that is mounted.
func TestProgramServesAWebhook(t *testing.T) {
	certificate := base64.StdEncoding.EncodeToString(selfSigned(t, "guard.default.svc"))
	trusted := scenariotest.Run(t, fmt.Sprintf(guarded, certificate, ", caBundle: "+certificate, "", "Unknown"))
	if text := trusted.Text(); !strings.Contains(text, "agnhost") || !strings.Contains(text, "the pod contains unwanted label") {
		t.Errorf("no answer of agnhost:\n%s", text)
	}
	other := base64.StdEncoding.EncodeToString(selfSigned(t, "guard.default.svc"))
	distrusted := scenariotest.Run(t, fmt.Sprintf(guarded, certificate, ", caBundle: "+other, "fails: InternalError", "InternalError"))
	if text := distrusted.Text(); !strings.Contains(text, "certificate signed by unknown authority") {
		t.Errorf("the API server trusts a certificate of another authority:\n%s", text)
	}
}

// TestRegisteredProgram calls a program of one's own, which stands for the image in place of kubestep's.
func TestRegisteredProgram(t *testing.T) {
	program.Register(program.Program{
		Name: "guard", Image: "e2e-test-images/agnhost:2.63-guard",
		Listen: func(c program.Container) *program.Server {
			return &program.Server{Port: 8444, Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				http.Error(w, "closed "+c.Flag("port"), http.StatusServiceUnavailable)
			})}
		},
	})
	text := strings.Replace(guarded, "agnhost:2.63", "agnhost:2.63-guard", 1)
	closed := scenariotest.Run(t, fmt.Sprintf(text, "", "", "fails: InternalError", "InternalError"))
	if text := closed.Text(); !strings.Contains(text, "HTTP 503: closed 8444") {
		t.Errorf("the registered program does not answer:\n%s", text)
	}
}

// selfSigned is a certificate in PEM, valid in the years around that of the scenario.
func selfSigned(t *testing.T, name string) []byte {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC), NotAfter: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}
