package simtest

import (
	"fmt"
	"io"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"
	basecompatibility "k8s.io/component-base/compatibility"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/apiserver/authorization"
	"github.com/kubestep/kubestep/sim/apiserver/emulation"
	"github.com/kubestep/kubestep/sim/apiserver/token"
	"github.com/kubestep/kubestep/sim/cluster/bubble"
	"github.com/kubestep/kubestep/sim/network"
	"github.com/kubestep/kubestep/sim/trace"
)

// Options describe a control plane. The zero value is an API server alone, with seed 0.
type Options struct {
	// Seed decides latencies, generated names and uids, and which of two things that could happen at once is first.
	Seed uint64
	// Date is the date at which the test begins; the zero value means January 1, 2026, UTC.
	Date time.Time
	// Request and Watch are the latencies of requests and of watch events; the zero values mean up to 2ms and 4ms.
	Request, Watch Latency
	// Server configures the API server.
	Server Server
	// Objects are in the store from the start, as they are, with their uids and status. A custom resource needs its definition
	// among them.
	Objects []runtime.Object
	// Nodes is the number of nodes, node-1 to node-N. They are ready, and their Pods become ready after a second.
	Nodes int
	// Faults are in effect from the start, with times that count from there. Start refuses one with a verb or a
	// resource that does not exist. The test's log says which of them were never applied, and why.
	Faults []Fault
	// Components run beside the API server.
	Components []Component
	// Limit is the virtual time after which the test fails, so that one that waits for something that never happens
	// ends; 0 means DefaultLimit.
	Limit time.Duration
	// Trace receives the trace as lines of JSON, as kubestep run --trace-out writes it, for kubestep open; nil means none. An error
	// of it is ignored. It must not wait for anything but a file.
	Trace io.Writer
}

// Latency is a time that the seed draws, both ends included.
type Latency struct{ Min, Max time.Duration }

// Server configures the API server. Each field is named after the flag of kube-apiserver that it stands for.
type Server struct {
	// Admission lists the admission plugins that run on every write. Nil means DefaultAdmission; with Nodes, TaintNodesByCondition
	// is not among them.
	Admission []string
	// AdmissionConfig has the configuration of plugins (--admission-control-config-file); nil means that of none.
	AdmissionConfig admission.ConfigProvider
	// Authorization is a mode of --authorization-mode: AlwaysAllow, which is the default, or RBAC.
	Authorization string
	// RuntimeConfig serves more or fewer versions and resources than the default (--runtime-config): policy/v1=false.
	RuntimeConfig map[string]string
	// EmulatedVersion is the version of Kubernetes whose kinds are served (--emulated-version); nil means that of the libraries.
	EmulatedVersion basecompatibility.EffectiveVersion
	// ServiceSubnet is the range of cluster IPs, or one for each IP family (--service-cluster-ip-range).
	ServiceSubnet string
	// MinRequestTimeout is how long a watch without timeoutSeconds lasts at least (--min-request-timeout). 0 means 30 minutes.
	MinRequestTimeout time.Duration
	// Tokens are the bearer tokens that the server accepts; nil means that it does not look at them.
	Tokens *Tokens
	// CustomResources lets the server serve CustomResourceDefinitions, and the objects of the kinds that they define.
	CustomResources bool
}

// RBAC is the mode of Server.Authorization in which a user may do what its roles allow.
const RBAC = authorization.RBAC

// Tokens are the tokens of service accounts that the API server accepts.
type Tokens struct {
	// Keys are the public keys that verify tokens (--service-account-key-file).
	Keys []any
	// Issuers are those of tokens that are bound to objects (--service-account-issuer). The issuer of tokens in Secrets is always
	// accepted.
	Issuers []string
	// Audiences are those of the API server (--api-audiences).
	Audiences []string
}

// Component is a part of the control plane beside the API server. Package controllers makes one; the interface is not meant to be
// implemented by others, since a component needs the simulation.
type Component interface {
	// Err is why the component has stopped the simulation, or nil.
	Err() error
}

const (
	// DefaultLimit is how long a test may take, in virtual time.
	DefaultLimit = bubble.DefaultLimit
	// Actor is the name in the trace of the clients that are created from Cluster.Config.
	Actor = bubble.Actor
)

// DefaultAdmission are the admission plugins of a control plane without controllers: those that kube-apiserver runs by
// default, but for ServiceAccount, which refuses Pods until a controller has made the account of their namespace. Envtest
// leaves it out, too.
//
// Some of them wait for a controller all the same, as on envtest: a PersistentVolumeClaim has a finalizer until
// persistentvolumeclaim-protection-controller removes it, and a ResourceQuota limits nothing until
// resourcequota-controller has counted.
func DefaultAdmission() []string { return bubble.DefaultAdmission() }

// bubble are the options of the control plane inside.
func (o Options) bubble() (bubble.Options, error) {
	inside := bubble.Options{
		Seed: o.Seed, Date: o.Date, Request: network.Range(o.Request), Watch: network.Range(o.Watch),
		Server: o.Server.options(), Nodes: o.Nodes, Limit: o.Limit,
	}
	for n := range o.Faults {
		rule, err := o.Faults[n].rule()
		if err != nil {
			return inside, err
		}
		inside.Faults = append(inside.Faults, rule)
	}
	for _, component := range o.Components {
		part, ok := component.(bubble.Component)
		if !ok {
			return inside, fmt.Errorf("a %T is not a component of kubestep\nTry: controllers.Component", component)
		}
		inside.Components = append(inside.Components, part)
	}
	if o.Trace != nil {
		inside.Sinks = []trace.Sink{func(_ *trace.Record, line []byte) { _, _ = o.Trace.Write(line) }}
	}
	var err error
	inside.Objects, err = stored(o.Objects)
	return inside, err
}

func (s Server) options() apiserver.Options {
	options := apiserver.Options{
		Admission: s.Admission, AdmissionConfig: s.AdmissionConfig, RuntimeConfig: s.RuntimeConfig,
		Authorization: s.Authorization, Emulation: emulation.Options{Version: s.EmulatedVersion},
		ServiceSubnet: s.ServiceSubnet, MinRequestTimeout: s.MinRequestTimeout, CustomResources: s.CustomResources,
	}
	if s.Tokens != nil {
		options.Tokens = &token.Options{
			Keys: s.Tokens.Keys, Issuers: s.Tokens.Issuers, Audiences: s.Tokens.Audiences, NotesUse: true,
		}
	}
	return options
}
