//go:build kubernetes_before_1_35

package admissionplugin

import (
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/initializer"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
)

// NewInitializer gives plugins what upstream's initializer gives them.
func NewInitializer(client kubernetes.Interface, others dynamic.Interface, caches informers.SharedInformerFactory,
	authorize authorizer.Authorizer, stopped <-chan struct{}, mapper meta.RESTMapper,
) admission.PluginInitializer {
	return initializer.New(client, others, caches, authorize, utilfeature.DefaultFeatureGate, stopped, mapper)
}
