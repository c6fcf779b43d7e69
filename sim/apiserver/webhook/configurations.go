package webhook

import (
	"net"
	"os"
	"syscall"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
)

// Configurations are the caches of what says which webhooks there are.
type Configurations []cache.SharedIndexInformer

// NewConfigurations returns those of a factory.
func NewConfigurations(caches informers.SharedInformerFactory) Configurations {
	hooks := caches.Admissionregistration().V1()
	return Configurations{
		hooks.MutatingWebhookConfigurations().Informer(), hooks.ValidatingWebhookConfigurations().Informer(),
	}
}

// HasWebhooks reports whether there is a webhook.
func (c Configurations) HasWebhooks() bool {
	for _, configurations := range c {
		if len(configurations.GetStore().ListKeys()) > 0 {
			return true
		}
	}
	return false
}

// Refused is the error of a connection to a host on which nothing listens, such as a Service without endpoints.
func Refused(host string) error {
	return &net.OpError{Op: "dial", Net: "tcp", Addr: address(host), Err: os.NewSyscallError("connect", refused{})}
}

// refused is ECONNREFUSED in the words of Linux. Each operating system has its own, and they are in the trace: "Connection refused" in a
// browser, and a sentence on Windows.
type refused struct{}

func (refused) Error() string { return "connection refused" }

// Unwrap makes it the error that programs look for.
func (refused) Unwrap() error { return syscall.ECONNREFUSED }

// address is a host that has no address.
type address string

// Network implements net.Addr.
func (address) Network() string { return "tcp" }

// String implements net.Addr.
func (a address) String() string { return string(a) }
