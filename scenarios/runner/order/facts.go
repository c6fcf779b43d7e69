package order

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/network/fault"
)

// Fact is an object with the values that tell one state from another in a picture.
type Fact struct {
	// Object is replicasets/web-5d9, with its namespace if that is not default.
	Object string `json:"object"`
	// Values are such as spec.replicas 2, status.readyReplicas 1.
	Values string `json:"values"`
}

// factPaths are the fields that a picture of states shows, with their short names.
var factPaths = []struct {
	name string
	path []string
}{
	{"replicas", []string{"spec", "replicas"}},
	{"exist", []string{"status", "replicas"}},
	{"updated", []string{"status", "updatedReplicas"}},
	{"ready", []string{"status", "readyReplicas"}},
	{"available", []string{"status", "availableReplicas"}},
	{"scheduled", []string{"status", "currentNumberScheduled"}},
	{"active", []string{"status", "active"}},
	{"succeeded", []string{"status", "succeeded"}},
	{"failed", []string{"status", "failed"}},
	{"node", []string{"spec", "nodeName"}},
	{"phase", []string{"status", "phase"}},
	{"deleted", []string{"metadata", "deletionTimestamp"}},
}

// Facts are the objects that a scenario has made, sorted; those of the cluster itself, which never change, are not among them.
func Facts(state *sim.State) []Fact {
	var facts []Fact
	for _, resource := range state.Resources() {
		if fault.IsRoutine(resource.Resource) || slices.Contains(scenery, resource.Resource) {
			continue
		}
		for _, object := range state.List(resource, "") {
			content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
			if fact := factOf(resource.Resource, content); err == nil && !strings.HasSuffix(fact.Object, "configmaps/kube-root-ca.crt") {
				facts = append(facts, fact)
			}
		}
	}
	return facts
}

// scenery are resources of which each cluster has some.
var scenery = []string{"nodes", "namespaces", "serviceaccounts", "priorityclasses", "clusterroles", "clusterrolebindings",
	"roles", "rolebindings", "flowschemas", "prioritylevelconfigurations", "servicecidrs", "ipaddresses", "csinodes"}

func factOf(resource string, content map[string]any) Fact {
	u := unstructured.Unstructured{Object: content}
	fact := Fact{Object: resource + "/" + u.GetName()}
	if namespace := u.GetNamespace(); namespace != "" && namespace != "default" {
		fact.Object = namespace + "/" + fact.Object
	}
	var values []string
	for _, f := range factPaths {
		value, found, err := unstructured.NestedFieldNoCopy(content, f.path...)
		switch {
		case !found || err != nil:
		case f.name == "deleted":
			values = append(values, f.name)
		default:
			values = append(values, fmt.Sprint(f.name, " ", value))
		}
	}
	fact.Values = strings.Join(values, ", ")
	return fact
}
