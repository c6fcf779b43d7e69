package expr

import (
	"fmt"
	"reflect"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	networkingv1 "k8s.io/api/networking/v1"
	nodev1 "k8s.io/api/node/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// kind is a built-in kind in the version that a World holds, which is the one that the API server prefers.
type kind struct {
	schema.GroupVersion
	resource string
	object   runtime.Object
	scope    scope
	// names are the short names of kubectl.
	names []string
	// function is what conditions call the getter of the kind; without one, get() serves.
	function string
}

type scope bool

const (
	namespaced    scope = true
	clusterScoped scope = false
)

// kinds lists every kind that the simulated API server stores. The order decides which of two Go types
// of one name keeps the short name (typetable.go), so new kinds go to the end.
var kinds = []*kind{
	{corev1.SchemeGroupVersion, "pods", &corev1.Pod{}, namespaced, []string{"po"}, "pod"},
	{corev1.SchemeGroupVersion, "nodes", &corev1.Node{}, clusterScoped, []string{"no"}, "node"},
	// namespace is a reserved word of CEL, so the getter has the short name.
	{corev1.SchemeGroupVersion, "namespaces", &corev1.Namespace{}, clusterScoped, []string{"ns"}, "ns"},
	{corev1.SchemeGroupVersion, "services", &corev1.Service{}, namespaced, []string{"svc"}, "service"},
	{corev1.SchemeGroupVersion, "endpoints", &corev1.Endpoints{}, namespaced, []string{"ep"}, "endpoints"},
	{corev1.SchemeGroupVersion, "configmaps", &corev1.ConfigMap{}, namespaced, []string{"cm"}, "configmap"},
	{corev1.SchemeGroupVersion, "secrets", &corev1.Secret{}, namespaced, nil, "secret"},
	{corev1.SchemeGroupVersion, "serviceaccounts", &corev1.ServiceAccount{}, namespaced, []string{"sa"}, "serviceaccount"},
	{corev1.SchemeGroupVersion, "persistentvolumeclaims", &corev1.PersistentVolumeClaim{}, namespaced, []string{"pvc"}, "pvc"},
	{corev1.SchemeGroupVersion, "persistentvolumes", &corev1.PersistentVolume{}, clusterScoped, []string{"pv"}, "pv"},
	{corev1.SchemeGroupVersion, "replicationcontrollers", &corev1.ReplicationController{}, namespaced, []string{"rc"}, "replicationcontroller"},
	{corev1.SchemeGroupVersion, "resourcequotas", &corev1.ResourceQuota{}, namespaced, []string{"quota"}, "resourcequota"},
	{corev1.SchemeGroupVersion, "limitranges", &corev1.LimitRange{}, namespaced, []string{"limits"}, ""},
	{corev1.SchemeGroupVersion, "podtemplates", &corev1.PodTemplate{}, namespaced, nil, ""},
	{corev1.SchemeGroupVersion, "events", &corev1.Event{}, namespaced, []string{"ev"}, ""},
	{appsv1.SchemeGroupVersion, "deployments", &appsv1.Deployment{}, namespaced, []string{"deploy"}, "deployment"},
	{appsv1.SchemeGroupVersion, "replicasets", &appsv1.ReplicaSet{}, namespaced, []string{"rs"}, ""},
	{appsv1.SchemeGroupVersion, "statefulsets", &appsv1.StatefulSet{}, namespaced, []string{"sts"}, "statefulset"},
	{appsv1.SchemeGroupVersion, "daemonsets", &appsv1.DaemonSet{}, namespaced, []string{"ds"}, "daemonset"},
	{appsv1.SchemeGroupVersion, "controllerrevisions", &appsv1.ControllerRevision{}, namespaced, nil, ""},
	{batchv1.SchemeGroupVersion, "jobs", &batchv1.Job{}, namespaced, nil, "job"},
	{batchv1.SchemeGroupVersion, "cronjobs", &batchv1.CronJob{}, namespaced, []string{"cj"}, "cronjob"},
	{autoscalingv2.SchemeGroupVersion, "horizontalpodautoscalers", &autoscalingv2.HorizontalPodAutoscaler{}, namespaced, []string{"hpa"}, "hpa"},
	{policyv1.SchemeGroupVersion, "poddisruptionbudgets", &policyv1.PodDisruptionBudget{}, namespaced, []string{"pdb"}, "pdb"},
	{coordinationv1.SchemeGroupVersion, "leases", &coordinationv1.Lease{}, namespaced, nil, "lease"},
	{discoveryv1.SchemeGroupVersion, "endpointslices", &discoveryv1.EndpointSlice{}, namespaced, nil, ""},
	{networkingv1.SchemeGroupVersion, "networkpolicies", &networkingv1.NetworkPolicy{}, namespaced, []string{"netpol"}, ""},
	{networkingv1.SchemeGroupVersion, "ingresses", &networkingv1.Ingress{}, namespaced, []string{"ing"}, ""},
	{networkingv1.SchemeGroupVersion, "ingressclasses", &networkingv1.IngressClass{}, clusterScoped, nil, ""},
	{networkingv1.SchemeGroupVersion, "ipaddresses", &networkingv1.IPAddress{}, clusterScoped, []string{"ip"}, ""},
	{networkingv1.SchemeGroupVersion, "servicecidrs", &networkingv1.ServiceCIDR{}, clusterScoped, nil, ""},
	{rbacv1.SchemeGroupVersion, "roles", &rbacv1.Role{}, namespaced, nil, ""},
	{rbacv1.SchemeGroupVersion, "rolebindings", &rbacv1.RoleBinding{}, namespaced, nil, ""},
	{rbacv1.SchemeGroupVersion, "clusterroles", &rbacv1.ClusterRole{}, clusterScoped, nil, ""},
	{rbacv1.SchemeGroupVersion, "clusterrolebindings", &rbacv1.ClusterRoleBinding{}, clusterScoped, nil, ""},
	{schedulingv1.SchemeGroupVersion, "priorityclasses", &schedulingv1.PriorityClass{}, clusterScoped, []string{"pc"}, ""},
	{storagev1.SchemeGroupVersion, "storageclasses", &storagev1.StorageClass{}, clusterScoped, []string{"sc"}, ""},
	{storagev1.SchemeGroupVersion, "volumeattachments", &storagev1.VolumeAttachment{}, clusterScoped, nil, ""},
	{storagev1.SchemeGroupVersion, "volumeattributesclasses", &storagev1.VolumeAttributesClass{}, clusterScoped, []string{"vac"}, ""},
	{storagev1.SchemeGroupVersion, "csidrivers", &storagev1.CSIDriver{}, clusterScoped, nil, ""},
	{storagev1.SchemeGroupVersion, "csinodes", &storagev1.CSINode{}, clusterScoped, nil, ""},
	{storagev1.SchemeGroupVersion, "csistoragecapacities", &storagev1.CSIStorageCapacity{}, namespaced, nil, ""},
	{certificatesv1.SchemeGroupVersion, "certificatesigningrequests", &certificatesv1.CertificateSigningRequest{}, clusterScoped, []string{"csr"}, ""},
	{admissionregistrationv1.SchemeGroupVersion, "mutatingwebhookconfigurations", &admissionregistrationv1.MutatingWebhookConfiguration{}, clusterScoped, nil, ""},
	{admissionregistrationv1.SchemeGroupVersion, "validatingwebhookconfigurations", &admissionregistrationv1.ValidatingWebhookConfiguration{}, clusterScoped, nil, ""},
	{admissionregistrationv1.SchemeGroupVersion, "validatingadmissionpolicies", &admissionregistrationv1.ValidatingAdmissionPolicy{}, clusterScoped, nil, ""},
	{admissionregistrationv1.SchemeGroupVersion, "validatingadmissionpolicybindings", &admissionregistrationv1.ValidatingAdmissionPolicyBinding{}, clusterScoped, nil, ""},
	{admissionregistrationv1.SchemeGroupVersion, "mutatingadmissionpolicies", &admissionregistrationv1.MutatingAdmissionPolicy{}, clusterScoped, nil, ""},
	{admissionregistrationv1.SchemeGroupVersion, "mutatingadmissionpolicybindings", &admissionregistrationv1.MutatingAdmissionPolicyBinding{}, clusterScoped, nil, ""},
	{resourcev1.SchemeGroupVersion, "deviceclasses", &resourcev1.DeviceClass{}, clusterScoped, nil, ""},
	{resourcev1.SchemeGroupVersion, "resourceclaims", &resourcev1.ResourceClaim{}, namespaced, nil, ""},
	{resourcev1.SchemeGroupVersion, "resourceclaimtemplates", &resourcev1.ResourceClaimTemplate{}, namespaced, nil, ""},
	{resourcev1.SchemeGroupVersion, "resourceslices", &resourcev1.ResourceSlice{}, clusterScoped, nil, ""},
	{nodev1.SchemeGroupVersion, "runtimeclasses", &nodev1.RuntimeClass{}, clusterScoped, nil, ""},
	{flowcontrolv1.SchemeGroupVersion, "flowschemas", &flowcontrolv1.FlowSchema{}, clusterScoped, nil, ""},
	{flowcontrolv1.SchemeGroupVersion, "prioritylevelconfigurations", &flowcontrolv1.PriorityLevelConfiguration{}, clusterScoped, nil, ""},
}

// Kind is what a kind is called.
type Kind struct {
	Resource   schema.GroupVersionResource
	Kind       string
	ShortNames []string
	Namespaced bool
}

// Kinds lists the kinds that conditions know.
func Kinds() []Kind {
	var all []Kind
	for _, k := range kinds {
		all = append(all, Kind{k.WithResource(k.resource), k.goType().Name(), k.names, bool(k.scope)})
	}
	return all
}

// kindsByName finds a kind under every name that kubectl takes, in lower case.
var kindsByName = func() map[string]*kind {
	names := map[string]*kind{}
	for _, k := range kinds {
		for _, name := range append([]string{k.resource, k.singular(), k.groupResource().String()}, k.names...) {
			names[name] = k
		}
	}
	return names
}()

// goType is the struct type of the kind's objects.
func (k *kind) goType() reflect.Type { return reflect.TypeOf(k.object).Elem() }

// singular is the kind in lower case, as in kubectl's messages: deployment.
func (k *kind) singular() string { return strings.ToLower(k.goType().Name()) }

func (k *kind) groupResource() schema.GroupResource {
	return schema.GroupResource{Group: k.Group, Resource: k.resource}
}

// describe names an object in a message: deployment default/web, node node-1.
func (k *kind) describe(namespace, name string) string {
	if namespace == "" {
		return k.singular() + " " + name
	}
	return k.singular() + " " + namespace + "/" + name
}

// lookupKind finds a kind by its singular, plural or short name, in any case: Deployment, deployments,
// deploy, deployments.apps.
func lookupKind(name string) (*kind, error) {
	if k, ok := kindsByName[strings.ToLower(name)]; ok {
		return k, nil
	}
	candidates := make([]string, 0, 2*len(kinds))
	for _, k := range kinds {
		candidates = append(candidates, k.singular(), k.resource)
	}
	return nil, fmt.Errorf("there is no kind %s%s", quote(name), didYouMean(name, candidates))
}
