package apiserver

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apiserver/pkg/storage"

	"github.com/kubestep/kubestep/sim/apiserver/extensions"
)

// editCustom is Edit of a custom resource or a definition.
func (s *Server) editCustom(req Request) error {
	at, err := s.raw(req)
	if err != nil {
		return err
	}
	err = at.Merge(req.Patch)
	if storage.IsNotFound(err) {
		return fmt.Errorf("there is no %s %q to edit", req.Resource.Resource, req.Name)
	}
	return answer(err)
}

// restoreCustom is Restore of a custom resource or a definition.
func (s *Server) restoreCustom(req Request) error {
	at, err := s.raw(req)
	if err != nil {
		return err
	}
	accessor, err := meta.Accessor(req.Object)
	if err != nil {
		return err
	}
	s.keepRevision(accessor)
	err = at.Create(req.Object)
	if storage.IsExist(err) {
		return fmt.Errorf("%s %q is there already", req.Resource.Resource, req.Name)
	}
	return answer(err)
}

// raw is where the object of a request is.
func (s *Server) raw(req Request) (extensions.Raw, error) {
	return extensions.RawOf(s.db, storageRoot, req.Resource.GroupResource(), req.Namespace, req.Name)
}
