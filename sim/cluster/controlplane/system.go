package controlplane

import (
	"context"
	"fmt"
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/apis/flowcontrol/bootstrap"
	"k8s.io/client-go/kubernetes"
	registrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	registrationhelper "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1/helper"
	"k8s.io/kube-aggregator/pkg/controllers/autoregister"
	controlplaneapiserver "k8s.io/kubernetes/pkg/controlplane/apiserver"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/apiserver"
)

// createFlowControl creates the FlowSchemas and PriorityLevelConfigurations of every new cluster, as upstream's post-start hook
// priority-and-fairness-config-producer does.
func createFlowControl(ctx context.Context, client kubernetes.Interface) error {
	flow := client.FlowcontrolV1()
	for _, level := range slices.Concat(bootstrap.MandatoryPriorityLevelConfigurations, bootstrap.SuggestedPriorityLevelConfigurations) {
		if _, err := flow.PriorityLevelConfigurations().Create(ctx, level, metav1.CreateOptions{}); wasRefused(err) {
			return fmt.Errorf("PriorityLevelConfiguration %s: %w", level.Name, err)
		}
	}
	for _, rule := range slices.Concat(bootstrap.MandatoryFlowSchemas, bootstrap.SuggestedFlowSchemas) {
		if _, err := flow.FlowSchemas().Create(ctx, rule, metav1.CreateOptions{}); wasRefused(err) {
			return fmt.Errorf("FlowSchema %s: %w", rule.Name, err)
		}
	}
	return nil
}

// kubeGroups are the priorities of the groups that only kube-apiserver has, and not every API server that is built from its parts: those
// of apiVersionPriorities in cmd/kube-apiserver/app, which is not exported. A version that is missing here has the lowest priority.
var kubeGroups = map[schema.GroupVersion]controlplaneapiserver.APIServicePriority{
	{Group: "apps", Version: "v1"}:                   {Group: 17800, Version: 15},
	{Group: "autoscaling", Version: "v1"}:            {Group: 17500, Version: 15},
	{Group: "autoscaling", Version: "v2"}:            {Group: 17500, Version: 30},
	{Group: "batch", Version: "v1"}:                  {Group: 17400, Version: 15},
	{Group: "networking.k8s.io", Version: "v1"}:      {Group: 17200, Version: 15},
	{Group: "policy", Version: "v1"}:                 {Group: 17100, Version: 15},
	{Group: "storage.k8s.io", Version: "v1"}:         {Group: 16800, Version: 15},
	{Group: "scheduling.k8s.io", Version: "v1"}:      {Group: 16600, Version: 15},
	{Group: "node.k8s.io", Version: "v1"}:            {Group: 16300, Version: 15},
	{Group: "resource.k8s.io", Version: "v1"}:        {Group: 16200, Version: 21},
	{Group: "scheduling.k8s.io", Version: "v1beta1"}: {Group: 16600, Version: 9},
}

// createAPIServices registers the groups of the server itself, as upstream's autoregister controller does when a server starts, with the
// condition that its controller for local APIServices writes.
func createAPIServices(s *sim.Simulation) error {
	priorities := controlplaneapiserver.DefaultGenericAPIServicePriorities()
	maps.Copy(priorities, kubeGroups)
	var done []schema.GroupVersion
	for _, resource := range s.Server.Resources() {
		version := resource.GroupVersion()
		if slices.Contains(done, version) || version.Group == registrationv1.GroupName {
			continue
		}
		done = append(done, version)
		if err := createAPIService(s, version, priorities); err != nil {
			return fmt.Errorf("APIService %s.%s: %w", version.Version, version.Group, err)
		}
	}
	return nil
}

// onStart is the value of the label of APIServices that are made once (manageOnStart in package autoregister).
const onStart = "onstart"

func createAPIService(
	s *sim.Simulation, version schema.GroupVersion, priorities map[schema.GroupVersion]controlplaneapiserver.APIServicePriority,
) error {
	priority, ok := priorities[version]
	if !ok {
		priority = controlplaneapiserver.APIServicePriority{Group: 1, Version: 1}
	}
	service := &registrationv1.APIService{
		ObjectMeta: metav1.ObjectMeta{
			Name: version.Version + "." + version.Group, Labels: map[string]string{autoregister.AutoRegisterManagedLabel: onStart},
		},
		Spec: registrationv1.APIServiceSpec{
			Group: version.Group, Version: version.Version, GroupPriorityMinimum: priority.Group, VersionPriority: priority.Version,
		},
	}
	request := apiserver.Request{
		Actor: apiserver.Self, Verb: "create", Resource: registrationv1.SchemeGroupVersion.WithResource("apiservices"), Object: service,
	}
	created, err := s.Execute(request, 0, true)
	if err != nil {
		if wasRefused(err) {
			return err
		}
		return nil
	}
	available := created.DeepCopyObject().(*registrationv1.APIService)
	registrationhelper.SetAPIServiceCondition(available, registrationhelper.NewLocalAvailableAPIServiceCondition())
	request.Verb, request.Name, request.Subresource, request.Object = "update", available.Name, "status", available
	_, err = s.Execute(request, 0, true)
	return err
}
