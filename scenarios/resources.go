package scenarios

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/scenarios/spelling"
)

// apiResource is one row of what "kubectl api-resources" prints.
type apiResource struct {
	plural     string
	shortNames string // separated by blanks
	group      string
	version    string
	kind       string
	namespaced bool
}

// apiResources are the stored kinds that an API server of v1.36 serves by default and client-go has
// types for. Where a kind is served in several versions the preferred one comes first; a name that
// two groups share, such as events, means the first.
var apiResources = []apiResource{
	{"configmaps", "cm", "", "v1", "ConfigMap", true},
	{"endpoints", "ep", "", "v1", "Endpoints", true},
	{"events", "ev", "", "v1", "Event", true},
	{"limitranges", "limits", "", "v1", "LimitRange", true},
	{"namespaces", "ns", "", "v1", "Namespace", false},
	{"nodes", "no", "", "v1", "Node", false},
	{"persistentvolumeclaims", "pvc", "", "v1", "PersistentVolumeClaim", true},
	{"persistentvolumes", "pv", "", "v1", "PersistentVolume", false},
	{"pods", "po", "", "v1", "Pod", true},
	{"podtemplates", "", "", "v1", "PodTemplate", true},
	{"replicationcontrollers", "rc", "", "v1", "ReplicationController", true},
	{"resourcequotas", "quota", "", "v1", "ResourceQuota", true},
	{"secrets", "", "", "v1", "Secret", true},
	{"serviceaccounts", "sa", "", "v1", "ServiceAccount", true},
	{"services", "svc", "", "v1", "Service", true},
	{"mutatingadmissionpolicies", "", "admissionregistration.k8s.io", "v1",
		"MutatingAdmissionPolicy", false},
	{"mutatingadmissionpolicybindings", "", "admissionregistration.k8s.io", "v1",
		"MutatingAdmissionPolicyBinding", false},
	{"mutatingwebhookconfigurations", "", "admissionregistration.k8s.io", "v1",
		"MutatingWebhookConfiguration", false},
	{"validatingadmissionpolicies", "", "admissionregistration.k8s.io", "v1",
		"ValidatingAdmissionPolicy", false},
	{"validatingadmissionpolicybindings", "", "admissionregistration.k8s.io", "v1",
		"ValidatingAdmissionPolicyBinding", false},
	{"validatingwebhookconfigurations", "", "admissionregistration.k8s.io", "v1",
		"ValidatingWebhookConfiguration", false},
	{"controllerrevisions", "", "apps", "v1", "ControllerRevision", true},
	{"daemonsets", "ds", "apps", "v1", "DaemonSet", true},
	{"deployments", "deploy", "apps", "v1", "Deployment", true},
	{"replicasets", "rs", "apps", "v1", "ReplicaSet", true},
	{"statefulsets", "sts", "apps", "v1", "StatefulSet", true},
	{"horizontalpodautoscalers", "hpa", "autoscaling", "v2", "HorizontalPodAutoscaler", true},
	{"horizontalpodautoscalers", "hpa", "autoscaling", "v1", "HorizontalPodAutoscaler", true},
	{"cronjobs", "cj", "batch", "v1", "CronJob", true},
	{"jobs", "", "batch", "v1", "Job", true},
	{"certificatesigningrequests", "csr", "certificates.k8s.io", "v1",
		"CertificateSigningRequest", false},
	{"leases", "", "coordination.k8s.io", "v1", "Lease", true},
	{"endpointslices", "", "discovery.k8s.io", "v1", "EndpointSlice", true},
	{"events", "ev", "events.k8s.io", "v1", "Event", true},
	{"flowschemas", "", "flowcontrol.apiserver.k8s.io", "v1", "FlowSchema", false},
	{"prioritylevelconfigurations", "", "flowcontrol.apiserver.k8s.io", "v1",
		"PriorityLevelConfiguration", false},
	{"ingressclasses", "", "networking.k8s.io", "v1", "IngressClass", false},
	{"ingresses", "ing", "networking.k8s.io", "v1", "Ingress", true},
	{"ipaddresses", "ip", "networking.k8s.io", "v1", "IPAddress", false},
	{"networkpolicies", "netpol", "networking.k8s.io", "v1", "NetworkPolicy", true},
	{"servicecidrs", "", "networking.k8s.io", "v1", "ServiceCIDR", false},
	{"runtimeclasses", "", "node.k8s.io", "v1", "RuntimeClass", false},
	{"poddisruptionbudgets", "pdb", "policy", "v1", "PodDisruptionBudget", true},
	{"clusterrolebindings", "", "rbac.authorization.k8s.io", "v1", "ClusterRoleBinding", false},
	{"clusterroles", "", "rbac.authorization.k8s.io", "v1", "ClusterRole", false},
	{"rolebindings", "", "rbac.authorization.k8s.io", "v1", "RoleBinding", true},
	{"roles", "", "rbac.authorization.k8s.io", "v1", "Role", true},
	{"deviceclasses", "", "resource.k8s.io", "v1", "DeviceClass", false},
	{"resourceclaims", "", "resource.k8s.io", "v1", "ResourceClaim", true},
	{"resourceclaimtemplates", "", "resource.k8s.io", "v1", "ResourceClaimTemplate", true},
	{"resourceslices", "", "resource.k8s.io", "v1", "ResourceSlice", false},
	{"priorityclasses", "pc", "scheduling.k8s.io", "v1", "PriorityClass", false},
	{"csidrivers", "", "storage.k8s.io", "v1", "CSIDriver", false},
	{"csinodes", "", "storage.k8s.io", "v1", "CSINode", false},
	{"csistoragecapacities", "", "storage.k8s.io", "v1", "CSIStorageCapacity", true},
	{"storageclasses", "sc", "storage.k8s.io", "v1", "StorageClass", false},
	{"volumeattachments", "", "storage.k8s.io", "v1", "VolumeAttachment", false},
	{"volumeattributesclasses", "vac", "storage.k8s.io", "v1", "VolumeAttributesClass", false},
}

