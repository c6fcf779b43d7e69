package memdb

import (
	"bytes"
	"context"
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/storage"
)

// Create implements storage.Interface.
func (s *store) Create(
	ctx context.Context, key string, object, out runtime.Object, ttl uint64,
) error {
	key, err := s.prepareKey(key, false)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if rv, err := versioner.ObjectResourceVersion(object); err == nil && rv != 0 {
		return storage.ErrResourceVersionSetOnCreate
	}
	data, err := s.encode(object)
	if err != nil {
		return err
	}
	created, err := s.entry(key, data)
	if err != nil {
		return err
	}
	if !s.put(nil, created, &ttl) {
		return storage.NewKeyExistsError(key, 0)
	}
	if out == nil {
		return nil
	}
	return copyInto(s.kept(created), out)
}

// Delete implements storage.Interface. The suggestion of a cached object saves a read from etcd;
// here a read costs nothing, so it is ignored.
func (s *store) Delete(
	ctx context.Context, key string, out runtime.Object, preconditions *storage.Preconditions,
	validate storage.ValidateObjectFunc, _ runtime.Object, options storage.DeleteOptions,
) error {
	key, err := s.prepareKey(key, false)
	if err != nil {
		return err
	}
	if _, err := conversion.EnforcePtr(out); err != nil {
		return fmt.Errorf("unable to convert output object to pointer: %w", err)
	}
	for {
		held, _, err := s.read(ctx, key)
		if err != nil {
			return err
		}
		if held == nil {
			return storage.NewKeyNotFoundError(key, 0)
		}
		object, err := s.decoded(held)
		if err != nil {
			return err
		}
		if mustNotDecode(options) {
			return storage.NewInvalidObjError(key, "unsafe deletion is not allowed because the object is decodable from storage")
		}
		if err := preconditions.Check(key, object); err != nil {
			return err
		}
		if err := validate(ctx, object.DeepCopyObject()); err != nil {
			return err
		}
		if gone := s.remove(held, object); gone != nil {
			return copyInto(gone, out)
		}
	}
}

// GuaranteedUpdate implements storage.Interface. The suggestion of a cached object is ignored.
func (s *store) GuaranteedUpdate(
	ctx context.Context, key string, out runtime.Object, ignoreNotFound bool,
	preconditions *storage.Preconditions, tryUpdate storage.UpdateFunc, _ runtime.Object,
) error {
	key, err := s.prepareKey(key, false)
	if err != nil {
		return err
	}
	if _, err := conversion.EnforcePtr(out); err != nil {
		return fmt.Errorf("unable to convert output object to pointer: %w", err)
	}
	for {
		held, _, err := s.read(ctx, key)
		if err != nil {
			return err
		}
		if held == nil && !ignoreNotFound {
			return storage.NewKeyNotFoundError(key, 0)
		}
		stored, err := s.update(key, held, out, preconditions, tryUpdate)
		if err != nil {
			return err
		}
		if stored == nil {
			continue
		}
		object, err := s.decoded(stored)
		if err != nil {
			return err
		}
		return copyInto(object, out)
	}
}

// update is one attempt at an update of what key was found to hold. It returns what key holds
// afterwards, or nil when somebody else wrote to it in the meantime.
func (s *store) update(
	key string, held *entry, out runtime.Object,
	preconditions *storage.Preconditions, tryUpdate storage.UpdateFunc,
) (*entry, error) {
	var current runtime.Object
	var meta storage.ResponseMeta
	if held == nil {
		current = zero(out)
	} else {
		// A TTL is not reported, as upstream does not: callers renew to a length that they know.
		object, err := s.decoded(held)
		if err != nil {
			return nil, err
		}
		current, meta.ResourceVersion = object.DeepCopyObject(), held.revision
	}
	if err := preconditions.Check(key, current); err != nil {
		return nil, err
	}
	updated, ttl, err := tryUpdate(current, meta)
	if err != nil {
		return nil, err
	}
	data, err := s.encode(updated)
	if err != nil {
		return nil, err
	}
	if held != nil && bytes.Equal(data, held.data) {
		return held, nil
	}
	next, err := s.entry(key, data)
	if err != nil {
		return nil, err
	}
	if !s.put(held, next, ttl) {
		return nil, nil
	}
	return next, nil
}

// zero returns an empty object of the type of like.
func zero(like runtime.Object) runtime.Object {
	if u, ok := like.(runtime.Unstructured); ok {
		return u.NewEmptyInstance()
	}
	return reflect.New(reflect.TypeOf(like).Elem()).Interface().(runtime.Object)
}

// put commits next if its key still holds held, nil meaning nothing, and reports whether it did. A
// nil ttl keeps the key's deadline, 0 seconds removes it.
func (s *store) put(held, next *entry, ttl *uint64) bool {
	db := s.db
	if db.options.OnWrite != nil {
		db.options.OnWrite()
	}
	defer db.report()
	db.mu.Lock()
	defer db.mu.Unlock()
	if s.table.get(next.key) != held {
		return false
	}
	next.revision = db.revision + 1
	stamp(s.kept(next), next.revision)
	s.table.set(next)
	if ttl != nil {
		db.deadlines.set(s, next.key, next.revision, *ttl)
	}
	c := Commit{
		Revision: next.revision,
		Op:       OpCreate,
		Resource: s.resource,
		Key:      next.key,
		Object:   next.object,
		Data:     next.data,
	}
	if held != nil {
		c.Op, c.Previous = OpUpdate, s.previous(held)
	}
	db.commit(s.table, c, next, held)
	return true
}

// previous is what a commit reports of the entry that it replaces.
func (s *store) previous(held *entry) runtime.Object {
	if s.decodes {
		return nil
	}
	// Its data has been decoded before.
	object, _ := s.decode(held)
	return object
}

// remove commits the delete of held, which the store reads as object, if its key still holds it. It returns the deleted
// object with the revision of the delete, or nil when somebody else wrote to the key in the meantime.
func (s *store) remove(held *entry, object runtime.Object) runtime.Object {
	gone := object.DeepCopyObject()
	db := s.db
	if db.options.OnWrite != nil {
		db.options.OnWrite()
	}
	defer db.report()
	db.mu.Lock()
	defer db.mu.Unlock()
	if s.table.get(held.key) != held {
		return nil
	}
	revision := db.revision + 1
	stamp(gone, revision)
	s.table.remove(held.key)
	db.deadlines.clear(held.key)
	last := &entry{key: held.key, revision: revision, data: held.data, writer: s}
	s.keep(last, gone)
	db.commit(s.table, Commit{
		Revision: revision,
		Op:       OpDelete,
		Resource: s.resource,
		Key:      held.key,
		Object:   last.object,
		Previous: s.previous(held),
		Data:     held.data,
	}, last, held)
	return gone
}
