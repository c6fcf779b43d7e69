package apiserver

import (
	"cmp"
	"fmt"
	"sync"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/capabilities"

	"github.com/kubestep/kubestep/sim/apiserver/aggregated"
	"github.com/kubestep/kubestep/sim/apiserver/authorization"
	"github.com/kubestep/kubestep/sim/apiserver/clusterip"
	"github.com/kubestep/kubestep/sim/apiserver/internal/managed"
	"github.com/kubestep/kubestep/sim/apiserver/internal/storecache"
	"github.com/kubestep/kubestep/sim/apiserver/memdb"
	"github.com/kubestep/kubestep/sim/apiserver/webhook"
)

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
	// --allow-privileged, which kubeadm sets. It is one setting for the process.
	capabilities.Setup(true, 0)
	s.db = memdb.New(memdb.Options{OnCommit: s.committed, OnWrite: options.OnWrite})
	self := NewClientset(direct{s, Self}, nil)
	s.caches, s.subnet, s.mode = storecache.New(stored{s}), options.ServiceSubnet, options.Authorization
	var err error
	if s.authorizer, err = authorization.New(s.mode, s.caches); err != nil {
		return nil, err
	}
	s.access, s.servesMetrics = options.Access, options.Metrics
	s.authorizer = s.access.over(s.authorizer)
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
	s.systemObjects, s.others = options.SystemObjects, aggregated.NewServers(toOthers(options))
	s.customResources, s.callWebhook = options.CustomResources, options.CallWebhook
	if err := s.access.connect(s); err != nil {
		return nil, err
	}
	return s, nil
}
