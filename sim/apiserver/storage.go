package apiserver

import (
	"fmt"
	"reflect"
	"sort"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/registry/rest"
	genericapiserver "k8s.io/apiserver/pkg/server"
	genericoptions "k8s.io/apiserver/pkg/server/options"
	"k8s.io/apiserver/pkg/server/resourceconfig"
	serverstorage "k8s.io/apiserver/pkg/server/storage"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/client-go/kubernetes"
	restclient "k8s.io/client-go/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/kubeapiserver"
	admissionregistrationrest "k8s.io/kubernetes/pkg/registry/admissionregistration/rest"
	apiserverinternalrest "k8s.io/kubernetes/pkg/registry/apiserverinternal/rest"
	appsrest "k8s.io/kubernetes/pkg/registry/apps/rest"
	authenticationrest "k8s.io/kubernetes/pkg/registry/authentication/rest"
	authorizationrest "k8s.io/kubernetes/pkg/registry/authorization/rest"
	autoscalingrest "k8s.io/kubernetes/pkg/registry/autoscaling/rest"
	batchrest "k8s.io/kubernetes/pkg/registry/batch/rest"
	certificatesrest "k8s.io/kubernetes/pkg/registry/certificates/rest"
	coordinationrest "k8s.io/kubernetes/pkg/registry/coordination/rest"
	discoveryrest "k8s.io/kubernetes/pkg/registry/discovery/rest"
	eventsrest "k8s.io/kubernetes/pkg/registry/events/rest"
	flowcontrolrest "k8s.io/kubernetes/pkg/registry/flowcontrol/rest"
	networkingrest "k8s.io/kubernetes/pkg/registry/networking/rest"
	noderest "k8s.io/kubernetes/pkg/registry/node/rest"
	policyrest "k8s.io/kubernetes/pkg/registry/policy/rest"
	rbacrest "k8s.io/kubernetes/pkg/registry/rbac/rest"
	schedulingrest "k8s.io/kubernetes/pkg/registry/scheduling/rest"
	storagerest "k8s.io/kubernetes/pkg/registry/storage/rest"
	storagemigrationrest "k8s.io/kubernetes/pkg/registry/storagemigration/rest"

	// The install packages register the internal and external types, conversions and defaults of
	// each API group in legacyscheme.Scheme.
	_ "k8s.io/kubernetes/pkg/apis/admissionregistration/install"
	_ "k8s.io/kubernetes/pkg/apis/apiserverinternal/install"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/authentication/install"
	_ "k8s.io/kubernetes/pkg/apis/authorization/install"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/certificates/install"
	_ "k8s.io/kubernetes/pkg/apis/coordination/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/discovery/install"
	_ "k8s.io/kubernetes/pkg/apis/events/install"
	_ "k8s.io/kubernetes/pkg/apis/flowcontrol/install"
	_ "k8s.io/kubernetes/pkg/apis/networking/install"
	_ "k8s.io/kubernetes/pkg/apis/node/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	_ "k8s.io/kubernetes/pkg/apis/rbac/install"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
	_ "k8s.io/kubernetes/pkg/apis/scheduling/install"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"
	_ "k8s.io/kubernetes/pkg/apis/storagemigration/install"

	"github.com/kubestep/kubestep/sim/apiserver/aggregated"
	"github.com/kubestep/kubestep/sim/apiserver/clusterip"
	"github.com/kubestep/kubestep/sim/apiserver/internal/core"
	"github.com/kubestep/kubestep/sim/apiserver/internal/gated"
	_ "github.com/kubestep/kubestep/sim/apiserver/internal/podtemplate" // for equality.Semantic
	"github.com/kubestep/kubestep/sim/apiserver/memdb"
)

// eventTTL is kube-apiserver's default for --event-ttl.
const eventTTL = time.Hour

// restStorageProvider is what every API group's provider in pkg/registry implements.
type restStorageProvider interface {
	NewRESTStorage(serverstorage.APIResourceConfigSource, generic.RESTOptionsGetter) (genericapiserver.APIGroupInfo, error)
}

