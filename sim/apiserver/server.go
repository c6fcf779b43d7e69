package apiserver

import (
	"cmp"
	"fmt"
	"net/http"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/registry/rest"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/kubernetes/pkg/api/legacyscheme"

	"github.com/kubestep/kubestep/sim/apiserver/aggregated"
	"github.com/kubestep/kubestep/sim/apiserver/authorization"
	"github.com/kubestep/kubestep/sim/apiserver/clusterip"
	"github.com/kubestep/kubestep/sim/apiserver/emulation"
	"github.com/kubestep/kubestep/sim/apiserver/extensions"
	"github.com/kubestep/kubestep/sim/apiserver/internal/managed"
	"github.com/kubestep/kubestep/sim/apiserver/internal/storecache"
	"github.com/kubestep/kubestep/sim/apiserver/memdb"
	"github.com/kubestep/kubestep/sim/apiserver/token"
	"github.com/kubestep/kubestep/sim/apiserver/webhook"
)

// Resource is one path of the API: a resource, or a subresource of one.
type Resource struct {
	schema.GroupVersionResource
	Subresource string
	// Kind is what the path accepts and returns; for deployments/scale it is autoscaling/v1 Scale.
	Kind       schema.GroupVersionKind
	Namespaced bool
	Singular   string
	ShortNames []string

	storage   rest.Storage
	admission *admissionControl
	server    *Server
}

func (r *Resource) less(other *Resource) bool {
	if r.Group != other.Group {
		return r.Group < other.Group
	}
	if r.GroupVersionResource != other.GroupVersionResource {
		return r.GroupVersionResource.String() < other.GroupVersionResource.String()
	}
	return r.Subresource < other.Subresource
}

// resourcePath finds a storage: a versioned resource and the subresource or "".
type resourcePath struct {
	schema.GroupVersionResource
	subresource string
}

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

// Server holds the storages of every API group over one in-memory database.
// Its methods are not safe for concurrent use: one goroutine drives it.
type Server struct {
	db        *memdb.DB
	resources []*Resource
	paths     map[resourcePath]*Resource
	// versions gives each stored resource the version and kind that commits are reported in.
	versions map[schema.GroupResource]*Resource
	// current holds every stored object, by its key, in the version of commits.
	current  map[string]runtime.Object
	onCommit func(Commit)

	groups []genericapiserver.APIGroupInfo
	front  func() (*HTTP, error)
	// metrics serves the groups of metrics, nil where there are none.
	metrics aggregated.Source
	// fields is nil unless Options.ManagedFields is set.
	fields *managed.Fields
	// extensions serves custom resources, and is made with the HTTP interface; transport carries the requests of its
	// controllers.
	customResources bool
	extensions      *extensions.Server
	transport       http.RoundTripper

	admission  *admissionControl
	authorizer authorization.Authorizer
	// caches are what the server itself reads from, instead of informers.
	caches     *storecache.Factory
	allocators *clusterip.Allocators
	subnet     string
	// mode is that of authorization.
	mode string
	// tokens are those of the options.
	tokens      *token.Options
	webhooks    webhook.Configurations
	callWebhook webhook.Caller
	// watchTimeout is Options.MinRequestTimeout.
	watchTimeout time.Duration
}

// Options are the flags of kube-apiserver that a Server knows.
type Options struct {
	// Admission lists the admission plugins that run on every write (AdmissionPlugins).
	Admission []string
	// Authorization is AlwaysAllow or RBAC. "" is AlwaysAllow.
	Authorization string
	// ServiceSubnet is the range of cluster IPs, or one of each IP family: see clusterip.Subnets. "" is the default.
	ServiceSubnet string
	// AdmissionConfig has the configuration of plugins, as --admission-control-config-file; nil means that of none.
	AdmissionConfig admission.ConfigProvider
	// AdmissionControl, if set, is asked instead of the plugins: a chain that was built elsewhere.
	AdmissionControl admission.Interface
	// RuntimeConfig serves more or fewer versions and resources than kube-apiserver does by default, in the form of
	// --runtime-config: policy/v1=false, api/beta=true.
	RuntimeConfig map[string]string
	// Emulation serves the kinds of another version of Kubernetes.
	Emulation emulation.Options
	// Authorizer, if set, makes the authorizer of the server from that of the mode.
	Authorizer func(authorizer.Authorizer) authorizer.Authorizer
	// Tokens are the bearer tokens that the server accepts over HTTP; nil means that it does not look at them.
	Tokens *token.Options
	// CustomResources makes the server serve CustomResourceDefinitions, and the objects of the kinds that they define. Their
	// controllers run after HTTP.RunExtensions.
	CustomResources bool
	// ManagedFields makes the first front keep metadata.managedFields up to date, as the second one does.
	ManagedFields bool
	// CallWebhook calls a webhook. It may block. Nil means that there is nothing to connect to.
	CallWebhook webhook.Caller
	// OnWrite, if set, is called before each write to the store. It may block.
	OnWrite func()
	// MinRequestTimeout is how long a watch without timeoutSeconds lasts at least, as --min-request-timeout; at most, it
	// lasts twice as long. 0 means DefaultMinRequestTimeout.
	MinRequestTimeout time.Duration
}

