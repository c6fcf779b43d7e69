package extensions_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/yaml"

	"github.com/kubestep/kubestep/sim/apiserver/extensions"
	"github.com/kubestep/kubestep/sim/simtest"
)

const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: backups.example.com}
spec:
  group: example.com
  names: {plural: backups, singular: backup, kind: Backup}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}, scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            x-kubernetes-validations: [{rule: "self.replicas < 11", message: at most 10 replicas}]
            properties: {replicas: {type: integer, default: 2}, image: {type: string}}
          status: {type: object, properties: {replicas: {type: integer}}}
  - name: v2
    served: true
    storage: false
    schema:
      openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
`

// inCluster runs a test on a control plane that serves custom resources, after the definition was established.
func inCluster(t *testing.T, test func(t *testing.T, cluster *simtest.Cluster, client dynamic.Interface)) {
	synctest.Test(t, func(t *testing.T) {
		cluster := simtest.Start(t, simtest.Options{Server: simtest.Server{CustomResources: true}})
		client := dynamic.NewForConfigOrDie(cluster.Config)
		created := object(t, definition)
		if _, err := client.Resource(extensions.Definitions).Create(t.Context(), created, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Second)
		test(t, cluster, client)
	})
}

func object(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	out := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(text), &out.Object); err != nil {
		t.Fatal(err)
	}
	return out
}

func backups(client dynamic.Interface, version string) dynamic.ResourceInterface {
	return client.Resource(schema.GroupVersionResource{Group: "example.com", Version: version, Resource: "backups"}).Namespace("default")
}

const daily = "{apiVersion: example.com/v1, kind: Backup, metadata: {name: daily}, spec: {image: x, other: 1}}"

// TestSchema shows defaults, pruning and validation rules.
func TestSchema(t *testing.T) {
	inCluster(t, func(t *testing.T, _ *simtest.Cluster, client dynamic.Interface) {
		created, err := backups(client, "v1").Create(t.Context(), object(t, daily), metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		spec := created.Object["spec"].(map[string]any)
		if spec["replicas"] != int64(2) || spec["other"] != nil {
			t.Errorf("spec is %v; want the default of replicas, and nothing that the schema does not have", spec)
		}
		many := object(t, "{apiVersion: example.com/v1, kind: Backup, metadata: {name: many}, spec: {replicas: 11}}")
		if _, err := backups(client, "v1").Create(t.Context(), many, metav1.CreateOptions{}); !apierrors.IsInvalid(err) ||
			!strings.Contains(err.Error(), "at most 10 replicas") {
			t.Errorf("creating too many: %v", err)
		}
	})
}

// TestVersions writes and watches one object in two versions.
func TestVersions(t *testing.T) {
	inCluster(t, func(t *testing.T, _ *simtest.Cluster, client dynamic.Interface) {
		if _, err := backups(client, "v1").Create(t.Context(), object(t, daily), metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		second, err := backups(client, "v2").Get(t.Context(), "daily", metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		watch, err := backups(client, "v1").Watch(t.Context(), metav1.ListOptions{ResourceVersion: second.GetResourceVersion()})
		if err != nil {
			t.Fatal(err)
		}
		defer watch.Stop()
		if err := unstructured.SetNestedField(second.Object, "y", "spec", "image"); err != nil {
			t.Fatal(err)
		}
		if second, err = backups(client, "v2").Update(t.Context(), second, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
		event := <-watch.ResultChan()
		first := event.Object.(*unstructured.Unstructured)
		image, _, _ := unstructured.NestedString(first.Object, "spec", "image")
		if event.Type != "MODIFIED" || image != "y" || first.GetAPIVersion() != "example.com/v1" || second.GetAPIVersion() != "example.com/v2" {
			t.Errorf("%s %v of %s after an update of %s", event.Type, first.Object, first.GetAPIVersion(), second.GetAPIVersion())
		}
	})
}

// TestDocuments looks for the definition in everything that describes the API.
func TestDocuments(t *testing.T) {
	inCluster(t, func(t *testing.T, cluster *simtest.Cluster, _ dynamic.Interface) {
		for _, legacy := range []bool{false, true} {
			client := discovery.NewDiscoveryClientForConfigOrDie(cluster.Config)
			client.UseLegacyDiscovery = legacy
			groups, lists, err := client.ServerGroupsAndResources()
			if err != nil {
				t.Fatal(err)
			}
			last := groups[len(groups)-1]
			if last.Name != "example.com" || last.PreferredVersion.Version != "v2" {
				t.Errorf("the last group is %v", last)
			}
			at := slices.IndexFunc(lists, func(l *metav1.APIResourceList) bool { return l.GroupVersion == "example.com/v1" })
			var names []string
			for _, resource := range lists[at].APIResources {
				names = append(names, resource.Name)
			}
			slices.Sort(names)
			if got := strings.Join(names, " "); got != "backups backups/scale backups/status" {
				t.Errorf("legacy %v: example.com/v1 has %s", legacy, got)
			}
		}
		v2, err := discovery.NewDiscoveryClientForConfigOrDie(cluster.Config).OpenAPISchema()
		if err != nil {
			t.Fatal(err)
		}
		var kinds []string
		for _, d := range v2.GetDefinitions().GetAdditionalProperties() {
			if name := d.GetName(); strings.HasSuffix(name, ".Backup") || strings.HasSuffix(name, "v1.Deployment") {
				kinds = append(kinds, name)
			}
		}
		if got := strings.Join(kinds, " "); got != "com.example.v1.Backup com.example.v2.Backup io.k8s.api.apps.v1.Deployment" {
			t.Errorf("OpenAPI v2 has %s", got)
		}
		paths, err := discovery.NewDiscoveryClientForConfigOrDie(cluster.Config).OpenAPIV3().Paths()
		if err != nil || paths["apis/apps/v1"] == nil || paths["apis/example.com/v1"] == nil {
			t.Fatalf("OpenAPI has %d paths, %v", len(paths), err)
		}
		data, err := paths["apis/example.com/v1"].Schema("application/json")
		if err != nil || !strings.Contains(string(data), "at most 10 replicas") {
			t.Errorf("OpenAPI of the definition: %d bytes, %v", len(data), err)
		}
	})
}

// TestDeletedDefinition deletes the objects with their definition. Their watches end, so that their clients notice when the
// definition comes again.
func TestDeletedDefinition(t *testing.T) {
	inCluster(t, func(t *testing.T, _ *simtest.Cluster, client dynamic.Interface) {
		if _, err := backups(client, "v1").Create(t.Context(), object(t, daily), metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		watch, err := backups(client, "v1").Watch(t.Context(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer watch.Stop()
		definitions := client.Resource(extensions.Definitions)
		if err := definitions.Delete(t.Context(), "backups.example.com", metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		if first, second := <-watch.ResultChan(), <-watch.ResultChan(); first.Type != "ADDED" || second.Type != "DELETED" {
			t.Errorf("watched %s, %s", first.Type, second.Type)
		}
		if event, open := <-watch.ResultChan(); open {
			t.Errorf("the watch goes on with %v", event)
		}
		time.Sleep(5 * time.Second)
		if _, err := definitions.Get(t.Context(), "backups.example.com", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
			t.Errorf("the definition is there: %v", err)
		}
		if _, err := backups(client, "v1").Get(t.Context(), "daily", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
			t.Errorf("the object is there: %v", err)
		}
	})
}

// TestShort ends before the server has read the definitions, which must not end the process.
func TestShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		simtest.Start(t, simtest.Options{Server: simtest.Server{CustomResources: true}})
		time.Sleep(time.Millisecond)
	})
}
