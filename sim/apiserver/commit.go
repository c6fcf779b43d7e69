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
			Object: sharedVersion(c.Object, resource.GroupVersion()),
		}
		s.newest = conversion{stored: c.Object, version: resource.GroupVersion(), external: commit.Object}
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

// conversion is a stored object in an external version, which shares what both have in common.
type conversion struct {
	stored   runtime.Object
	version  schema.GroupVersion
	external runtime.Object
}

// copyOf returns a copy of the external object if it is obj in that version. The watches of a resource take each event right after its
// commit, and are spared a second conversion.
func (c *conversion) copyOf(obj runtime.Object, version schema.GroupVersion) (external runtime.Object, ok bool) {
	if c.stored == nil || c.stored != obj || c.version != version {
		return nil, false
	}
	return c.external.DeepCopyObject(), true
}

// mustVersion copies a stored object into an external version. A failure is a defect of the scheme.
func mustVersion(obj runtime.Object, gv schema.GroupVersion) runtime.Object {
	return converted(obj, gv, legacyscheme.Scheme.ConvertToVersion)
}

// sharedVersion is mustVersion without a copy: the lists and maps that both versions have in common belong to both. Nobody may modify
// either, which is true of what the store keeps and of a Commit.
func sharedVersion(obj runtime.Object, gv schema.GroupVersion) runtime.Object {
	return converted(obj, gv, legacyscheme.Scheme.UnsafeConvertToVersion)
}

func converted(
	obj runtime.Object, gv schema.GroupVersion, convert func(runtime.Object, runtime.GroupVersioner) (runtime.Object, error),
) runtime.Object {
	out, err := convert(obj, gv)
	if err != nil {
		panic(fmt.Sprintf("apiserver: converting %T to %s: %v", obj, gv, err))
	}
	out.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	return out
}
