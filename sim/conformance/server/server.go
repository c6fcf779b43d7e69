// Package server stands for the functions with which Kubernetes' integration tests start a kube-apiserver: StartTestServer
// of k8s.io/kubernetes/test/integration/framework and of k8s.io/kubernetes/cmd/kube-apiserver/app/testing. Instead of a
// process with an etcd, a test gets a control plane of package bubble.
//
// What a test sets, in flags or in upstream's structs of options, is read from those structs (settings): admission
// plugins and their configuration, served API versions, ranges of addresses, feature gates, who sends requests and what they may do
// (access). What the simulation cannot do is in the Notes, so that a test does not fail for a reason that nobody sees.
package server

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
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
func Start(_ context.Context, t testing.TB, setup Setup) (kubernetes.Interface, *rest.Config, func()) {
	t.Helper()
	opts := newOptions("")
	opts.ServiceClusterIPRanges = frameworkRange
	opts.Authorization.Modes = []string{"Node", "RBAC"}
	headers := opts.Authentication.RequestHeader
	headers.UsernameHeaders, headers.GroupHeaders = []string{"X-Remote-User"}, []string{"X-Remote-Group"}
	headers.ExtraHeaderPrefixes, headers.AllowedNames = []string{"X-Remote-Extra-"}, []string{"kube-aggregator"}
	opts.Authentication.APIAudiences = []string{issuer}
	dir := t.TempDir()
	if err := errors.Join(issueTokens(dir, opts), trustAuthorities(dir, opts, nil)); err != nil {
		t.Fatal(err)
	}
	if setup.ModifyServerRunOptions != nil {
		setup.ModifyServerRunOptions(opts)
	}
	cluster, err := begin(t, opts, setup.ModifyServerConfig)
	if err != nil {
		t.Fatal(err)
	}
	return kubernetes.NewForConfigOrDie(cluster.Config), cluster.Config, cluster.Stop
}

// begin starts a control plane.
func begin(t bubble.TB, opts *options.ServerRunOptions, modify func(*controlplane.Config)) (*bubble.Cluster, error) {
	if running := shared.Load(); running != nil {
		note("a second API server is the first one")
		return running, nil
	}
	settings, token, err := settingsOf(t, opts, modify)
	if err != nil {
		return nil, err
	}
	cluster := bubble.Start(t, bubble.Options{
		Seed: Setting.Seed, Date: Date, Server: settings, Objects: left(opts.Etcd.StorageConfig.Prefix),
		Progress: Setting.Progress, Sinks: sinks(),
	})
	// Upstream's tests use the client that a kube-apiserver has of itself.
	cluster.Simulation.Identify(bubble.Actor, client(), "")
	cluster.Config.BearerToken = token
	return cluster, connect(cluster.Config)
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
