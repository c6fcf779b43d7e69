package memdb

import (
	"context"
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/storage"
)

// GetList implements storage.Interface. Items already in the list are replaced.
func (s *store) GetList(
	ctx context.Context, key string, opts storage.ListOptions, list runtime.Object,
) error {
	prefix, err := s.prepareKey(key, opts.Recursive)
	if err != nil {
		return err
	}
	items, err := itemsOf(list)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	requested, from, err := storage.ValidateListOptions(prefix, versioner, opts)
	if err != nil {
		return err
	}
	rows, revision, err := s.snapshot(prefix, from, uint64(requested), opts)
	if err != nil {
		return err
	}
	page, last, more, err := s.paginate(rows, opts.Predicate)
	if err != nil {
		return err
	}
	if err := fill(items, page); err != nil {
		return err
	}
	token, remaining, err := storage.PrepareContinueToken(
		last, prefix, int64(revision), int64(len(rows)), more, opts)
	if err != nil {
		return err
	}
	setShardInfo(opts.Predicate, list)
	return versioner.UpdateList(list, revision, token, remaining)
}

// snapshot returns the entries that a list is about, from key from on, and the revision they are
// of: the requested one, or the newest if that is 0.
func (s *store) snapshot(
	prefix, from string, requested uint64, opts storage.ListOptions,
) ([]*entry, uint64, error) {
	span := span{key: prefix, recursive: opts.Recursive}
	s.db.mu.Lock()
	defer s.db.mu.Unlock()
	newest := s.db.revision
	switch {
	case requested > newest:
		return nil, 0, storage.NewTooLargeResourceVersionError(requested, newest, 0)
	case requested > 0 && requested < s.db.compacted:
		return nil, 0, expiredList(prefix, from)
	case requested > 0:
		return s.table.readAt(requested, span, from), requested, nil
	}
	if err := notNewerThan(newest, opts.ResourceVersion); err != nil {
		return nil, 0, err
	}
	return s.table.read(span, from), newest, nil
}

// paginate selects the objects that match, at most as many as the limit asks for. last is the last
// key looked at, and more tells that there are keys after it; whether those match is not known yet.
func (s *store) paginate(
	rows []*entry, predicate storage.SelectionPredicate,
) (page []runtime.Object, last string, more bool, err error) {
	for _, row := range rows {
		if predicate.Limit > 0 && int64(len(page)) >= predicate.Limit {
			return page, last, true, nil
		}
		last = row.key
		object, err := s.decoded(row)
		if err != nil {
			return nil, "", false, err
		}
		// An object whose attributes cannot be read is left out, as upstream does.
		if ok, err := predicate.Matches(object); err == nil && ok {
			page = append(page, object)
		}
	}
	return page, last, false, nil
}

// itemsOf returns the slice of a list object, to be set.
func itemsOf(list runtime.Object) (reflect.Value, error) {
	pointer, err := meta.GetItemsPtr(list)
	if err != nil {
		return reflect.Value{}, err
	}
	items, err := conversion.EnforcePtr(pointer)
	if err != nil || items.Kind() != reflect.Slice {
		return reflect.Value{}, fmt.Errorf("memdb: the items of a %T are no slice: %w", list, err)
	}
	return items, nil
}

// fill sets items to deep copies of objects. The slice is never nil, so that an empty list is
// encoded as [] and not as null.
func fill(items reflect.Value, objects []runtime.Object) error {
	slice := reflect.MakeSlice(items.Type(), len(objects), len(objects))
	for i, object := range objects {
		if err := copyValue(object, slice.Index(i)); err != nil {
			return err
		}
	}
	items.Set(slice)
	return nil
}
