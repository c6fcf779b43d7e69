// Descheduler runs the descheduler of kubernetes-sigs as it is, with leader election.
//
//	descheduler POLICY INTERVAL
package main

import (
	"context"
	"net/http"
	"os"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/descheduler/cmd/descheduler/app/options"
	"sigs.k8s.io/descheduler/pkg/descheduler"
	"sigs.k8s.io/descheduler/pkg/features"
	"sigs.k8s.io/descheduler/pkg/framework/pluginregistry"

	"github.com/kubestep/kubestep/controllers/external/ctrlmain"
)

func main() { ctrlmain.Main(run) }

// run does what the descheduler's main does, except that its metrics are not served.
func run(ctx context.Context, transport http.RoundTripper) error {
	server, err := options.NewDeschedulerServer()
	if err != nil {
		return err
	}
	server.DefaultFeatureGates = features.DefaultMutableFeatureGate
	server.LeaderElection.LeaderElect = true
	if server.DeschedulingInterval, err = time.ParseDuration(os.Args[2]); err != nil {
		return err
	}
	if server.Client, err = kubernetes.NewForConfig(&rest.Config{Host: ctrlmain.Host, Transport: transport}); err != nil {
		return err
	}
	server.EventClient = server.Client
	descheduler.SetupPlugins()
	policy, err := descheduler.LoadPolicyConfig(os.Args[1], server.Client, pluginregistry.PluginRegistry)
	if err != nil {
		return err
	}
	work := func() error { return descheduler.RunDeschedulerStrategies(ctx, server, policy, "v1") }
	return descheduler.NewLeaderElection(work, server.Client, &server.LeaderElection, ctx)
}
