package admissionpolicy

import (
	"cmp"
	"context"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/informers/admissionregistration"
	"k8s.io/client-go/informers/internalinterfaces"
	"k8s.io/client-go/openapi"
	"k8s.io/client-go/tools/cache"

	"github.com/kubestep/kubestep/sim/apiserver/internal/storecache"
	"github.com/kubestep/kubestep/sim/apiserver/memdb"
	"github.com/kubestep/kubestep/sim/process/logging"
)

// refreshInterval is upstream's refreshIntervalDefault.
const refreshInterval = time.Second

// source compiles the policies of a plugin with upstream's source, at the times at which that one would do so by
// itself: every second since the server started, if a policy or a binding has changed. A policy takes effect at the next
// of these times, between zero and one second after it was written.
//
// Nothing happens at these times. Every request that policies apply to, and every write of a policy, first makes up for
// those that have passed: until then nothing has changed.
type source[H any] struct {
	create func(informers.SharedInformerFactory) generic.Source[H]
	name   func(H) string
	begin  time.Time
	// seen is what the next refresh sees of policies and bindings.
	seen *caches
	// changed is when the first change since the last refresh happened, zero if there was none.
	changed time.Time
	hooks   []H
}

func newSource[H any](
	stored *storecache.Factory, name func(H) string, create func(informers.SharedInformerFactory) generic.Source[H],
) *source[H] {
	s := &source[H]{create: create, name: name, begin: time.Now(), hooks: []H{}}
	s.seen = &caches{Factory: stored, note: s.note, mirrors: map[cache.SharedIndexInformer]*mirror{}}
	// Upstream's source asks for the caches that it needs. From now on they follow the store.
	create(s.seen)
	return s
}

// note is called before a change becomes visible.
func (s *source[H]) note() {
	s.catchUp()
	if s.changed.IsZero() {
		s.changed = time.Now()
	}
}

// catchUp refreshes the policies if that is due. What the server starts with is refreshed at once.
func (s *source[H]) catchUp() {
	if s.changed.IsZero() {
		return
	}
	due := s.begin
	if passed := s.changed.Sub(s.begin); passed > 0 {
		due = s.begin.Add((passed/refreshInterval + 1) * refreshInterval)
	}
	if time.Now().Before(due) {
		return
	}
	s.changed = time.Time{}
	s.hooks = s.compile()
}

// compile runs upstream's source until it has compiled the policies for the first time. Then it registers its handlers,
// which ends its context, so that it returns.
func (s *source[H]) compile() []H {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s.seen.registered = cancel
	upstream := s.create(s.seen)
	// It would log that it refreshes policies, but not at the time at which that happens.
	defer logging.To(nil)()
	// It returns nil: the caches are always synced.
	_ = upstream.Run(ctx)
	hooks := slices.Clone(upstream.Hooks())
	slices.SortStableFunc(hooks, func(a, b H) int { return cmp.Compare(s.name(a), s.name(b)) })
	return hooks
}

// Hooks implements generic.Source.
func (s *source[H]) Hooks() []H {
	s.catchUp()
	return s.hooks
}

// Run implements generic.Source.
func (*source[H]) Run(context.Context) error { return nil }

// HasSynced implements generic.Source.
func (*source[H]) HasSynced() bool { return true }

// caches are the caches of a server, except that those of policies and bindings are mirrors, which change after
// the policies that depended on them have been compiled.
type caches struct {
	*storecache.Factory
	note       func()
	registered func()
	mirrors    map[cache.SharedIndexInformer]*mirror
}

// Admissionregistration implements informers.SharedInformerFactory.
func (f *caches) Admissionregistration() admissionregistration.Interface {
	return admissionregistration.New(f, "", nil)
}

// InformerFor implements informers.SharedInformerFactory.
func (f *caches) InformerFor(obj runtime.Object, create internalinterfaces.NewInformerFunc) cache.SharedIndexInformer {
	stored := f.Factory.InformerFor(obj, create)
	if !isPolicy(obj) {
		return stored
	}
	if f.mirrors[stored] == nil {
		f.mirrors[stored] = newMirror(f, stored)
	}
	return f.mirrors[stored]
}

// mirror is an informer that follows another one.
type mirror struct {
	*storecache.Informer
	of *caches
}

func newMirror(of *caches, stored cache.SharedIndexInformer) *mirror {
	m := &mirror{storecache.NewInformer(), of}
	change := func(op memdb.Op) func(obj any) {
		return func(obj any) {
			of.note()
			m.Apply(op, obj.(runtime.Object), nil)
		}
	}
	update := change(memdb.OpUpdate)
	// A storecache.Informer takes every handler.
	_, _ = stored.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: change(memdb.OpCreate), UpdateFunc: func(_, obj any) { update(obj) }, DeleteFunc: change(memdb.OpDelete),
	})
	return m
}

// AddEventHandler implements cache.SharedInformer. It is how upstream's source says that it has compiled its policies.
func (m *mirror) AddEventHandler(cache.ResourceEventHandler) (cache.ResourceEventHandlerRegistration, error) {
	m.of.registered()
	return nil, nil
}

// RemoveEventHandler implements cache.SharedInformer.
func (m *mirror) RemoveEventHandler(cache.ResourceEventHandlerRegistration) error { return nil }

// onlyOnce is a list of OpenAPI documents that ends the context of its reader.
type onlyOnce struct {
	openapi.Client
	end func()
}

// Paths implements openapi.Client.
func (o onlyOnce) Paths() (map[string]openapi.GroupVersion, error) {
	defer o.end()
	return o.Client.Paths()
}