// DefaultMinRequestTimeout is kube-apiserver's default for --min-request-timeout.
const DefaultMinRequestTimeout = 30 * time.Minute

// New creates a server with an empty database. onCommit is called after each write, in order, on the goroutine that
// made the request; it may be nil.
func New(onCommit func(Commit), options Options) (*Server, error) {
	s := &Server{
		paths:    map[resourcePath]*Resource{},
		versions: map[schema.GroupResource]*Resource{},
		current:  map[string]runtime.Object{},
		onCommit: onCommit,

		tokens:       options.Tokens,
		watchTimeout: cmp.Or(options.MinRequestTimeout, DefaultMinRequestTimeout),
	}
	s.db = memdb.New(memdb.Options{OnCommit: s.committed, OnWrite: options.OnWrite})
	self := NewClientset(direct{s, Self}, nil)
	s.caches, s.subnet, s.mode = storecache.New(stored{s}), options.ServiceSubnet, options.Authorization
	var err error
	if s.authorizer, err = authorization.New(s.mode, s.caches); err != nil {
		return nil, err
	}
	if options.Authorizer != nil {
		s.authorizer = authorization.Both{Authorizer: options.Authorizer(s.authorizer), RuleResolver: s.authorizer}
	}
	allocators, err := clusterip.New(s.subnet, self, s.caches.Networking().V1)
	if err != nil {
		return nil, err
	}
	groups, err := install(s, self, options, allocators)
	if err != nil {
		return nil, fmt.Errorf("installing the API groups: %w", err)
	}
	resources, err := resourcesOf(groups)
	if err != nil {
		return nil, err
	}
	s.groups, s.resources, s.allocators = groups, resources, allocators
	s.front = sync.OnceValues(s.newHTTP)
	for _, r := range resources {
		s.paths[resourcePath{r.GroupVersionResource, r.Subresource}] = r
		if r.Subresource != "" {
			continue
		}
		// With several versions (autoscaling/v1 and v2) the scheme's preferred one wins.
		preferred := legacyscheme.Scheme.PrioritizedVersionsForGroup(r.Group)
		known, found := s.versions[r.GroupResource()]
		if !found || (len(preferred) > 0 && preferred[0] == r.GroupVersion() && known != r) {
			s.versions[r.GroupResource()] = r
		}
	}
	if s.admission, err = newAdmissionControl(s, options); err != nil {
		return nil, err
	}
	for _, r := range resources {
		r.admission, r.server = s.admission, s
	}
	s.webhooks = webhook.NewConfigurations(s.caches)
	if options.ManagedFields {
		s.fields = managed.New(s.kinds)
	}
	s.customResources, s.callWebhook = options.CustomResources, options.CallWebhook
	return s, nil
}

// ServeMetrics adds the groups of metrics to the HTTP interface. It must be called before the first HTTP request; without it,
// discovery does not list the groups. The source is called on the goroutine of Do.
func (s *Server) ServeMetrics(source aggregated.Source) { s.metrics = source }

// Resources lists every path served, sorted by group, version, resource and subresource.
func (s *Server) Resources() []*Resource { return s.resources }

// Preferred returns the resource, without subresource, in the version that commits are reported in.
func (s *Server) Preferred(resource schema.GroupResource) (*Resource, bool) {
	r, ok := s.versions[resource]
	return r, ok
}

// Self is the actor of what the server does itself.
const Self = "system:apiserver"

// ServiceSubnet is that of the options.
func (s *Server) ServiceSubnet() string { return s.subnet }

// Data returns what the store holds at a key such as /registry/pods/default/web, encoded, and the revision of its last
// write.
func (s *Server) Data(key string) (data []byte, revision uint64, found bool) { return s.db.Data(key) }

// Tokens are those of the options.
func (s *Server) Tokens() *token.Options { return s.tokens }

// MinRequestTimeout is that of the options, or the default.
func (s *Server) MinRequestTimeout() time.Duration { return s.watchTimeout }

// Authorization is the mode of the options.
func (s *Server) Authorization() string { return s.mode }

// Revision is the newest resourceVersion.
func (s *Server) Revision() uint64 { return s.db.Revision() }

// Advance makes an empty server begin at a resourceVersion, as one with a compacted history.
func (s *Server) Advance(revision uint64) { s.db.Advance(revision) }

// Compact removes the history before revision, as etcd's compaction does every five minutes: a watch from an older
// resourceVersion is then answered with 410 Expired.
func (s *Server) Compact(revision uint64) { s.db.Compact(revision) }

// NextExpiry returns when the next object with a time to live (an Event, after one hour) is due.
func (s *Server) NextExpiry() (time.Time, bool) { return s.db.NextExpiry() }

// Expire removes the objects whose time to live has passed.
func (s *Server) Expire(now time.Time) { s.db.Expire(now) }

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