func (r apiResource) names() []string {
	return append([]string{r.plural, strings.ToLower(r.kind)}, strings.Fields(r.shortNames)...)
}

// ResolveResource finds a kind by any of its names, in any case: deployment, Deployments, deploy
// and deployments.apps are all apps/v1 deployments.
func ResolveResource(name string) (
	gvr schema.GroupVersionResource, kind string, namespaced, ok bool) {
	name, group, qualified := strings.Cut(strings.ToLower(name), ".")
	for _, r := range apiResources {
		if qualified && group != r.group {
			continue
		}
		for _, known := range r.names() {
			if known == name {
				gvr = schema.GroupVersionResource{Group: r.group, Version: r.version, Resource: r.plural}
				return gvr, r.kind, r.namespaced, true
			}
		}
	}
	return schema.GroupVersionResource{}, "", false, false
}

// nearestResource is the name that was probably meant by an unknown one, or "".
func nearestResource(name string) string {
	var known []string
	for _, r := range apiResources {
		known = append(known, r.names()...)
	}
	return spelling.Nearest(name, known)
}

// Serves tells whether the API server serves manifests of this version and kind.
func Serves(gvk schema.GroupVersionKind) bool {
	for _, r := range apiResources {
		if r.group == gvk.Group && r.version == gvk.Version && r.kind == gvk.Kind {
			return true
		}
	}
	return false
}

// kindTry says what to write instead of a version and kind that are not served.
func kindTry(gvk schema.GroupVersionKind) string {
	var kinds []string
	for _, r := range apiResources {
		if r.kind == gvk.Kind {
			version := schema.GroupVersion{Group: r.group, Version: r.version}
			return "apiVersion: " + version.String()
		}
		kinds = append(kinds, r.kind)
	}
	if near := spelling.Nearest(gvk.Kind, kinds); near != "" {
		return "kind: " + near
	}
	return "a built-in kind such as Deployment; custom resources are not simulated"
}
