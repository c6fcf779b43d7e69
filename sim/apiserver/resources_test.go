package apiserver_test

import (
	"crypto/ed25519"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"math/big"
	"strconv"
	"strings"
	"testing"

	certificatesv1 "k8s.io/api/certificates/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/yaml"

	"github.com/kubestep/kubestep/sim/apiserver"
)

const (
	podSpec  = "{containers: [{name: c, image: web}]}"
	template = "selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: " + podSpec + "}"
	jobSpec  = "{template: {spec: {restartPolicy: Never, containers: [{name: c, image: web}]}}}"
	webhook  = "webhooks: [{name: a.example.com, sideEffects: None, admissionReviewVersions: [v1], " +
		"clientConfig: {url: 'https://example.com'}}]"
	hpaSpec = "{maxReplicas: 1, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: a}}"
	anEvent = "eventTime: '2000-01-01T00:00:00.000000Z', reportingController: example.com/a, " +
		"reportingInstance: a, action: Testing, reason: Test, type: Normal"
	aRole    = "apiGroup: rbac.authorization.k8s.io, name: a"
	matchAll = "matchConstraints: {resourceRules: " +
		"[{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [pods]}]}"
)

// minimal has the least that each kind needs besides a name, by its plural and group.
var minimal = map[string]string{
	"configmaps":             "{}",
	"endpoints":              "{}",
	"events":                 "{involvedObject: {namespace: default}}",
	"limitranges":            "{}",
	"namespaces":             "{}",
	"nodes":                  "{}",
	"persistentvolumeclaims": "{spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}",
	"persistentvolumes": "{spec: {accessModes: [ReadWriteOnce], capacity: {storage: 1Gi}, " +
		"hostPath: {path: /a}}}",
	"pods":                   "{spec: " + podSpec + "}",
	"podtemplates":           "{template: {spec: " + podSpec + "}}",
	"replicationcontrollers": "{spec: {template: {metadata: {labels: {a: b}}, spec: " + podSpec + "}}}",
	"resourcequotas":         "{}",
	"secrets":                "{}",
	"serviceaccounts":        "{}",
	"services":               "{spec: {clusterIP: None, ports: [{port: 80}]}}",

	"mutatingadmissionpolicies.admissionregistration.k8s.io": "{spec: {" + matchAll + ", reinvocationPolicy: Never, " +
		"mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: 'Object{}'}}]}}",
	"mutatingadmissionpolicybindings.admissionregistration.k8s.io": "{spec: {policyName: a}}",
	"mutatingwebhookconfigurations.admissionregistration.k8s.io":   "{" + webhook + "}",
	"validatingadmissionpolicies.admissionregistration.k8s.io": "{spec: {" + matchAll + ", " +
		"validations: [{expression: 'true'}]}}",
	"validatingadmissionpolicybindings.admissionregistration.k8s.io": "{spec: {policyName: a, validationActions: [Deny]}}",
	"validatingwebhookconfigurations.admissionregistration.k8s.io":   "{" + webhook + "}",

	"controllerrevisions.apps": "{revision: 1, data: {spec: {}}}",
	"daemonsets.apps":          "{spec: {" + template + "}}",
	"deployments.apps":         "{spec: {" + template + "}}",
	"replicasets.apps":         "{spec: {" + template + "}}",
	"statefulsets.apps":        "{spec: {" + template + "}}",

	"horizontalpodautoscalers.autoscaling": "{spec: " + hpaSpec + "}",

	"cronjobs.batch": "{spec: {schedule: '* * * * *', jobTemplate: {spec: " + jobSpec + "}}}",
	"jobs.batch":     "{spec: " + jobSpec + "}",

	"certificatesigningrequests.certificates.k8s.io": "{spec: {signerName: example.com/a, usages: [client auth]}}",

	"leases.coordination.k8s.io":      "{}",
	"endpointslices.discovery.k8s.io": "{addressType: IPv4}",
	"events.events.k8s.io":            "{" + anEvent + ", regarding: {namespace: default}}",

	"flowschemas.flowcontrol.apiserver.k8s.io": "{spec: {priorityLevelConfiguration: {name: a}}}",
	"prioritylevelconfigurations.flowcontrol.apiserver.k8s.io": "{spec: {type: Limited, limited: " +
		"{nominalConcurrencyShares: 1, limitResponse: {type: Reject}}}}",

	"ingressclasses.networking.k8s.io":  "{spec: {controller: example.com/a}}",
	"ingresses.networking.k8s.io":       "{spec: {defaultBackend: {service: {name: a, port: {number: 80}}}}}",
	"ipaddresses.networking.k8s.io":     "{metadata: {name: 10.96.0.1}, spec: {parentRef: {resource: services, name: a}}}",
	"networkpolicies.networking.k8s.io": "{}",
	"servicecidrs.networking.k8s.io":    "{spec: {cidrs: [10.96.0.0/12]}}",

	"runtimeclasses.node.k8s.io": "{handler: a}",

	"poddisruptionbudgets.policy": "{spec: {minAvailable: 1}}",

	"clusterrolebindings.rbac.authorization.k8s.io": "{roleRef: {kind: ClusterRole, " + aRole + "}}",
	"clusterroles.rbac.authorization.k8s.io":        "{}",
	"rolebindings.rbac.authorization.k8s.io":        "{roleRef: {kind: Role, " + aRole + "}}",
	"roles.rbac.authorization.k8s.io":               "{}",

	"deviceclasses.resource.k8s.io":          "{}",
	"devicetaintrules.resource.k8s.io":       "{spec: {deviceSelector: {driver: example.com}, taint: {key: a, effect: NoSchedule}}}",
	"resourceclaims.resource.k8s.io":         "{}",
	"resourceclaimtemplates.resource.k8s.io": "{}",
	"resourceslices.resource.k8s.io": "{spec: {driver: example.com, nodeName: n1, " +
		"pool: {name: a, resourceSliceCount: 1}}}",

	"priorityclasses.scheduling.k8s.io": "{value: 1}",

	"clustertrustbundles.certificates.k8s.io": "{spec: {}}",
	"podcertificaterequests.certificates.k8s.io": "{spec: {signerName: example.com/a, podName: a, podUID: u, serviceAccountName: a, " +
		"serviceAccountUID: u, nodeName: n1, nodeUID: u, maxExpirationSeconds: 3600}}",
	"storageversionmigrations.storagemigration.k8s.io": "{spec: {resource: {group: apps, resource: deployments}}}",

	"csidrivers.storage.k8s.io":              "{}",
	"csinodes.storage.k8s.io":                "{spec: {drivers: []}}",
	"csistoragecapacities.storage.k8s.io":    "{storageClassName: a}",
	"storageclasses.storage.k8s.io":          "{provisioner: example.com/a}",
	"volumeattachments.storage.k8s.io":       "{spec: {attacher: a, nodeName: n1, source: {persistentVolumeName: a}}}",
	"volumeattributesclasses.storage.k8s.io": "{driverName: example.com/a, parameters: {a: b}}",
}

