package apiserver

import (
	"net/http"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	genericapiserver "k8s.io/apiserver/pkg/server"

	"github.com/kubestep/kubestep/sim/apiserver/aggregated"
	"github.com/kubestep/kubestep/sim/apiserver/authorization"
	"github.com/kubestep/kubestep/sim/apiserver/clusterip"
	"github.com/kubestep/kubestep/sim/apiserver/extensions"
	"github.com/kubestep/kubestep/sim/apiserver/internal/managed"
	"github.com/kubestep/kubestep/sim/apiserver/internal/storecache"
	"github.com/kubestep/kubestep/sim/apiserver/memdb"
	"github.com/kubestep/kubestep/sim/apiserver/token"
	"github.com/kubestep/kubestep/sim/apiserver/webhook"
	"github.com/kubestep/kubestep/sim/trace"
)

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
	// newest is the object of the last commit of a built-in resource.
	newest conversion

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
	// servesMetrics is Options.Metrics.
	servesMetrics bool
	// access is Options.Access.
	access *Access
	// tokens are those of the options.
	tokens      *token.Options
	webhooks    webhook.Configurations
	callWebhook webhook.Caller
	// others are the API servers to which requests are forwarded.
	others *aggregated.Servers
	// requests counts those that were executed.
	requests requestCounts
	// systemObjects is Options.SystemObjects.
	systemObjects bool
	// watchTimeout is Options.MinRequestTimeout.
	watchTimeout time.Duration
}

// ServeMetrics adds the groups of metrics to the HTTP interface. It must be called before the first HTTP request; without it,
// discovery does not list the groups. The source is called on the goroutine of Do.
func (s *Server) ServeMetrics(source aggregated.Source) { s.metrics = source }

// Others are the API servers to which requests are forwarded, none unless Options.SystemObjects is set and somebody sets them.
func (s *Server) Others() *aggregated.Servers { return s.others }

// Resources lists every path served, sorted by group, version, resource and subresource.
func (s *Server) Resources() []*Resource { return s.resources }

// Preferred returns the resource, without subresource, in the version that commits are reported in.
func (s *Server) Preferred(resource schema.GroupResource) (*Resource, bool) {
	r, ok := s.versions[resource]
	return r, ok
}

// Self is the actor of what the server does itself.
const Self = trace.APIServerActor

// externalAddress is where the server says that it can be reached. Nobody listens there.
const externalAddress = "127.0.0.1:6443"

// ServiceSubnet is that of the options.
func (s *Server) ServiceSubnet() string { return s.subnet }

// Data returns what the store holds at a key such as /registry/pods/default/web, encoded, and the revision of its last
// write.
func (s *Server) Data(key string) (data []byte, revision uint64, found bool) { return s.db.Data(key) }

// Tokens are those of the options.
func (s *Server) Tokens() *token.Options { return s.tokens }

// HasSystemObjects is Options.SystemObjects.
func (s *Server) HasSystemObjects() bool { return s.systemObjects }

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
