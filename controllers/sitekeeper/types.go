package sitekeeper

import (
	_ "embed"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Definition is the CustomResourceDefinition, for kubectl apply. It and the types below say the same twice: the API server
// checks objects by the definition, and the controller reads them into the types.
//
//go:embed definition.yaml
var Definition string

var (
	// GroupVersion is where the API server serves Sites.
	GroupVersion = schema.GroupVersion{Group: "sitekeeper.kubestep.dev", Version: "v1"}
	// Scheme knows which Go type belongs to which kind. A decoder asks it with the apiVersion and kind of an object, and
	// the recorder of Events asks it for the kind of a Go value.
	Scheme = runtime.NewScheme()
)

func init() {
	Scheme.AddKnownTypes(GroupVersion, &Site{}, &SiteList{})
	// The options of requests, such as ListOptions, belong to each group.
	metav1.AddToGroupVersion(Scheme, GroupVersion)
}

const (
	// Finalizer keeps a Site that is deleted until its host is released.
	Finalizer = "sitekeeper.kubestep.dev/host"

	// Ready is the condition that says whether the site is served. Its reasons are the ones below.
	Ready = "Ready"
	// Served: the page and the host are there.
	Served = "Served"
	// HostTaken: another Site has the host.
	HostTaken = "HostTaken"
	// PageTaken: there is a ConfigMap with the page's name that does not belong to the Site.
	PageTaken = "PageTaken"
)

// Site is a page that is served at a host.
type Site struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec is what the user wants. The controller never writes it.
	Spec SiteSpec `json:"spec"`
	// Status is what the controller knows. It could be lost and worked out again, so the controller does not read from
	// it what it should do.
	Status SiteStatus `json:"status,omitempty"`
}

// SiteSpec is what the user wants.
type SiteSpec struct {
	// Host is a name such as www.example.com. The definition does not let it change.
	Host string `json:"host"`
	// Page is the text that is served.
	Page string `json:"page"`
}

// SiteStatus is what the controller knows.
type SiteStatus struct {
	// ObservedGeneration is the metadata.generation that the controller worked on. The API server counts each change of
	// the spec, so while this number is smaller, the rest of the status is about an earlier spec.
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
	// Conditions has the condition Ready.
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// SiteList is the answer to a list.
type SiteList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Site `json:"items"`
}