// sign adds what only a program can write: a certificate, and a request for one.
func sign(t *testing.T, resource string, content map[string]any) {
	t.Helper()
	key := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	spec, _ := content["spec"].(map[string]any)
	switch resource {
	case "clustertrustbundles.certificates.k8s.io":
		of := &x509.Certificate{SerialNumber: big.NewInt(1), IsCA: true, BasicConstraintsValid: true}
		certificate, err := x509.CreateCertificate(nil, of, of, key.Public(), key)
		if err != nil {
			t.Fatal(err)
		}
		spec["trustBundle"] = string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate}))
	case "podcertificaterequests.certificates.k8s.io":
		request, err := x509.CreateCertificateRequest(nil, &x509.CertificateRequest{}, key)
		if err != nil {
			t.Fatal(err)
		}
		spec["stubPKCS10Request"] = base64.StdEncoding.EncodeToString(request)
	}
}

// completed adds what only a program can write: a signed request for a certificate.
func completed(t *testing.T, obj runtime.Object) runtime.Object {
	t.Helper()
	csr, ok := obj.(*certificatesv1.CertificateSigningRequest)
	if !ok {
		return obj
	}
	key := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	request, err := x509.CreateCertificateRequest(nil, &x509.CertificateRequest{}, key)
	if err != nil {
		t.Fatal(err)
	}
	csr.Spec.Request = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE REQUEST", Bytes: request})
	return csr
}

