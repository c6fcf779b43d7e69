package controlplane_test

import (
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	registrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	registrationhelper "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1/helper"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/cluster/controlplane"
	"github.com/kubestep/kubestep/sim/engine"
)

// TestSystemObjects: a cluster has the FlowSchemas and PriorityLevelConfigurations that kube-apiserver v1.36.3 was measured to make, and
// an APIService for each group version that it serves, with a priority. Without the option, it has none of them.
func TestSystemObjects(t *testing.T) {
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, on := range []bool{true, false} {
		if err := engine.Bubble(begin, func() {
			s, err := sim.New(sim.Options{Seed: 1, Server: apiserver.Options{SystemObjects: on}})
			if err != nil {
				t.Error(err)
				return
			}
			defer s.End()
			if err := controlplane.Start(s); err != nil {
				t.Error(err)
				return
			}
			count := func(group, resource string) int {
				return len(s.State.List(schema.GroupResource{Group: group, Resource: resource}, ""))
			}
			const flow = "flowcontrol.apiserver.k8s.io"
			schemas, levels := count(flow, "flowschemas"), count(flow, "prioritylevelconfigurations")
			services := s.State.List(schema.GroupResource{Group: registrationv1.GroupName, Resource: "apiservices"}, "")
			if !on {
				if schemas+levels+len(services) > 0 {
					t.Errorf("off: %d, %d, %d", schemas, levels, len(services))
				}
				return
			}
			if schemas != 11 || levels != 8 {
				t.Errorf("%d FlowSchemas and %d PriorityLevelConfigurations, want 11 and 8", schemas, levels)
			}
			served := map[schema.GroupVersion]bool{}
			for _, resource := range s.Server.Resources() {
				served[resource.GroupVersion()] = resource.Group != registrationv1.GroupName
			}
			for _, object := range services {
				service := object.(*registrationv1.APIService)
				version := schema.GroupVersion{Group: service.Spec.Group, Version: service.Spec.Version}
				if !served[version] || service.Spec.GroupPriorityMinimum == 1 {
					t.Errorf("%s has the priority %d: kubeGroups has no row for it, or it is not served", version, service.Spec.GroupPriorityMinimum)
				}
				if !registrationhelper.IsAPIServiceConditionTrue(service, registrationv1.Available) {
					t.Errorf("%s is not available", version)
				}
				delete(served, version)
			}
			for version, own := range served {
				if own {
					t.Errorf("%s has no APIService", version)
				}
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
}
