package memdb

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/api/apitesting"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apiserver/pkg/apis/example"
	examplev1 "k8s.io/apiserver/pkg/apis/example/v1"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/apiserver/pkg/storage/storagebackend/factory"
	storagetesting "k8s.io/apiserver/pkg/storage/testing"
	"k8s.io/apiserver/pkg/storage/value"
	"k8s.io/client-go/tools/cache"
)

// Upstream tests its etcd3 store and its watch cache with the functions of storagetesting. They are
// the specification of storage.Interface, so memdb runs them too. Five do not apply:
//
//   - RunTestTransformationFailure, RunTestWatchError, RunWatchErrorIsBlockingFurtherEvents and
//     RunTestWatchWithUnsafeDelete store bytes that cannot be read back. memdb decodes an object
//     when it is written, once, so an unreadable one is never stored.
//   - RunTestOptionalWatchBookmarksWithCorrectResourceVersion wants periodic bookmarks, which the
//     watch cache makes.
//
// The functions that count calls to etcd get an empty check.

// exampleSuite is an empty DB with a store for upstream's example pods.
type exampleSuite struct {
	db    *DB
	store *transformed
	codec runtime.Codec
}

func newExampleSuite(t *testing.T) *exampleSuite {
	t.Helper()
	return newExampleSuiteOf(t, (*DB).Decorator)
}

