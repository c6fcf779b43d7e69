package apiserver

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/pkg/api/legacyscheme"

	"github.com/kubestep/kubestep/sim/apiserver/memdb"
)

// Commit is one write to the store, in the version that clients see.
type Commit struct {
	Op       memdb.Op
	Revision uint64
	// Resource is the plural name with its group, and Kind the version that Object has.
	Resource schema.GroupVersionResource
	Kind     schema.GroupVersionKind
	// Object is what was written; for a deletion, the last state with the deletion's revision. Previous is the version
	// before, nil for a creation. Both are shared and must not be modified.
	Object, Previous runtime.Object
}

// committed converts a write to the version that clients see and passes it on.
func (s *Server) committed(c memdb.Commit) {
	var commit Commit
	switch resource, found := s.versions[c.Resource]; {
	case found:
		commit = Commit{
			Op: c.Op, Revision: c.Revision, Resource: resource.GroupVersionResource, Kind: resource.Kind,
			Object: mustVersion(c.Object, resource.GroupVersion()),
		}
	case s.customResources:
		commit = s.customCommit(c)
	default:
		panic(fmt.Sprintf("apiserver: a write to %s, which no API group serves", c.Resource))
	}
	// What stood there before was converted when it was written.
	commit.Previous = s.current[c.Key]
	if c.Op == memdb.OpDelete {
		delete(s.current, c.Key)
	} else {
		s.current[c.Key] = commit.Object
	}
	s.caches.Apply(commit.Op, commit.Resource.GroupResource(), commit.Object, commit.Previous)
	if s.onCommit != nil {
		s.onCommit(commit)
	}
}

// mustVersion copies a stored object into an external version. A failure is a defect of the scheme.
func mustVersion(obj runtime.Object, gv schema.GroupVersion) runtime.Object {
	out, err := legacyscheme.Scheme.ConvertToVersion(obj, gv)
	if err != nil {
		panic(fmt.Sprintf("apiserver: converting %T to %s: %v", obj, gv, err))
	}
	out.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	return out
}
