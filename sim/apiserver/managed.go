package apiserver

import (
	"cmp"
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/rest"

	"github.com/kubestep/kubestep/sim/apiserver/internal/managed"
)

// kinds are what the paths of the server accept.
func (s *Server) kinds() []schema.GroupVersionKind {
	var kinds []schema.GroupVersionKind
	for _, r := range s.resources {
		kinds = append(kinds, r.Kind)
	}
	return kinds
}

// ManagesFields reports whether Options.ManagedFields is set.
func (s *Server) ManagesFields() bool { return s.fields != nil }

// manage records in an object who manages the fields that a request changes, if the server is to. stored is nil for a new object.
func (r *Resource) manage(req Request, option string, stored, object runtime.Object) (runtime.Object, error) {
	s := r.server
	if s.fields == nil {
		return object, nil
	}
	at := managed.Path{Kind: r.Kind, Resource: r.GroupVersionResource, Subresource: r.Subresource}
	return s.fields.Update(at, r.storage, stored, object, cmp.Or(option, req.Program, req.Actor))
}

// managed is the first transformation of an update.
func (r *Resource) managed(req Request, option string) rest.TransformFunc {
	return func(_ context.Context, updated, stored runtime.Object) (runtime.Object, error) {
		return r.manage(req, option, stored, updated)
	}
}
