package memdb

import (
	"context"
	"fmt"
	"reflect"
	"sync/atomic"

	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/storage"
)

// versioner reads and writes the resourceVersion of an object.
var versioner = storage.APIObjectVersioner{}

// store is the storage.Interface of one resource.
type store struct {
	db    *DB
	table *table

	codec    runtime.Codec
	resource schema.GroupResource
	// pathPrefix is the root of all keys and ends in "/"; resourcePrefix begins with "/" and is
	// what the keys that callers pass begin with.
	pathPrefix     string
	resourcePrefix string
	newFunc        func() runtime.Object
	// decodes means that there are other Stores for this table, with other codecs. See version.go.
	decodes bool

	estimateSizes atomic.Bool
}

var _ storage.Interface = (*store)(nil)

// Versioner implements storage.Interface.
func (s *store) Versioner() storage.Versioner { return versioner }

// Get implements storage.Interface. The newest state is newer than any opts.ResourceVersion that
// exists, so only one from the future is an error.
func (s *store) Get(
	ctx context.Context, key string, opts storage.GetOptions, out runtime.Object,
) error {
	key, err := s.prepareKey(key, false)
	if err != nil {
		return err
	}
	held, revision, err := s.read(ctx, key)
	if err != nil {
		return err
	}
	if err := notNewerThan(revision, opts.ResourceVersion); err != nil {
		return err
	}
	if held == nil {
		if opts.IgnoreNotFound {
			return runtime.SetZeroValue(out)
		}
		return storage.NewKeyNotFoundError(key, 0)
	}
	object, err := s.decode(held)
	if err != nil {
		return err
	}
	return copyInto(object, out)
}

// Stats implements storage.Interface.
func (s *store) Stats(ctx context.Context) (storage.Stats, error) {
	if err := ctx.Err(); err != nil {
		return storage.Stats{}, err
	}
	s.db.mu.Lock()
	defer s.db.mu.Unlock()
	stats := storage.Stats{ObjectCount: int64(s.table.rows.count)}
	if s.estimateSizes.Load() && stats.ObjectCount > 0 {
		stats.EstimatedAverageObjectSizeBytes = s.table.bytes / stats.ObjectCount
	}
	return stats, nil
}

// ReadinessCheck implements storage.Interface. Memory is always ready.
func (s *store) ReadinessCheck() error { return nil }

// GetCurrentResourceVersion implements storage.Interface.
func (s *store) GetCurrentResourceVersion(ctx context.Context) (uint64, error) {
	return s.db.Revision(), ctx.Err()
}

// CompactRevision implements storage.Interface.
func (s *store) CompactRevision() int64 {
	s.db.mu.Lock()
	defer s.db.mu.Unlock()
	return int64(s.db.compacted)
}

// destroy ends the watches that were opened through this store.
func (s *store) destroy() {
	s.db.mu.Lock()
	var open []*watcher
	for _, w := range s.table.watchers {
		if w.store == s {
			open = append(open, w)
		}
	}
	s.db.mu.Unlock()
	for _, w := range open {
		w.Stop()
	}
}

// prepareKey checks a caller's key and makes it a full one.
func (s *store) prepareKey(key string, recursive bool) (string, error) {
	key, err := cleanKey(s.resourcePrefix, key, recursive)
	if err != nil {
		return "", err
	}
	return s.pathPrefix + key[len("/"):], nil
}

// read returns what a full key holds, or nil, and the revision at which it was read.
func (s *store) read(ctx context.Context, key string) (*entry, uint64, error) {
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	s.db.mu.Lock()
	defer s.db.mu.Unlock()
	return s.table.get(key), s.db.revision, nil
}

// encode returns the bytes to store for an object. Upstream's stores clear resourceVersion and
// selfLink in the caller's object, and so does this.
func (s *store) encode(object runtime.Object) ([]byte, error) {
	if err := versioner.PrepareObjectForStorage(object); err != nil {
		return nil, fmt.Errorf("preparing an object for storage: %w", err)
	}
	data, err := runtime.Encode(s.codec, object)
	if err == nil && len(data) > maxRequestBytes {
		return nil, rpctypes.ErrRequestTooLarge
	}
	return data, err
}

// maxRequestBytes is etcd's default for --max-request-bytes: what is larger is refused.
const maxRequestBytes = 3 << 19

// entry makes the entry for encoded bytes; its revision is set by the commit. What the writer will be answered is decoded
// before the commit, so that a write that cannot be answered is none.
func (s *store) entry(key string, data []byte) (*entry, error) {
	object, err := runtime.Decode(s.codec, data)
	if err != nil {
		return nil, err
	}
	e := &entry{key: key, data: data, writer: s}
	s.keep(e, object)
	return e, nil
}

// stamp sets an object's resourceVersion. What has none cannot be stored, so this cannot fail.
func stamp(object runtime.Object, revision uint64) {
	if err := versioner.UpdateObject(object, revision); err != nil {
		panic(fmt.Sprintf("memdb: a stored object has metadata, but %T: %v", object, err))
	}
}

// notNewerThan returns the error for a requested resourceVersion that does not exist yet.
func notNewerThan(revision uint64, resourceVersion string) error {
	requested, err := versioner.ParseResourceVersion(resourceVersion)
	if err != nil {
		return err
	}
	if requested > revision {
		return storage.NewTooLargeResourceVersionError(requested, revision, 0)
	}
	return nil
}

// copyInto makes out, a pointer, point to a deep copy of object.
func copyInto(object, out runtime.Object) error {
	target, err := conversion.EnforcePtr(out)
	if err != nil {
		return fmt.Errorf("unable to convert output object to pointer: %w", err)
	}
	return copyValue(object, target)
}

// copyValue sets target to a deep copy of object's pointee.
func copyValue(object runtime.Object, target reflect.Value) error {
	if have := reflect.TypeOf(object).Elem(); have != target.Type() {
		return fmt.Errorf("memdb: cannot read a stored %s into a %s", have, target.Type())
	}
	target.Set(reflect.ValueOf(object.DeepCopyObject()).Elem())
	return nil
}