// providers lists the API groups served, core apart.
func providers(s *Server, self kubernetes.Interface) []restStorageProvider {
	authorize := s.authorizer
	return []restStorageProvider{
		admissionregistrationrest.RESTStorageProvider{Authorizer: authorize, DiscoveryClient: selfDiscovery{server: s}},
		apiserverinternalrest.StorageProvider{},
		appsrest.StorageProvider{},
		authorizationrest.RESTStorageProvider{Authorizer: authorize, RuleResolver: authorize},
		autoscalingrest.RESTStorageProvider{},
		batchrest.RESTStorageProvider{},
		certificatesrest.RESTStorageProvider{Authorizer: authorize},
		coordinationrest.RESTStorageProvider{},
		discoveryrest.StorageProvider{},
		eventsrest.RESTStorageProvider{TTL: eventTTL},
		flowcontrolrest.RESTStorageProvider{},
		networkingrest.RESTStorageProvider{},
		noderest.RESTStorageProvider{},
		policyrest.RESTStorageProvider{},
		rbacrest.RESTStorageProvider{Authorizer: authorize},
		resourceStorage(authorize, self.CoreV1().Namespaces()),
		schedulingrest.RESTStorageProvider{},
		storagerest.RESTStorageProvider{},
		storagemigrationrest.RESTStorageProvider{},
	}
}

// restOptions hands each registry its storage configuration, decorated with the in-memory database.
type restOptions struct {
	factory *serverstorage.DefaultStorageFactory
	db      *memdb.DB
}

// GetRESTOptions implements generic.RESTOptionsGetter.
func (o restOptions) GetRESTOptions(resource schema.GroupResource, example runtime.Object) (generic.RESTOptions, error) {
	config, err := o.factory.NewConfig(resource, example)
	if err != nil {
		return generic.RESTOptions{}, fmt.Errorf("storage configuration of %s: %w", resource, err)
	}
	return generic.RESTOptions{
		StorageConfig:           config,
		Decorator:               o.db.Decorator,
		EnableGarbageCollection: true,
		// One worker keeps the deletions of a deletecollection in one order.
		DeleteCollectionWorkers: 1,
		ResourcePrefix:          o.factory.ResourcePrefix(resource),
		// Zero starts no goroutine that counts objects for metrics.
		CountMetricPollPeriod: 0,
	}, nil
}

// servedVersions enables every stable version in the scheme: v1, v2, but no alpha or beta, as
// kube-apiserver does by default, and what the feature gates add. The runtime config comes last.
func servedVersions(options Options) (*serverstorage.ResourceConfig, error) {
	config := serverstorage.NewResourceConfig()
	for _, gv := range legacyscheme.Scheme.PrioritizedVersionsAllGroups() {
		if strings.Contains(gv.Version, "alpha") || strings.Contains(gv.Version, "beta") {
			// The runtime config can enable only what is known.
			config.DisableVersions(gv)
		} else {
			config.EnableVersions(gv)
		}
	}
	gated.Enable(config)
	config, err := resourceconfig.MergeAPIResourceConfigs(config, options.RuntimeConfig, legacyscheme.Scheme)
	if err != nil || !options.Emulation.ForwardCompatible {
		return config, err
	}
	return resourceconfig.EmulationForwardCompatibleResourceConfig(config, options.RuntimeConfig, legacyscheme.Scheme)
}

// knownEncodings remembers for the process in which version objects are stored. For each resource, upstream goes through all versions of
// its kind that this release knows, and asks each since when there is one: a tenth of what it takes to build a server. Without emulation,
// the answer depends on nothing but the resource and the type of its objects.
type knownEncodings struct {
	serverstorage.ResourceEncodingConfig
	upstream serverstorage.CompatibilityResourceEncodingConfig
}

type encodingKey struct {
	resource schema.GroupResource
	example  reflect.Type
}

// storedIn has the versions of all resources that servers of this process have stored, by their encodingKey.
var storedIn sync.Map

// BackwardCompatibileStorageEncodingFor implements serverstorage.CompatibilityResourceEncodingConfig.
func (k knownEncodings) BackwardCompatibileStorageEncodingFor(
	resource schema.GroupResource, example runtime.Object,
) (schema.GroupVersion, error) {
	key := encodingKey{resource, reflect.TypeOf(example)}
	if version, known := storedIn.Load(key); known {
		return version.(schema.GroupVersion), nil
	}
	version, err := k.upstream.BackwardCompatibileStorageEncodingFor(resource, example)
	if err == nil {
		storedIn.Store(key, version)
	}
	return version, err
}

// storageRoot is where kube-apiserver keeps everything in etcd. It shows in the message of a failed
// precondition.
const storageRoot = "/registry"

