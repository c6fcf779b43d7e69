package server

import (
	"fmt"
	"io"
	"sync/atomic"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/cmd/server/options"
	extensions "k8s.io/apiextensions-apiserver/pkg/cmd/server/testing"

	"github.com/kubestep/kubestep/sim/cluster/bubble"
)

// ExtensionsServer is a running server for the tests of apiextensions-apiserver. Upstream starts that server alone; here, it is a
// part of kube-apiserver.
type ExtensionsServer struct {
	TestServer
	Options *options.CustomResourceDefinitionsServerOptions
}

// extensionsServers counts the servers of the process, each of which has a store of its own.
var extensionsServers atomic.Int32

// StartExtensions starts a control plane with flags that kube-apiserver and apiextensions-apiserver have in common.
func StartExtensions(t extensions.Logger, flags []string) (*ExtensionsServer, error) {
	tb, ok := t.(testing.TB)
	if !ok {
		return nil, fmt.Errorf("a %T is not a testing.TB", t)
	}
	all := append([]string{
		fmt.Sprintf("--etcd-prefix=extensions-%d", extensionsServers.Add(1)),
		// Upstream's server has no namespaces and no other server to ask.
		"--disable-admission-plugins=NamespaceLifecycle,MutatingAdmissionWebhook,ValidatingAdmissionWebhook," +
			"ValidatingAdmissionPolicy,MutatingAdmissionPolicy",
	}, flags...)
	started, err := StartTestServer(tb, nil, all, nil)
	if err != nil {
		return nil, err
	}
	// The name of a client is that of its program, unless it has another one; tests compare managers of fields with it.
	started.ClientConfig.UserAgent = "integration.test"
	opts := options.NewCustomResourceDefinitionsServerOptions(io.Discard, io.Discard)
	opts.RecommendedOptions.Etcd.StorageConfig.Prefix = started.EtcdStoragePrefix
	opts.RecommendedOptions.Etcd.StorageConfig.Transport.ServerList = []string{EtcdURL}
	shared.Store(started.cluster)
	stop := started.TearDownFn
	started.TearDownFn = func() {
		shared.Store(nil)
		stop()
	}
	return &ExtensionsServer{TestServer: started, Options: opts}, nil
}

// shared is the control plane that StartExtensions has started, until it ends. A test that starts a kube-apiserver beside it gets
// the same one: in a cluster, both are one server.
var shared atomic.Pointer[bubble.Cluster]
