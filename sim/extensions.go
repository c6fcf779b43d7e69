package sim

import (
	"context"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/engine/activity"
	"github.com/kubestep/kubestep/sim/network"
	"github.com/kubestep/kubestep/sim/observe/syncs"
)

// runExtensions runs the controllers of apiextensions-apiserver, which establish and finalize CustomResourceDefinitions,
// until ctx ends. They are a part of kube-apiserver, whose requests to itself have no rate limit.
func runExtensions(ctx context.Context, n *network.Network) {
	front, err := n.Front()
	if err != nil {
		panic("sim: building the HTTP interface: " + err.Error())
	}
	n.Activities.Enter(&activity.Activity{Actor: apiserver.Self})
	defer n.Activities.Leave()
	n.LimitTo(apiserver.Self, 0, 0)
	front.RunExtensions(ctx, n.RoundTripper(apiserver.Self))
}

// extensionQueues keeps the trace free of syncs that do nothing: each of these controllers has every definition in its queue
// whenever one changes, and every five minutes. Those of the first group do nothing about a valid definition, or send no
// requests.
var extensionQueues = map[string]syncs.Traits{
	"DiscoveryController":                                     {Relay: true},
	"crd_openapi_controller":                                  {Relay: true},
	"crd_openapi_v3_controller":                               {Relay: true},
	"non_structural_schema_condition_controller":              {Relay: true},
	"kubernetes_api_approval_conformant_condition_controller": {Relay: true},

	// It configures API Priority and Fairness.
	"priority_and_fairness_config_queue": {Relay: true},
	// Upstream's kubelet has no other work queue: this one is for the logs of its containers.
	"kubelet_log_rotate_manager": {Relay: true},

	"crd_naming_condition_controller": {KeyFromRequest: true},
	"crdEstablishing":                 {KeyFromRequest: true},
	"crd_finalizer":                   {KeyFromRequest: true},
}
