package apiserver

import (
	"cmp"
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/registry/rest"
	genericapiserver "k8s.io/apiserver/pkg/server"

	"github.com/kubestep/kubestep/sim/apiserver/managed"
)

// learn keeps the models that were built for groups that were installed together: each of them has those of all.
func (s *Server) learn(group genericapiserver.APIGroupInfo) {
	if s.fields != nil {
		s.fields.Add(group.StaticOpenAPISpec)
	}
}

// manage records in an object who manages the fields that a request changes, if the server is to. stored is nil for a new object.
func (r *Resource) manage(req Request, option string, stored, object runtime.Object) (runtime.Object, error) {
	s := r.server
	if s.fields == nil {
		return object, nil
	}
	if _, err := s.HTTP(); err != nil { // it has the models
		return nil, err
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
