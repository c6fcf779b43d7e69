package fresh

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubestep/kubestep/sim/trace"
)

// byServer are fields of metadata that the API server fills in.
var byServer = []string{
	"uid", "resourceVersion", "generation", "creationTimestamp", "managedFields", "selfLink", "ownerReferences",
}

// notWanted are fields that the API server, the scheduler or a controller fills in, by the resource.
var notWanted = map[string][]string{
	"services": {"spec.clusterIP", "spec.clusterIPs", "spec.healthCheckNodePort"},
	"certificatesigningrequests.certificates.k8s.io": {"spec.username", "spec.uid", "spec.groups", "spec.extra"},
	"pods": {"spec.ephemeralContainers"},
}

// ofControllers are annotations that controllers write, by the beginning of the key.
var ofControllers = []string{
	"deployment.kubernetes.io/", "pv.kubernetes.io/", "volume.kubernetes.io/", "volume.beta.kubernetes.io/storage-provisioner",
	"endpoints.kubernetes.io/", "deprecated.daemonset.template.generation", "control-plane.alpha.kubernetes.io/",
	"node.alpha.kubernetes.io/", "volumes.kubernetes.io/",
}

// isOfControllers reports whether controllers write an annotation.
func isOfControllers(key string) bool {
	return slices.ContainsFunc(ofControllers, func(prefix string) bool { return strings.HasPrefix(key, prefix) })
}

// ofServer are finalizers that the API server and controllers add.
var ofServer = []string{
	"kubernetes.io/pvc-protection", "kubernetes.io/pv-protection", "service.kubernetes.io/load-balancer-cleanup",
	"batch.kubernetes.io/job-tracking",
}

// ofJob are the labels that the API server gives to the Pods of a Job.
var ofJob = []string{"controller-uid", "job-name", "batch.kubernetes.io/controller-uid", "batch.kubernetes.io/job-name"}

// strip leaves of an object what users want.
func (u *Users) strip(object trace.Object, content map[string]any) map[string]any {
	uid := text(content, "metadata", "uid")
	headless := text(content, "spec", "clusterIP") == corev1.ClusterIPNone
	bound := text(content, "metadata", "annotations", "pv.kubernetes.io/bound-by-controller") != ""
	released := text(content, "status", "phase") == string(corev1.VolumeReleased)
	delete(content, "status")
	metadata, _ := content["metadata"].(map[string]any)
	for _, name := range byServer {
		delete(metadata, name)
	}
	if annotations, ok := metadata["annotations"].(map[string]any); ok {
		for key := range annotations {
			// A ReplicaSet that no Deployment owns any more keeps what one wrote.
			if isOfControllers(key) && object.Resource != "replicasets.apps" {
				delete(annotations, key)
			}
		}
	}
	if finalizers, ok := metadata["finalizers"].([]any); ok {
		metadata["finalizers"] = slices.DeleteFunc(finalizers, func(f any) bool {
			name, _ := f.(string)
			return slices.Contains(ofServer, name)
		})
	}
	for _, path := range notWanted[object.Resource] {
		if headless && strings.HasPrefix(path, "spec.clusterIP") {
			continue
		}
		remove(content, path)
	}
	switch object.Resource {
	case "pods":
		if !u.bound[uid] {
			remove(content, "spec.nodeName")
		}
	case "jobs.batch":
		stripJob(content)
	case "services":
		stripPorts(content)
	case claimsResource:
		if bound {
			remove(content, "spec.volumeName")
		}
	case "persistentvolumes":
		// One that is released has the uid of a claim that is gone, and so has another one with the same spec.
		if !released {
			stripVolume(content, bound)
		}
	case "secrets":
		if text(content, "type") == string(corev1.SecretTypeServiceAccountToken) {
			delete(content, "data")
		}
	}
	return content
}

// stripJob removes the selector that the API server makes from the uid of a Job.
func stripJob(content map[string]any) {
	if at(content, "spec", "manualSelector") == true {
		return
	}
	remove(content, "spec.selector")
	if maps.Equal(textsAt(content, "metadata", "labels"), textsAt(content, "spec", "template", "metadata", "labels")) {
		// A Job without labels has those of its template, as a default.
		remove(content, "metadata.labels")
	}
	for _, path := range [][]string{{"metadata", "labels"}, {"spec", "template", "metadata", "labels"}} {
		labels, _ := at(content, path...).(map[string]any)
		for _, key := range ofJob {
			delete(labels, key)
		}
	}
}

// textsAt is a map of texts of an object.
func textsAt(content map[string]any, path ...string) map[string]string {
	texts := map[string]string{}
	values, _ := at(content, path...).(map[string]any)
	for key, value := range values {
		texts[key], _ = value.(string)
	}
	return texts
}

// stripPorts removes the node ports of a Service.
func stripPorts(content map[string]any) {
	ports, _ := at(content, "spec", "ports").([]any)
	for _, port := range ports {
		if m, ok := port.(map[string]any); ok {
			delete(m, "nodePort")
		}
	}
}

// stripVolume removes the claim that a controller has bound to a volume. A user who reserves it names the claim without its uid.
func stripVolume(content map[string]any, bound bool) {
	if bound {
		remove(content, "spec.claimRef")
		return
	}
	remove(content, "spec.claimRef.uid")
	remove(content, "spec.claimRef.resourceVersion")
}

// remove removes a field.
func remove(content map[string]any, path string) {
	unstructured.RemoveNestedField(content, strings.Split(path, ".")...)
}