// newExampleSuiteOf has a store of Decorator or VersionDecorator.
func newExampleSuiteOf(t *testing.T, decorator func(*DB, *storagebackend.ConfigForResource, string,
	func(runtime.Object) (string, error), func() runtime.Object, func() runtime.Object,
	storage.AttrFunc, storage.IndexerFuncs, *cache.Indexers) (storage.Interface, factory.DestroyFunc, error),
) *exampleSuite {
	t.Helper()
	scheme := runtime.NewScheme()
	metav1.AddToGroupVersion(scheme, metav1.SchemeGroupVersion)
	utilruntime.Must(example.AddToScheme(scheme))
	utilruntime.Must(examplev1.AddToScheme(scheme))
	codec := apitesting.TestCodec(
		serializer.NewCodecFactory(scheme), examplev1.SchemeGroupVersion)
	prefixed := &prefixCodec{
		Codec:       codec,
		transformer: storagetesting.NewPrefixTransformer([]byte(storedPrefix), false),
	}
	db := New(Options{})
	pods, destroy, err := decorator(db,
		storagebackend.NewDefaultConfig("/registry", prefixed).
			ForResource(schema.GroupResource{Resource: "pods"}),
		"/pods/", nil,
		func() runtime.Object { return &example.Pod{} },
		func() runtime.Object { return &example.PodList{} },
		nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(destroy)
	store := &transformed{Interface: pods, codec: prefixed}
	return &exampleSuite{db: db, store: store, codec: codec}
}

// compact does as kube-apiserver's compactor, which takes a revision to write down that it was
// here.
func (s *exampleSuite) compact(ctx context.Context, t *testing.T, resourceVersion string) {
	revision, err := strconv.ParseUint(resourceVersion, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	s.increaseRV(ctx, t)
	s.db.Compact(revision)
}

// increaseRV is a write to a key that is none of the store's.
func (s *exampleSuite) increaseRV(context.Context, *testing.T) int64 {
	s.db.mu.Lock()
	defer s.db.mu.Unlock()
	s.db.commit(&table{}, Commit{Revision: s.db.revision + 1, Op: OpCreate}, &entry{}, nil)
	return int64(s.db.revision)
}

// checkStored checks what is stored under a key that a test has prepared itself.
func (s *exampleSuite) checkStored(_ context.Context, t *testing.T, key string) {
	held := s.db.table("/registry/pods").get("/registry" + key)
	if held == nil {
		t.Fatalf("nothing is stored at %s", key)
	}
	stored, err := runtime.Decode(s.store.codec, held.data)
	if err != nil {
		t.Fatal(err)
	}
	if pod := stored.(*example.Pod); pod.ResourceVersion != "" || pod.SelfLink != "" {
		t.Errorf("stored with resourceVersion %q, selfLink %q", pod.ResourceVersion, pod.SelfLink)
	}
}

const storedPrefix = "test!"

// prefixCodec does to stored bytes what a storage transformer would.
type prefixCodec struct {
	runtime.Codec
	transformer value.Transformer
}

func (c *prefixCodec) Encode(object runtime.Object, w io.Writer) error {
	var plain bytes.Buffer
	if err := c.Codec.Encode(object, &plain); err != nil {
		return err
	}
	ctx, dataCtx := context.Background(), value.DefaultContext{}
	data, err := c.transformer.TransformToStorage(ctx, plain.Bytes(), dataCtx)
	if err != nil {
		return err
	}
	if p, ok := c.transformer.(*storagetesting.PrefixTransformer); ok {
		if _, stale, _ := p.TransformFromStorage(ctx, data, dataCtx); stale {
			// Stale means that the bytes in store are not those of today's encoding.
			data = append(data, '\n')
		}
	}
	_, err = w.Write(data)
	return err
}

func (c *prefixCodec) Decode(
	data []byte, kind *schema.GroupVersionKind, into runtime.Object,
) (runtime.Object, *schema.GroupVersionKind, error) {
	return c.Codec.Decode(bytes.TrimPrefix(data, []byte(storedPrefix)), kind, into)
}

// transformed implements storagetesting.InterfaceWithPrefixTransformer.
type transformed struct {
	storage.Interface
	codec *prefixCodec
}

func (s *transformed) UpdatePrefixTransformer(
	modify storagetesting.PrefixTransformerModifier,
) func() {
	before := s.codec.transformer
	changed := *before.(*storagetesting.PrefixTransformer)
	s.codec.transformer = modify(&changed)
	return func() { s.codec.transformer = before }
}

// GetList lets a transformer that writes while a list is read have its way.
func (s *transformed) GetList(
	ctx context.Context, key string, opts storage.ListOptions, list runtime.Object,
) error {
	_, _, err := s.codec.transformer.TransformFromStorage(
		ctx, []byte(storedPrefix), value.DefaultContext{})
	if err != nil {
		return err
	}
	return s.Interface.GetList(ctx, key, opts, list)
}

// TestConformance runs the functions that need a store and nothing else.
func TestConformance(t *testing.T) {
	for name, run := range map[string]func(context.Context, *testing.T, storage.Interface){
		"CreateWithKeyExist":         storagetesting.RunTestCreateWithKeyExist,
		"Get":                        storagetesting.RunTestGet,
		"UnconditionalDelete":        storagetesting.RunTestUnconditionalDelete,
		"ConditionalDelete":          storagetesting.RunTestConditionalDelete,
		"DeleteWithSuggestion":       storagetesting.RunTestDeleteWithSuggestion,
		"DeleteSuggestionConflict":   storagetesting.RunTestDeleteWithSuggestionAndConflict,
		"DeleteSuggestionDeleted":    storagetesting.RunTestDeleteWithSuggestionOfDeletedObject,
		"DeleteWithConflict":         storagetesting.RunTestDeleteWithConflict,
		"ValidateDeletion":           storagetesting.RunTestValidateDeletionWithSuggestion,
		"ValidateDeletionOnlyCached": storagetesting.RunTestValidateDeletionWithOnlySuggestionValid,
		"PreconditionDelete":         storagetesting.RunTestPreconditionalDeleteWithSuggestion,
		"PreconditionDeleteOnlyCached": storagetesting.
			RunTestPreconditionalDeleteWithOnlySuggestionPass,
		"UpdateWithConflict": storagetesting.RunTestGuaranteedUpdateWithConflict,
		"UpdateSuggestionConflict": storagetesting.
			RunTestGuaranteedUpdateWithSuggestionAndConflict,
		"ListPaging":                  storagetesting.RunTestListPaging,
		"GetListRecursivePrefix":      storagetesting.RunTestGetListRecursivePrefix,
		"NamespaceScopedList":         storagetesting.RunTestNamespaceScopedList,
		"KeySchema":                   storagetesting.RunTestKeySchema,
		"Watch":                       storagetesting.RunTestWatch,
		"WatchFromNonZero":            storagetesting.RunTestWatchFromNonZero,
		"WatchContextCancel":          storagetesting.RunTestWatchContextCancel,
		"WatcherTimeout":              storagetesting.RunTestWatcherTimeout,
		"WatchDeleteHasLatestRV":      storagetesting.RunTestWatchDeleteEventObjectHaveLatestRV,
		"WatchInitializationSignal":   storagetesting.RunTestWatchInitializationSignal,
		"WatchSemantics":              storagetesting.RunWatchSemantics,
		"WatchSemanticsInitialEvents": storagetesting.RunWatchSemanticInitialEventsExtended,
		"WatchListMatchSingle":        storagetesting.RunWatchListMatchSingle,
		"SendInitialEventsCompatible": storagetesting.RunSendInitialEventsBackwardCompatibility,
		"DeleteTriggerWatch":          storagetesting.RunTestDeleteTriggerWatch,
		"ClusterScopedWatch":          storagetesting.RunTestClusterScopedWatch,
		"NamespaceScopedWatch":        storagetesting.RunTestNamespaceScopedWatch,
	} {
		t.Run(name, func(t *testing.T) { run(t.Context(), t, newExampleSuite(t).store) })
		t.Run(name+"/of one version", func(t *testing.T) {
			run(t.Context(), t, newExampleSuiteOf(t, (*DB).VersionDecorator).store)
		})
	}
}

// TestConformanceWithTools runs the functions that also compact, count or look into the store.
func TestConformanceWithTools(t *testing.T) {
	anyCalls := func(*testing.T, uint64, uint64) {}
	for name, run := range map[string]func(context.Context, *testing.T, *exampleSuite){
		"Create": func(ctx context.Context, t *testing.T, s *exampleSuite) {
			storagetesting.RunTestCreate(ctx, t, s.store, s.checkStored)
		},
		"GuaranteedUpdate": func(ctx context.Context, t *testing.T, s *exampleSuite) {
			storagetesting.RunTestGuaranteedUpdate(ctx, t, s.store, s.checkStored)
		},
		"GuaranteedUpdateChecksStoredData": func(
			ctx context.Context, t *testing.T, s *exampleSuite,
		) {
			storagetesting.RunTestGuaranteedUpdateChecksStoredData(ctx, t, s.store)
		},
		"List": func(ctx context.Context, t *testing.T, s *exampleSuite) {
			storagetesting.RunTestList(ctx, t, s.store, s.compact, false, nil)
		},
		"ConsistentList": func(ctx context.Context, t *testing.T, s *exampleSuite) {
			storagetesting.RunTestConsistentList(
				ctx, t, s.store, s.increaseRV, false, true, false)
		},
		"GetListNonRecursive": func(ctx context.Context, t *testing.T, s *exampleSuite) {
			storagetesting.RunTestGetListNonRecursive(ctx, t, s.increaseRV, s.store)
		},
		"ListContinuation": func(ctx context.Context, t *testing.T, s *exampleSuite) {
			storagetesting.RunTestListContinuation(ctx, t, s.store, anyCalls)
		},
		"ListContinuationWithFilter": func(ctx context.Context, t *testing.T, s *exampleSuite) {
			storagetesting.RunTestListContinuationWithFilter(ctx, t, s.store, anyCalls)
		},
		"ListPaginationRareObject": func(ctx context.Context, t *testing.T, s *exampleSuite) {
			storagetesting.RunTestListPaginationRareObject(ctx, t, s.store, anyCalls)
		},
		"ListInconsistentContinuation": func(ctx context.Context, t *testing.T, s *exampleSuite) {
			storagetesting.RunTestListInconsistentContinuation(ctx, t, s.store, s.compact)
		},
		"ListResourceVersionMatch": func(ctx context.Context, t *testing.T, s *exampleSuite) {
			storagetesting.RunTestListResourceVersionMatch(ctx, t, s.store)
		},
		"CompactRevision": func(ctx context.Context, t *testing.T, s *exampleSuite) {
			storagetesting.RunTestCompactRevision(ctx, t, s.store, s.increaseRV, s.compact)
		},
		"WatchFromZero": func(ctx context.Context, t *testing.T, s *exampleSuite) {
			storagetesting.RunTestWatchFromZero(ctx, t, s.store, s.compact)
		},
		"WatchDispatchBookmarkEvents": func(ctx context.Context, t *testing.T, s *exampleSuite) {
			t.Parallel() // it waits in real time for bookmarks that do not come
			storagetesting.RunTestWatchDispatchBookmarkEvents(ctx, t, s.store, false)
		},
	} {
		t.Run(name, func(t *testing.T) { run(t.Context(), t, newExampleSuite(t)) })
		t.Run(name+"/of one version", func(t *testing.T) { run(t.Context(), t, newExampleSuiteOf(t, (*DB).VersionDecorator)) })
	}
	for _, sizes := range []bool{false, true} {
		t.Run(fmt.Sprintf("Stats/sizes=%t", sizes), func(t *testing.T) {
			s := newExampleSuite(t)
			if sizes {
				if err := s.store.EnableResourceSizeEstimation(nil); err != nil {
					t.Fatal(err)
				}
			}
			// The prefix is part of the stored size.
			prefix := storagetesting.NewPrefixTransformer([]byte(storedPrefix), false)
			storagetesting.RunTestStats(t.Context(), t, s.store, s.codec, prefix, sizes)
		})
	}
}

// TestConformanceInVirtualTime runs the functions that wait, in a bubble where waiting takes no
// time.
func TestConformanceInVirtualTime(t *testing.T) {
	for name, run := range map[string]func(context.Context, *testing.T, *exampleSuite){
		"CreateWithTTL": func(ctx context.Context, t *testing.T, s *exampleSuite) {
			storagetesting.RunTestCreateWithTTL(ctx, t, s.store)
		},
		"GuaranteedUpdateWithTTL": func(ctx context.Context, t *testing.T, s *exampleSuite) {
			storagetesting.RunTestGuaranteedUpdateWithTTL(ctx, t, s.store)
		},
		"DelayedWatchDelivery": func(ctx context.Context, t *testing.T, s *exampleSuite) {
			storagetesting.RunTestDelayedWatchDelivery(ctx, t, s.store)
		},
		"ProgressNotify": func(ctx context.Context, t *testing.T, s *exampleSuite) {
			storagetesting.RunOptionalTestProgressNotify(ctx, t, s.store, s.increaseRV)
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newExampleSuite(t)
				// What the owner of a DB does: it looks at the clock for it.
				ticker := time.NewTicker(time.Second)
				defer ticker.Stop()
				done := make(chan struct{})
				defer close(done)
				go func() {
					for {
						select {
						case now := <-ticker.C:
							s.db.Expire(now)
							_ = s.store.RequestWatchProgress(t.Context())
						case <-done:
							return
						}
					}
				}()
				run(t.Context(), t, s)
			})
		})
	}
}
