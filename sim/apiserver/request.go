package apiserver

import (
	"path"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apiserver/pkg/authentication/user"
)

// Request is one call of a client. Verb is one of the API's own: get, list, watch, create, update,
// patch, delete, deletecollection.
type Request struct {
	// Actor is the client. It is the user name, too, unless User says otherwise.
	Actor string
	User  user.Info
	// Program manages the fields that a request writes unless its options say otherwise. "" means that it is called like the actor.
	Program     string
	Verb        string
	Resource    schema.GroupVersionResource
	Subresource string
	Namespace   string
	Name        string

	// Object is the body of a create or update, in an external version.
	Object runtime.Object
	// Patch and PatchType are the body of a patch.
	Patch     []byte
	PatchType types.PatchType

	CreateOptions metav1.CreateOptions
	UpdateOptions metav1.UpdateOptions
	PatchOptions  metav1.PatchOptions
	DeleteOptions metav1.DeleteOptions
	GetOptions    metav1.GetOptions
	ListOptions   metav1.ListOptions

	// authorized means that the request has passed upstream's filters.
	authorized bool
}

// Writes reports whether the verb may change the store.
func (r Request) Writes() bool {
	switch r.Verb {
	case "get", "list", "watch":
		return false
	}
	return true
}

// Path is the resource with its subresource, as RBAC rules write it: deployments or deployments/scale.
func (r Request) Path() string {
	if r.Subresource == "" {
		return r.Resource.Resource
	}
	return r.Resource.Resource + "/" + r.Subresource
}

// urlPath is the address of a request's object, such as /apis/apps/v1/namespaces/default/deployments/web.
func urlPath(req Request) string {
	root := path.Join("/apis", req.Resource.Group, req.Resource.Version)
	if req.Resource.Group == "" {
		root = path.Join("/api", req.Resource.Version)
	}
	if req.Namespace != "" {
		root = path.Join(root, "namespaces", req.Namespace)
	}
	return path.Join(root, req.Resource.Resource, req.Name, req.Subresource)
}
