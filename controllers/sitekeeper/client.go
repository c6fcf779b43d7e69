package sitekeeper

import (
	"time"

	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/gentype"
	"k8s.io/client-go/listers"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// For the kinds of Kubernetes, client-go has a clientset, informers and listers. This file makes the same for Sites from the
// parts that client-go makes them from. Tools can generate it, too: client-gen, informer-gen and lister-gen.

// resource is the plural name of the kind, which is in the path of each request.
const resource = "sites"

// SiteClient makes requests about the Sites of a namespace: Get, List, Create, Update, UpdateStatus and so on.
type SiteClient = *gentype.ClientWithList[*Site, *SiteList]

// Clientset makes requests about Sites.
type Clientset struct{ rest *rest.RESTClient }

// NewForConfig returns a client for the cluster of a kubeconfig.
func NewForConfig(cluster *rest.Config) (*Clientset, error) {
	config := rest.CopyConfig(cluster)
	config.APIPath, config.GroupVersion = "/apis", &GroupVersion
	// The scheme makes Sites of what the server sends. Custom resources are sent as JSON: there is no protobuf of them.
	config.NegotiatedSerializer = serializer.NewCodecFactory(Scheme).WithoutConversion()
	config.ContentType = runtime.ContentTypeJSON
	client, err := rest.RESTClientFor(config)
	if err != nil {
		return nil, err
	}
	return &Clientset{client}, nil
}

// Sites returns the client of a namespace.
func (c *Clientset) Sites(namespace string) SiteClient {
	return gentype.NewClientWithList(resource, c.rest, runtime.NewParameterCodec(Scheme), namespace,
		func() *Site { return &Site{} }, func() *SiteList { return &SiteList{} })
}

// NewInformer makes an informer, as cache.NewSharedIndexInformer does.
type NewInformer func(cache.ListerWatcher, runtime.Object, time.Duration, cache.Indexers) cache.SharedIndexInformer

// newSiteInformer returns an informer that keeps all Sites of the cluster in a cache, by namespace/name.
func newSiteInformer(client *Clientset, create NewInformer, resync time.Duration) cache.SharedIndexInformer {
	listWatch := cache.NewListWatchFromClient(client.rest, resource, metav1.NamespaceAll, fields.Everything())
	return create(listWatch, &Site{}, resync, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
}

// siteLister reads the cache of an informer. What it returns is shared and must not be changed.
type siteLister struct{ listers.ResourceIndexer[*Site] }

func newSiteLister(informer cache.SharedIndexInformer) siteLister {
	return siteLister{listers.New[*Site](informer.GetIndexer(), GroupVersion.WithResource(resource).GroupResource())}
}

// Sites returns the lister of a namespace.
func (l siteLister) Sites(namespace string) siteLister {
	return siteLister{listers.NewNamespaced(l.ResourceIndexer, namespace)}
}
