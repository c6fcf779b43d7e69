package kinds

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Kind is a kind of objects with the resource under which the API server stores them.
type Kind struct {
	Group string
	// Versions are those that the API server serves. The first is the preferred one.
	Versions []string
	Kind     string
	// Resource is the plural name, in lower case; Singular is what kubectl prints: deployments and deployment.
	Resource, Singular string
	ShortNames         []string
	// Categories are names for several kinds at once, such as all.
	Categories []string
	Namespaced bool
	// Subresources are such as status, scale and eviction.
	Subresources []string

	// PodSpec is the path of the Pod's spec that kubectl set image changes: spec.template.spec of a Deployment. It is ""
	// for kinds that kubectl cannot set the image of.
	PodSpec string
	// Rollout lists the subcommands of kubectl rollout that work on the kind: pause, restart, resume, status, undo.
	Rollout []string
}

// GroupVersion is the preferred version.
func (k *Kind) GroupVersion() schema.GroupVersion {
	return schema.GroupVersion{Group: k.Group, Version: k.Versions[0]}
}

// GroupVersionKind is the kind in the preferred version.
func (k *Kind) GroupVersionKind() schema.GroupVersionKind { return k.GroupVersion().WithKind(k.Kind) }

// GroupVersionResource is the resource in the preferred version.
func (k *Kind) GroupVersionResource() schema.GroupVersionResource {
	return k.GroupVersion().WithResource(k.Resource)
}

// GroupResource is the resource without a version, which is how the store and the trace name it.
func (k *Kind) GroupResource() schema.GroupResource {
	return schema.GroupResource{Group: k.Group, Resource: k.Resource}
}

// Has reports whether the resource has this subresource.
func (k *Kind) Has(subresource string) bool { return slices.Contains(k.Subresources, subresource) }

// RollsOut reports whether this subcommand of kubectl rollout works on the kind.
func (k *Kind) RollsOut(subcommand string) bool { return slices.Contains(k.Rollout, subcommand) }

// OwnsPods reports whether objects of the kind select Pods and make them from a template.
func (k *Kind) OwnsPods() bool { return k.PodSpec == "spec.template.spec" }

// Names are the names of the kind that kubectl takes, in lower case and without the group: deployment, deployments and
// deploy.
func (k *Kind) Names() []string {
	return slices.Compact(append([]string{k.Singular, k.Resource}, k.ShortNames...))
}

// Describe names an object as kubectl's messages do: deployment default/web, node node-1.
func (k *Kind) Describe(namespace, name string) string {
	if namespace == "" {
		return k.Singular + " " + name
	}
	return k.Singular + " " + namespace + "/" + name
}

// is reports whether qualifier, which follows a name and a dot, fits the kind: apps or v1.apps.
func (k *Kind) is(qualifier string) bool {
	if qualifier == k.Group {
		return true
	}
	version, group, _ := strings.Cut(qualifier, ".")
	return group == k.Group && slices.Contains(k.Versions, version)
}
