package apiserver

import (
	"net/http"
	"time"

	"k8s.io/apiserver/pkg/admission"

	"github.com/kubestep/kubestep/sim/apiserver/emulation"
	"github.com/kubestep/kubestep/sim/apiserver/token"
	"github.com/kubestep/kubestep/sim/apiserver/webhook"
)

// Options are the flags of kube-apiserver that a Server knows.
type Options struct {
	// Admission lists the admission plugins that run on every write (AdmissionPlugins).
	Admission []string
	// Authorization is AlwaysAllow or RBAC. "" is AlwaysAllow.
	Authorization string
	// ServiceSubnet is the range of cluster IPs, or one of each IP family: see clusterip.Subnets. "" is the default.
	ServiceSubnet string
	// AdmissionConfig has the configuration of plugins, as --admission-control-config-file; nil means that of none.
	AdmissionConfig admission.ConfigProvider
	// AdmissionControl, if set, is asked instead of the plugins: a chain that was built elsewhere.
	AdmissionControl admission.Interface
	// RuntimeConfig serves more or fewer versions and resources than kube-apiserver does by default, in the form of
	// --runtime-config: policy/v1=false, api/beta=true.
	RuntimeConfig map[string]string
	// Emulation serves the kinds of another version of Kubernetes.
	Emulation emulation.Options
	// Access, if set, is asked who sends a request and what they may do.
	Access *Access
	// Tokens are the bearer tokens that the server accepts over HTTP; nil means that it does not look at them.
	Tokens *token.Options
	// CustomResources makes the server serve CustomResourceDefinitions, and the objects of the kinds that they define. Their
	// controllers run after HTTP.RunExtensions.
	CustomResources bool
	// Metrics makes the server serve the metrics of the process at /metrics: those of all servers that run in it.
	Metrics bool
	// SystemObjects makes the server serve APIServices; package controlplane then creates what every kube-apiserver creates for itself.
	SystemObjects bool
	// ManagedFields makes the first front keep metadata.managedFields up to date, as the second one does.
	ManagedFields bool
	// CallWebhook calls a webhook. It may block. Nil means that there is nothing to connect to.
	CallWebhook webhook.Caller
	// CallServer sends a request to another API server, to which requests are forwarded. It may block. Nil means that there is nothing to
	// connect to.
	CallServer func(*http.Request) (*http.Response, error)
	// OnWrite, if set, is called before each write to the store. It may block.
	OnWrite func()
	// MinRequestTimeout is how long a watch without timeoutSeconds lasts at least, as --min-request-timeout; at most, it
	// lasts twice as long. 0 means DefaultMinRequestTimeout.
	MinRequestTimeout time.Duration
}

// DefaultMinRequestTimeout is kube-apiserver's default for --min-request-timeout.
const DefaultMinRequestTimeout = 30 * time.Minute
