package memdb

import (
	"fmt"
	"path"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/apiserver/pkg/storage/storagebackend/factory"
	"k8s.io/client-go/tools/cache"
)

// firstRevision is the revision of an empty DB. It is not 0 because a list may not carry 0, which
// clients send to mean "any version".
const firstRevision = 1

// Op is what a commit did to its key.
type Op string

// The three things that can happen to a key.
const (
	OpCreate Op = "create"
	OpUpdate Op = "update"
	OpDelete Op = "delete"
)

// Commit is one write. Object and Previous are shared by all who see the commit: do not change
// them.
type Commit struct {
	// Revision becomes the resourceVersion of Object.
	Revision uint64
	Op       Op
	// Resource is the one that the writing Store was configured for.
	Resource schema.GroupResource
	// Key is the full key, such as /registry/pods/default/web-0.
	Key string
	// Object is what the key holds from now on, in the internal version. For a delete it is what
	// the key held last, with the resourceVersion of the delete. A Store of VersionDecorator leaves it, and Previous, nil.
	Object runtime.Object
	// Previous is what the key held before; nil for a create.
	Previous runtime.Object
	// Data is Object as it is stored. Its resourceVersion is not in it.
	Data []byte
}

// Options configure a DB.
type Options struct {
	// OnCommit is called after each commit, in the order of the revisions and without a lock held, so it may use the
	// DB. It runs on the goroutine that wrote, before the write returns. The exception is a commit made while another
	// one is being reported, by OnCommit itself or by a concurrent writer: the goroutine that is reporting continues
	// with it.
	OnCommit func(Commit)
	// OnWrite is called before each attempt at a write, on the goroutine that writes and without a lock held. It may block.
	// Nil means that everybody may write at any time.
	OnWrite func()
	// HistoryLimit is how many commits are kept for watches to resume from and for lists of the
	// past; what is older is compacted. 0 keeps all.
	HistoryLimit int
}

// DB is one etcd: the tables of all resources, under one revision counter.
type DB struct {
	options Options

	// mu guards all that follows, the tables and their watchers' registration. It is held for short
	// times only, never across a call to the DB's user, except for the attribute functions of
	// selectors, which only read their argument.
	mu        sync.Mutex
	revision  uint64
	compacted uint64
	tables    map[string]*table
	log       []*record
	deadlines deadlines

	// outbox holds the calls that report commits, oldest first; reporting tells that some goroutine
	// is making them.
	outbox    []func()
	reporting bool
}

// New returns an empty DB.
func New(options Options) *DB {
	return &DB{
		options:   options,
		revision:  firstRevision,
		tables:    map[string]*table{},
		deadlines: newDeadlines(),
	}
}

// Revision returns the revision of the newest commit.
func (db *DB) Revision() uint64 {
	db.mu.Lock()
	defer db.mu.Unlock()
	return db.revision
}

var (
	_ generic.StorageDecorator = (&DB{}).Decorator
	_ generic.StorageDecorator = (&DB{}).VersionDecorator
)

// Decorator returns the Store of a resource. It is a generic.StorageDecorator, for RESTOptions.
//
// Stores with the same prefix share a table, as Events of the core group and of events.k8s.io do.
// What only a watch cache or etcd's client needs (keyFunc, newListFunc, getAttrs, triggers and
// indexers) is ignored. The returned function ends the watches that were opened through the Store.
func (db *DB) Decorator(
	config *storagebackend.ConfigForResource,
	resourcePrefix string,
	_ func(obj runtime.Object) (string, error),
	newFunc, _ func() runtime.Object,
	_ storage.AttrFunc,
	_ storage.IndexerFuncs,
	_ *cache.Indexers,
) (storage.Interface, factory.DestroyFunc, error) {
	s, err := db.open(config, resourcePrefix, newFunc)
	if err != nil {
		return nil, nil, err
	}
	return s, s.destroy, nil
}

// VersionDecorator is Decorator for a resource that has a Store for each of its versions, and new Stores when its schema
// changes, as custom resources have: each decodes for itself, without a lock, and its codec may block (version.go).
func (db *DB) VersionDecorator(
	config *storagebackend.ConfigForResource,
	resourcePrefix string,
	_ func(obj runtime.Object) (string, error),
	newFunc, _ func() runtime.Object,
	_ storage.AttrFunc,
	_ storage.IndexerFuncs,
	_ *cache.Indexers,
) (storage.Interface, factory.DestroyFunc, error) {
	s, err := db.open(config, resourcePrefix, newFunc)
	if err != nil {
		return nil, nil, err
	}
	s.decodes = true
	return s, s.destroy, nil
}

// open returns a Store.
func (db *DB) open(config *storagebackend.ConfigForResource, resourcePrefix string, newFunc func() runtime.Object) (*store, error) {
	if !strings.HasPrefix(resourcePrefix, "/") || resourcePrefix == "/" {
		return nil, fmt.Errorf("memdb: invalid prefix %q for %s: want /NAME",
			resourcePrefix, config.GroupResource)
	}
	pathPrefix := path.Join("/", config.Prefix)
	if !strings.HasSuffix(pathPrefix, "/") {
		pathPrefix += "/"
	}
	return &store{
		db:             db,
		table:          db.table(path.Join(pathPrefix, resourcePrefix)),
		codec:          config.Codec,
		resource:       config.GroupResource,
		pathPrefix:     pathPrefix,
		resourcePrefix: resourcePrefix,
		newFunc:        newFunc,
	}, nil
}

// table returns the table for a path, the same one each time.
func (db *DB) table(path string) *table {
	db.mu.Lock()
	defer db.mu.Unlock()
	t, ok := db.tables[path]
	if !ok {
		t = &table{}
		db.tables[path] = t
	}
	return t
}

// report makes the calls in the outbox, one after the other. Only one goroutine at a time does,
// which keeps their order; a second one leaves its calls to the first instead of waiting, because
// it may have been called by it.
func (db *DB) report() {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.reporting {
		return
	}
	db.reporting = true
	defer func() { db.reporting = false }()
	for len(db.outbox) > 0 {
		call := db.outbox[0]
		db.outbox[0] = nil
		db.outbox = db.outbox[1:]
		db.unlocked(call)
	}
}

// unlocked calls without the lock and takes it back, even if the call panics.
func (db *DB) unlocked(call func()) {
	db.mu.Unlock()
	defer db.mu.Lock()
	call()
}
