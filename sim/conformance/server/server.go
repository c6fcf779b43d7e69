// Package server stands for the functions with which Kubernetes' integration tests start a kube-apiserver: StartTestServer
// of k8s.io/kubernetes/test/integration/framework and of k8s.io/kubernetes/cmd/kube-apiserver/app/testing. Instead of a
// process with an etcd, a test gets a control plane of package bubble.
//
// What a test sets, in flags or in upstream's structs of options, is read from those structs (settings): admission
// plugins and their configuration, served API versions, ranges of addresses, feature gates. What the simulation cannot do
// is in the Notes, so that a test does not fail for a reason that nobody sees.
package server

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"k8s.io/apiserver/pkg/authentication/user"
	client "k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/keyutil"
	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"
	"k8s.io/kubernetes/pkg/controlplane"

	"github.com/kubestep/kubestep/sim/cluster/bubble"
)

// EtcdURL is an address at which nothing listens.
const EtcdURL = "http://etcd.invalid:2379"

// Setup changes the configuration of the server that Start starts.
type Setup struct {
	ModifyServerRunOptions func(*options.ServerRunOptions)
	ModifyServerConfig     func(*controlplane.Config)
}

// frameworkRange are the addresses of Services in the framework's tests.
const frameworkRange = "10.0.0.0/24"

// Start starts a control plane whose flags are those of the framework's tests, changed by setup.
func Start(_ context.Context, t testing.TB, setup Setup) (client.Interface, *rest.Config, func()) {
	t.Helper()
	opts := newOptions("")
	opts.ServiceClusterIPRanges = frameworkRange
	opts.Authorization.Modes = []string{"Node", "RBAC"}
	issueTokens(t, opts)
	if setup.ModifyServerRunOptions != nil {
		setup.ModifyServerRunOptions(opts)
	}
	cluster, err := begin(t, opts, setup.ModifyServerConfig)
	if err != nil {
		t.Fatal(err)
	}
	return client.NewForConfigOrDie(cluster.Config), cluster.Config, cluster.Stop
}

// issuer is the issuer and the audience of tokens in the framework's tests.
const issuer = "https://foo.bar.example.com"

// issueTokens makes the key with which a test signs tokens of service accounts, and with which the server verifies them.
func issueTokens(t testing.TB, opts *options.ServerRunOptions) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "sa.key")
	if _, _, err := keyutil.LoadOrGenerateKeyFile(file); err != nil {
		t.Fatal(err)
	}
	opts.ServiceAccountSigningKeyFile = file
	opts.Authentication.ServiceAccounts.KeyFiles = []string{file}
	opts.Authentication.APIAudiences = []string{issuer}
	opts.Authentication.ServiceAccounts.Issuers = []string{issuer}
}

// begin starts a control plane.
func begin(t bubble.TB, opts *options.ServerRunOptions, modify func(*controlplane.Config)) (*bubble.Cluster, error) {
	if running := shared.Load(); running != nil {
		note("a second API server is the first one")
		return running, nil
	}
	settings, err := settingsOf(t, opts, modify)
	if err != nil {
		return nil, err
	}
	cluster := bubble.Start(t, bubble.Options{
		Seed: Setting.Seed, Date: Date, Server: settings, Objects: left(opts.Etcd.StorageConfig.Prefix),
		Progress: Setting.Progress, Sinks: sinks(),
	})
	// Upstream's tests use the client that a kube-apiserver has of itself.
	cluster.Simulation.Identify(bubble.Actor, &user.DefaultInfo{
		Name: user.APIServerUser, Groups: []string{user.AllAuthenticated, user.SystemPrivilegedGroup},
	}, "")
	return cluster, nil
}

// notes are what was asked for and is ignored.
var notes = struct {
	sync.Mutex
	seen map[string]bool
}{seen: map[string]bool{}}

func note(format string, args ...any) {
	notes.Lock()
	defer notes.Unlock()
	notes.seen[fmt.Sprintf(format, args...)] = true
}

// Notes lists what was asked for and is ignored.
func Notes() []string {
	notes.Lock()
	defer notes.Unlock()
	return slices.Sorted(maps.Keys(notes.seen))
}
