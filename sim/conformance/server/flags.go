package server

import (
	"crypto/rsa"
	"crypto/x509"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/spf13/pflag"
	clientv3 "go.etcd.io/etcd/client/v3"
	"k8s.io/apimachinery/pkg/runtime"
	genericoptions "k8s.io/apiserver/pkg/server/options"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/apiserver/pkg/storageversion"
	"k8s.io/client-go/rest"
	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"

	"github.com/kubestep/kubestep/sim/cluster/bubble"
)

// The names below are those of upstream's package, whose documentation says what they mean.

// TearDownFunc stops a server.
type TearDownFunc func()

// TestServerInstanceOptions change a server beside its flags.
type TestServerInstanceOptions struct {
	SkipHealthzCheck       bool
	EnableCertAuth         bool
	StorageVersionWrapFunc func(storageversion.Manager) storageversion.Manager
	ProxyCA                *ProxyCA
	BinaryVersion          string
	RequestTimeout         time.Duration
}

// TestServer is a running server.
type TestServer struct {
	ClientConfig      *rest.Config
	ServerOpts        *options.ServerRunOptions
	TearDownFn        TearDownFunc
	TmpDir            string
	EtcdClient        *clientv3.Client
	EtcdStoragePrefix string

	cluster *bubble.Cluster
}

// ProxyCA is an authority for the certificates of proxies.
type ProxyCA struct {
	ProxySigningCert *x509.Certificate
	ProxySigningKey  *rsa.PrivateKey
}

// NewDefaultTestServerOptions returns the options of most tests.
func NewDefaultTestServerOptions() *TestServerInstanceOptions {
	return &TestServerInstanceOptions{EnableCertAuth: true}
}

// flagsRange are the addresses of Services in tests that start a server with flags.
const flagsRange = "10.0.0.0/16"

// StartTestServer starts a control plane with the flags of kube-apiserver.
func StartTestServer(
	t bubble.TB, instance *TestServerInstanceOptions, flags []string, storage *storagebackend.Config,
) (TestServer, error) {
	t.Helper()
	if instance == nil {
		instance = NewDefaultTestServerOptions()
	}
	opts := newOptions(instance.BinaryVersion)
	opts.ServiceClusterIPRanges = flagsRange
	if storage != nil {
		opts.Etcd.StorageConfig = *storage
	}
	dir, err := os.MkdirTemp("", "kube-apiserver")
	if err != nil {
		return TestServer{}, err
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	flagged := opts.Authentication.RequestHeader
	set := pflag.NewFlagSet("kube-apiserver", pflag.ContinueOnError)
	for _, section := range opts.Flags().FlagSets {
		set.AddFlagSet(section)
	}
	if err := set.Parse(flags); err != nil {
		return TestServer{}, fmt.Errorf("flags: %w", err)
	}
	if err := instance.trust(dir, opts, flagged); err != nil {
		return TestServer{}, err
	}
	set.Visit(func(f *pflag.Flag) {
		if !understood[f.Name] {
			note("flag --%s=%s is ignored", f.Name, f.Value)
		}
	})
	instance.note()
	cluster, err := begin(t, opts, nil)
	if err != nil {
		return TestServer{}, err
	}
	prefix := opts.Etcd.StorageConfig.Prefix
	serve(prefix, store{cluster, opts.Etcd.DefaultStorageMediaType == runtime.ContentTypeJSON})
	stop := func() {
		cluster.Stop()
		leave(prefix, cluster)
	}
	return TestServer{
		ClientConfig: rest.CopyConfig(cluster.Config), ServerOpts: opts, TearDownFn: stop, TmpDir: dir,
		EtcdClient: newEtcdClient(), EtcdStoragePrefix: prefix, cluster: cluster,
	}, nil
}

// StartTestServerOrDie is StartTestServer for tests that end when it fails.
func StartTestServerOrDie(
	t testing.TB, instance *TestServerInstanceOptions, flags []string, storage *storagebackend.Config,
) *TestServer {
	t.Helper()
	server, err := StartTestServer(t, instance, flags, storage)
	if err != nil {
		t.Fatal(err)
	}
	return &server
}

// GetEtcdClients returns clients of the stores of all control planes that run.
func GetEtcdClients(storagebackend.TransportConfig) (*clientv3.Client, clientv3.KV, error) {
	client := newEtcdClient()
	return client, client.KV, nil
}

// trust makes the keys and the authorities of a server. flagged are the headers of proxies that flags set.
func (o *TestServerInstanceOptions) trust(
	dir string, opts *options.ServerRunOptions, flagged *genericoptions.RequestHeaderAuthenticationOptions,
) error {
	if err := issueTokens(dir, opts); err != nil || !o.EnableCertAuth {
		return err
	}
	headers := &genericoptions.NewDelegatingAuthenticationOptions().RequestHeader
	opts.Authentication.RequestHeader, headers.AllowedNames = headers, []string{"ash", "misty", "brock"}
	for _, names := range []struct{ of, flagged *[]string }{
		{&headers.UsernameHeaders, &flagged.UsernameHeaders}, {&headers.UIDHeaders, &flagged.UIDHeaders},
		{&headers.GroupHeaders, &flagged.GroupHeaders}, {&headers.ExtraHeaderPrefixes, &flagged.ExtraHeaderPrefixes},
	} {
		if len(*names.flagged) > 0 {
			*names.of = *names.flagged
		}
	}
	given := opts.Authentication.ClientCert.ClientCA
	if err := trustAuthorities(dir, opts, o.ProxyCA); err != nil {
		return err
	}
	if given != "" {
		opts.Authentication.ClientCert.ClientCA = given
	}
	return nil
}

// note notes what is ignored of the options.
func (o *TestServerInstanceOptions) note() {
	if o.StorageVersionWrapFunc != nil {
		note("StorageVersionWrapFunc is ignored")
	}
	if o.RequestTimeout != 0 {
		note("RequestTimeout %s is ignored", o.RequestTimeout)
	}
}

// understood are the flags that settingsOf reads, and those that change nothing in a simulation.
var understood = map[string]bool{
	"enable-admission-plugins": true, "disable-admission-plugins": true, "admission-control-config-file": true,
	"emulated-version": true, "min-compatibility-version": true, "emulation-forward-compatible": true,
	"runtime-config-emulation-forward-compatible": true, "runtime-config": true, "feature-gates": true, "service-cluster-ip-range": true,
	"authorization-mode": true, "authorization-policy-file": true, "token-auth-file": true, "anonymous-auth": true, "client-ca-file": true,
	"api-audiences": true, "authentication-config": true, "authorization-config": true, "enable-bootstrap-token-auth": true,
	"requestheader-username-headers": true, "requestheader-group-headers": true, "requestheader-uid-headers": true,
	"audit-policy-file": true, "audit-log-path": true, "audit-log-version": true, "audit-log-mode": true,
	"min-request-timeout": true, "etcd-prefix": true, "storage-media-type": true,
	// There is no address at which a server could be reached, and no cache between store and clients.
	"endpoint-reconciler-type": true, "advertise-address": true, "watch-cache": true,
}
