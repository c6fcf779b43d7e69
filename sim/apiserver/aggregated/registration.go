package aggregated

import (
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/registry/rest"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/kube-aggregator/pkg/apis/apiregistration"
	registrationinstall "k8s.io/kube-aggregator/pkg/apis/apiregistration/install"
	registrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	apiservicestore "k8s.io/kube-aggregator/pkg/registry/apiservice/etcd"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
)

func init() { registrationinstall.Install(legacyscheme.Scheme) }

// Registration is the group apiregistration.k8s.io, with which other API servers are registered: APIServices in the storages of
// kube-aggregator.
func Registration(options generic.RESTOptionsGetter) genericapiserver.APIGroupInfo {
	services := apiservicestore.NewREST(legacyscheme.Scheme, options)
	group := newGroup(apiregistration.GroupName)
	group.VersionedResourcesStorageMap[registrationv1.SchemeGroupVersion.Version] = map[string]rest.Storage{
		"apiservices":        services,
		"apiservices/status": apiservicestore.NewStatusREST(legacyscheme.Scheme, services),
	}
	return group
}
