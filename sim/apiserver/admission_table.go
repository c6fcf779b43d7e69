package apiserver

import (
	"slices"

	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle"
	mutatingpolicy "k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
	validatingpolicy "k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/admission/plugin/resourcequota"
	mutatingwebhook "k8s.io/apiserver/pkg/admission/plugin/webhook/mutating"
	validatingwebhook "k8s.io/apiserver/pkg/admission/plugin/webhook/validating"
	serverstorage "k8s.io/apiserver/pkg/server/storage"
	"k8s.io/kubernetes/plugin/pkg/admission/alwayspullimages"
	"k8s.io/kubernetes/plugin/pkg/admission/antiaffinity"
	certapproval "k8s.io/kubernetes/plugin/pkg/admission/certificates/approval"
	"k8s.io/kubernetes/plugin/pkg/admission/certificates/ctbattest"
	certsigning "k8s.io/kubernetes/plugin/pkg/admission/certificates/signing"
	certsubjectrestriction "k8s.io/kubernetes/plugin/pkg/admission/certificates/subjectrestriction"
	"k8s.io/kubernetes/plugin/pkg/admission/defaulttolerationseconds"
	"k8s.io/kubernetes/plugin/pkg/admission/extendedresourcetoleration"
	"k8s.io/kubernetes/plugin/pkg/admission/gc"
	"k8s.io/kubernetes/plugin/pkg/admission/limitranger"
	"k8s.io/kubernetes/plugin/pkg/admission/namespace/autoprovision"
	"k8s.io/kubernetes/plugin/pkg/admission/namespace/exists"
	"k8s.io/kubernetes/plugin/pkg/admission/network/defaultingressclass"
	"k8s.io/kubernetes/plugin/pkg/admission/network/denyserviceexternalips"
	"k8s.io/kubernetes/plugin/pkg/admission/noderestriction"
	"k8s.io/kubernetes/plugin/pkg/admission/nodetaint"
	"k8s.io/kubernetes/plugin/pkg/admission/podtopologylabels"
	"k8s.io/kubernetes/plugin/pkg/admission/priority"
	"k8s.io/kubernetes/plugin/pkg/admission/runtimeclass"
	"k8s.io/kubernetes/plugin/pkg/admission/security/podsecurity"
	"k8s.io/kubernetes/plugin/pkg/admission/serviceaccount"
	"k8s.io/kubernetes/plugin/pkg/admission/storage/persistentvolume/resize"
	"k8s.io/kubernetes/plugin/pkg/admission/storage/storageclass/setdefault"
	"k8s.io/kubernetes/plugin/pkg/admission/storage/storageobjectinuseprotection"

	"github.com/kubestep/kubestep/sim/apiserver/internal/admissionplugin"
	"github.com/kubestep/kubestep/sim/apiserver/webhook"
)

// Admission plugins that other packages name.
const (
	NamespaceLifecycle           = lifecycle.PluginName
	LimitRanger                  = limitranger.PluginName
	Priority                     = priority.PluginName
	DefaultTolerationSeconds     = defaulttolerationseconds.PluginName
	ServiceAccount               = serviceaccount.PluginName
	TaintNodesByCondition        = nodetaint.PluginName
	StorageObjectInUseProtection = storageobjectinuseprotection.PluginName
	ResourceQuota                = resourcequota.PluginName
)

// admissionPlugins are the plugins in the order in which kube-apiserver asks them (AllOrderedPlugins in
// pkg/kubeapiserver/options; a test compares). Two of upstream's plugins sleep while they wait for a cache or a
// controller, one has a pool of workers, and those of policies have goroutines: these come through a constructor of ours. Those of
// webhooks are made when there is a webhook.
// A plugin that this version of Kubernetes does not have has no name.
var admissionPlugins = slices.DeleteFunc([]admissionPlugin{
	{autoprovision.PluginName, autoprovision.Register, true},
	{NamespaceLifecycle, constructor(NamespaceLifecycle, admissionplugin.NewNamespaceLifecycle), false},
	{exists.PluginName, exists.Register, true},
	{antiaffinity.PluginName, antiaffinity.Register, true},
	{LimitRanger, limitranger.Register, false},
	{ServiceAccount, constructor(ServiceAccount, newServiceAccounts), false},
	{noderestriction.PluginName, noderestriction.Register, true},
	{TaintNodesByCondition, nodetaint.Register, false},
	{alwayspullimages.PluginName, alwayspullimages.Register, true},
	{podsecurity.PluginName, podsecurity.Register, false},
	{Priority, priority.Register, false},
	{DefaultTolerationSeconds, defaulttolerationseconds.Register, false},
	{extendedresourcetoleration.PluginName, extendedresourcetoleration.Register, true},
	{setdefault.PluginName, setdefault.Register, false},
	{StorageObjectInUseProtection, storageobjectinuseprotection.Register, false},
	podGroupProtection,
	{gc.PluginName, gc.Register, true},
	{resize.PluginName, resize.Register, false},
	{runtimeclass.PluginName, runtimeclass.Register, false},
	{certapproval.PluginName, certapproval.Register, false},
	{certsigning.PluginName, certsigning.Register, false},
	{ctbattest.PluginName, ctbattest.Register, false},
	{certsubjectrestriction.PluginName, certsubjectrestriction.Register, false},
	{defaultingressclass.PluginName, defaultingressclass.Register, false},
	{denyserviceexternalips.PluginName, denyserviceexternalips.Register, true},
	{podtopologylabels.PluginName, podtopologylabels.Register, false},
	podGroupExists,
	nodeDeclaredFeatures,
	jobValidation,
	podResize,
	{mutatingpolicy.PluginName, mutatingpolicy.Register, false},
	{mutatingwebhook.PluginName, webhook.RegisterMutating, false},
	{validatingpolicy.PluginName, validatingpolicy.Register, false},
	{validatingwebhook.PluginName, webhook.RegisterValidating, false},
	{ResourceQuota, registerQuotas, false},
}, func(p admissionPlugin) bool { return p.name == "" })

func registerQuotas(plugins *admission.Plugins) {
	admissionplugin.RegisterQuotas(plugins, func() (*serverstorage.ResourceConfig, error) { return servedVersions(Options{}) })
}
