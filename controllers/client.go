package controllers

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	componentconfig "k8s.io/component-base/config"
	"k8s.io/controller-manager/pkg/clientbuilder"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/network"
	"github.com/kubestep/kubestep/sim/trace"
)

// clientBuilder gives each controller clients of the simulation. A controller requests its client under a name such as
// daemon-set-controller; in the trace it has its canonical name (daemonset-controller), with which its goroutine is
// tagged while it is built.
type clientBuilder struct {
	sim *sim.Simulation
	// connection has the encodings that the manager's clients prefer.
	connection componentconfig.ClientConnectionConfiguration
	// limit is whose rate limit the clients have; empty for that of their own actor.
	limit string
	// program is the process that has the clients: the default manager of the fields that they write.
	program string
	// rootCA is the certificate of the cluster's root, in PEM.
	rootCA []byte
}

// tokenClient is what the token controller calls its client, and the config in which it looks for the root
// certificate.
const tokenClient = "tokens-controller"

// rootReaders are the names of clients from whose config the constructors read the root certificate, to publish it. A
// config with a RoundTripper must have none.
var rootReaders = []string{tokenClient, "root-ca-cert-publisher"}

var _ clientbuilder.ControllerClientBuilder = clientBuilder{}

// unlimited is the QPS that disables client-go's limit: the gate of the simulation limits instead.
const unlimited = -1

var kubeControllerManager = &user.DefaultInfo{Name: user.KubeControllerManager, Groups: []string{user.AllAuthenticated}}

// identify makes the actor of a client the user that it is with useServiceAccountCredentials, as kubeadm configures
// kube-controller-manager: each controller has the service account of its client's name. The informers and the token controller, which
// makes the tokens of service accounts, are kube-controller-manager itself (rootClientBuilder in cmd/kube-controller-manager/app).
func (b clientBuilder) identify(name string) {
	switch name {
	case trace.SchedulerActor:
		b.sim.Identify(b.actor(name), &user.DefaultInfo{Name: user.KubeScheduler, Groups: []string{user.AllAuthenticated}}, b.program)
	case trace.InformerActor, trace.MetadataActor:
		b.sim.Identify(name, kubeControllerManager, b.program)
	case tokenClient:
		b.sim.Identify(b.actor(name), kubeControllerManager, b.program)
	default:
		b.sim.Identify(b.actor(name), serviceaccount.UserInfo(metav1.NamespaceSystem, name, ""), b.program)
	}
}

// Config implements clientbuilder.ControllerClientBuilder.
func (b clientBuilder) Config(name string) (*rest.Config, error) {
	b.identify(name)
	config := &rest.Config{
		Host: network.Host, Transport: b.sim.RoundTripper(b.actor(name)), QPS: unlimited,
		UserAgent: b.agent() + "/" + name,
		ContentConfig: rest.ContentConfig{
			AcceptContentTypes: b.connection.AcceptContentTypes, ContentType: b.connection.ContentType,
		},
	}
	if slices.Contains(rootReaders, name) {
		config.CAData = b.rootCA
	}
	return config, nil
}

// agent begins the User-Agent, and so manages the fields that an HTTP client writes.
func (b clientBuilder) agent() string {
	if b.sim.Server.ManagesFields() {
		return b.program
	}
	return "kubestep"
}

// ConfigOrDie implements clientbuilder.ControllerClientBuilder.
func (b clientBuilder) ConfigOrDie(name string) *rest.Config {
	config, err := b.Config(name)
	if err != nil {
		panic(err)
	}
	return config
}

// Client implements clientbuilder.ControllerClientBuilder.
func (b clientBuilder) Client(name string) (kubernetes.Interface, error) {
	config, err := b.Config(name)
	if err != nil {
		return nil, err
	}
	config.CAData = nil
	wired := sync.OnceValue(func() kubernetes.Interface {
		return kubernetes.NewForConfigOrDie(config)
	})
	actor := b.actor(name)
	transport := b.sim.TransportLimitedAs(actor, cmp.Or(b.limit, actor))
	if sortsEndpoints(b.actor(name)) {
		transport = sortedEndpoints{transport}
	}
	return apiserver.NewClientset(transport, wired), nil
}

// ClientOrDie implements clientbuilder.ControllerClientBuilder.
func (b clientBuilder) ClientOrDie(name string) kubernetes.Interface {
	out, err := b.Client(name)
	if err != nil {
		panic(err)
	}
	return out
}

// DiscoveryClient implements clientbuilder.ControllerClientBuilder.
func (b clientBuilder) DiscoveryClient(name string) (discovery.DiscoveryInterface, error) {
	config, err := b.Config(name)
	if err != nil {
		return nil, err
	}
	out, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("discovery client %q: %w", name, err)
	}
	return out, nil
}

// DiscoveryClientOrDie implements clientbuilder.ControllerClientBuilder.
func (b clientBuilder) DiscoveryClientOrDie(name string) discovery.DiscoveryInterface {
	out, err := b.DiscoveryClient(name)
	if err != nil {
		panic(err)
	}
	return out
}

// actor is the name in the trace of a client that is requested as name.
func (b clientBuilder) actor(name string) string {
	if name == trace.InformerActor || name == trace.MetadataActor {
		return name
	}
	if activity := b.sim.Activities.Current(); activity != nil {
		return activity.Actor
	}
	return name
}