func minimalObject(t *testing.T, r *apiserver.Resource) runtime.Object {
	t.Helper()
	text, known := minimal[r.GroupResource().String()]
	if !known {
		t.Fatalf("%s is served, but the table has no object of it", r.GroupResource())
	}
	content := map[string]any{}
	if err := yaml.Unmarshal([]byte(text), &content); err != nil {
		t.Fatal(err)
	}
	sign(t, r.GroupResource().String(), content)
	content["apiVersion"], content["kind"] = r.GroupVersion().String(), r.Kind.Kind
	if content["metadata"] == nil {
		content["metadata"] = map[string]any{"name": "a"}
	}
	data, err := yaml.Marshal(content)
	if err != nil {
		t.Fatal(err)
	}
	obj, _, err := decode(string(data))
	if err != nil {
		t.Fatal(err)
	}
	return completed(t, obj)
}

// isStored reports whether a resource has objects of its own.
func isStored(r *apiserver.Resource) bool {
	return r.Subresource == "" && r.Resource != "bindings" && r.Resource != "componentstatuses" && !strings.HasSuffix(r.Resource, "reviews")
}

// Every resource of every group and version can be created, read, listed, watched and deleted.
func TestEveryResource(t *testing.T) {
	server, err := apiserver.New(nil, apiserver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	served := map[string]bool{}
	for _, r := range server.Resources() {
		served[r.GroupResource().String()] = true
		if !isStored(r) {
			continue
		}
		t.Run(r.GroupVersionResource.String(), func(t *testing.T) { liveAndDie(t, server, r) })
	}
	for name := range minimal {
		if !served[name] {
			t.Errorf("the table has an object of %s, which is not served", name)
		}
	}
}

func liveAndDie(t *testing.T, server *apiserver.Server, r *apiserver.Resource) {
	req := apiserver.Request{Actor: "test", Resource: r.GroupVersionResource}
	if r.Namespaced {
		req.Namespace = metav1.NamespaceDefault
	}
	do := func(verb string, obj runtime.Object) runtime.Object {
		t.Helper()
		req.Verb, req.Object = verb, obj
		out, err := server.Do(req)
		if err != nil {
			t.Fatalf("%s: %v", verb, err)
		}
		return out
	}
	req.ListOptions.ResourceVersion = strconv.FormatUint(server.Revision(), 10)
	stream, err := server.OpenWatch(req, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Stop()
	req.ListOptions = metav1.ListOptions{}

	created := do("create", minimalObject(t, r))
	accessor, err := meta.Accessor(created)
	if err != nil {
		t.Fatal(err)
	}
	req.Name = accessor.GetName()
	if got := do("get", nil); !equality.Semantic.DeepEqual(created, got) {
		t.Errorf("created %+v\ngot %+v", created, got)
	}
	do("update", created)
	if n := meta.LenList(do("list", nil)); n != 1 {
		t.Errorf("%d objects in the list", n)
	}
	do("delete", nil)
	var types []watch.EventType
	for event, ok := stream.Next(); ok; event, ok = stream.Next() {
		types = append(types, event.Type)
	}
	if len(types) < 2 || types[0] != watch.Added {
		t.Errorf("created and deleted, and the events are %v", types)
	}
}
