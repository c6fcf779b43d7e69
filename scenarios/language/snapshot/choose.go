package snapshot

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/kubernetes/pkg/controlplane/controller/defaultservicecidr"
	"k8s.io/kubernetes/pkg/registry/core/service/ipallocator"
)

// systemNamespaces hold the cluster's own machinery, which the simulation does not run.
var systemNamespaces = []string{metav1.NamespaceSystem, metav1.NamespacePublic, corev1.NamespaceNodeLease}

// choose keeps the objects that a scenario can begin with.
func (s *snapshot) choose(all []*unstructured.Unstructured) {
	left := map[string]counts{}
	leave := func(why, what string) {
		if left[why] == nil {
			left[why] = counts{}
		}
		left[why][what]++
	}
	system := !slices.ContainsFunc(all, func(o *unstructured.Unstructured) bool {
		return o.GetNamespace() != "" && !slices.Contains(systemNamespaces, o.GetNamespace())
	})
	for _, o := range all {
		gvk := o.GroupVersionKind()
		switch {
		case gvk.Kind == "Event":
			s.events.add(o)
		case o.GetNamespace() != "" && len(s.options.Namespaces) > 0 && !slices.Contains(s.options.Namespaces, o.GetNamespace()):
			leave("in another namespace than "+strings.Join(s.options.Namespaces, ", "), gvk.Kind)
		case len(s.options.Namespaces) == 0 && !system && slices.Contains(systemNamespaces, o.GetNamespace()):
			leave("in "+o.GetNamespace(), gvk.Kind)
		case gvk.Kind == "Lease":
			leave("renewed by the components of the simulation", gvk.Kind)
		case isBuiltIn(o):
			leave("exists in every cluster, including the simulation", gvk.Kind)
		case s.kinds.Serving(gvk) == nil:
			leave("not simulated", gvk.Kind+"."+gvk.Group)
		default:
			s.keep(o)
		}
	}
	for _, why := range sortedKeys(left) {
		s.report.Omitted = append(s.report.Omitted, fmt.Sprintf("%s: %s", why, left[why]))
	}
}

// isBuiltIn recognizes what kube-apiserver makes itself: an IPAddress is made again with its Service.
func isBuiltIn(o *unstructured.Unstructured) bool {
	switch o.GetKind() {
	case "Namespace":
		return o.GetName() == metav1.NamespaceDefault || slices.Contains(systemNamespaces, o.GetName())
	case "PriorityClass":
		return strings.HasPrefix(o.GetName(), "system-")
	case "ServiceCIDR":
		return o.GetName() == defaultservicecidr.DefaultServiceCIDRName
	case "IPAddress":
		return o.GetLabels()[networkingv1.LabelManagedBy] == ipallocator.ControllerName
	case "Service", "Endpoints", "EndpointSlice":
		return o.GetNamespace() == metav1.NamespaceDefault && o.GetName() == "kubernetes"
	}
	return false
}

// keep adds an object. Of two versions of one object the newer one stays.
func (s *snapshot) keep(o *unstructured.Unstructured) {
	key := title(o)
	before, again := s.byTitle[key]
	if !again {
		s.byTitle[key] = o
		s.objects = append(s.objects, o)
		return
	}
	if version(o) > version(before) {
		s.byTitle[key] = o
		s.objects[slices.Index(s.objects, before)] = o
	}
	s.report.Omitted = append(s.report.Omitted, fmt.Sprintf("duplicate, the older one: %s", key))
}

// version orders the versions of one object; an object without one is older than all.
func version(o *unstructured.Unstructured) uint64 {
	n, _ := strconv.ParseUint(o.GetResourceVersion(), 10, 64)
	return n
}
