package relation

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

var services = corev1.Resource("services")

var ofServices = []Relation{
	{
		Name: "cluster-ip-used-once", Of: of(services, ""),
		Sentence:  "Two Services do not have the same cluster IP.",
		Reference: "https://kubernetes.io/docs/concepts/services-networking/cluster-ip-allocation/",
		broken: func(v *View, object runtime.Object) *Breach {
			return usedTwice(v, object.(*corev1.Service), "cluster-ip-used-once", "the cluster IP ", clusterIPs)
		},
	},
	{
		Name: "node-port-used-once", Of: of(services, ""),
		Sentence:  "Two Services do not have the same node port of a protocol.",
		Reference: "https://kubernetes.io/docs/concepts/services-networking/service/#type-nodeport",
		broken: func(v *View, object runtime.Object) *Breach {
			return usedTwice(v, object.(*corev1.Service), "node-port-used-once", "the node port ", nodePorts)
		},
	},
}

// usedTwice says that a Service has a value that another one has as well.
func usedTwice(v *View, service *corev1.Service, relation, what string, values func(*corev1.Service) []string) *Breach {
	for _, value := range values(service) {
		others := v.others(relation, value, keyOf(service), func(use func(value, name string)) {
			for _, object := range v.in(services, "") {
				other := object.(*corev1.Service)
				for _, value := range values(other) {
					use(value, keyOf(other))
				}
			}
		})
		if len(others) > 0 {
			slices.Sort(others)
			return broken("it has %s%s, and so does Service %s", what, value, others[0])
		}
	}
	return nil
}

// clusterIPs are those of a Service, without the word None.
func clusterIPs(service *corev1.Service) []string {
	return slices.DeleteFunc(slices.Clone(service.Spec.ClusterIPs), func(ip string) bool { return ip == "" || ip == corev1.ClusterIPNone })
}

func nodePorts(service *corev1.Service) []string {
	var ports []string
	for _, port := range service.Spec.Ports {
		if port.NodePort != 0 {
			ports = append(ports, fmt.Sprintf("%d/%s", port.NodePort, port.Protocol))
		}
	}
	return ports
}