// install builds the REST storages of every group over the database of a server. self is a client that goes straight to them.
func install(
	s *Server, self kubernetes.Interface, settings Options, allocators *clusterip.Allocators,
) ([]genericapiserver.APIGroupInfo, error) {
	served, err := servedVersions(settings)
	if err != nil {
		return nil, err
	}
	// Upstream's configuration knows etcd's historic key prefixes, the kinds that are stored in a version that is not their
	// newest, and those that two groups share, such as Events.
	config := kubeapiserver.NewStorageFactoryConfigEffectiveVersion(settings.Emulation.Effective())
	config.APIResourceConfig = served
	factory, err := config.Complete(&genericoptions.EtcdOptions{
		StorageConfig: storagebackend.Config{Prefix: storageRoot}, DefaultStorageMediaType: runtime.ContentTypeProtobuf,
	}).New()
	if err != nil {
		return nil, fmt.Errorf("configuring the storage: %w", err)
	}
	encodings, ok := factory.ResourceEncodingConfig.(serverstorage.CompatibilityResourceEncodingConfig)
	if ok && settings.Emulation.Version == nil {
		factory.ResourceEncodingConfig = knownEncodings{factory.ResourceEncodingConfig, encodings}
	}
	options := restOptions{factory: factory, db: s.db}
	tokens := core.Tokens{Client: self}
	if s.tokens != nil {
		tokens.Generator, tokens.Audiences, tokens.MaxExpiration = s.tokens.Generator, s.tokens.Audiences, s.tokens.MaxExpiration
	}
	coreGroup, err := core.New(factory, served, options, s.authorizer, self.PolicyV1(), allocators, eventTTL, tokens)
	if err != nil {
		return nil, fmt.Errorf("core: %w", err)
	}
	groups := []genericapiserver.APIGroupInfo{coreGroup}
	all := providers(s, self)
	if s.tokens != nil {
		all = append(all, authenticationrest.RESTStorageProvider{
			Authenticator: s.authenticator(true), APIAudiences: s.tokens.Audiences,
		})
	}
	for _, provider := range all {
		group, err := provider.NewRESTStorage(served, options)
		if err != nil {
			return nil, fmt.Errorf("%T: %w", provider, err)
		}
		groups = append(groups, group)
	}
	if settings.SystemObjects {
		groups = append(groups, aggregated.Registration(options))
	}
	return settings.Emulation.RemoveUnavailable(groups, served)
}

// resourcesOf lists the storages of all groups as a table.
func resourcesOf(groups []genericapiserver.APIGroupInfo) ([]*Resource, error) {
	var resources []*Resource
	for _, group := range groups {
		for version, storages := range group.VersionedResourcesStorageMap {
			for path := range storages {
				resource, err := newResource(schema.GroupVersion{Group: groupName(group), Version: version}, path, storages)
				if err != nil {
					return nil, err
				}
				resources = append(resources, resource)
			}
		}
	}
	sort.Slice(resources, func(i, j int) bool { return resources[i].less(resources[j]) })
	return resources, nil
}

// groupName returns the API group of an APIGroupInfo, which is "" for core.
func groupName(info genericapiserver.APIGroupInfo) string {
	if len(info.PrioritizedVersions) == 0 {
		return ""
	}
	return info.PrioritizedVersions[0].Group
}

// newResource describes one REST storage of a group version. path is "deployments" or
// "deployments/scale".
func newResource(gv schema.GroupVersion, path string, storages map[string]rest.Storage) (*Resource, error) {
	name, subresource, _ := strings.Cut(path, "/")
	storage := storages[path]
	kind := gv.WithKind("")
	if provider, ok := storage.(rest.GroupVersionKindProvider); ok {
		kind = provider.GroupVersionKind(gv)
	}
	if kind.Kind == "" {
		kinds, _, err := legacyscheme.Scheme.ObjectKinds(storage.New())
		if err != nil {
			return nil, fmt.Errorf("kind of %s %s: %w", gv, path, err)
		}
		kind = gv.WithKind(kinds[0].Kind)
	}
	r := &Resource{
		GroupVersionResource: gv.WithResource(name), Subresource: subresource, Kind: kind, storage: storage,
	}
	// A subresource lives where its resource lives; few of them say so themselves.
	if scoper, ok := storages[name].(rest.Scoper); ok {
		r.Namespaced = scoper.NamespaceScoped()
	}
	if singular, ok := storage.(rest.SingularNameProvider); ok {
		r.Singular = singular.GetSingularName()
	}
	if short, ok := storage.(rest.ShortNamesProvider); ok {
		r.ShortNames = short.ShortNames()
	}
	return r, nil
}

// noLoopback stands for the connection to itself that a real API server has. Nothing here dials it.
func noLoopback() *restclient.Config { return &restclient.Config{} }
