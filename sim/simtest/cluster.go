package simtest

import (
	"context"
	"fmt"
	"net/http"

	"k8s.io/client-go/rest"

	"github.com/kubestep/kubestep/sim/cluster/bubble"
)

// Cluster is a running control plane.
type Cluster struct {
	// Config is for clients of the test, as from envtest's Start. ConfigOf gives another client a name of its own.
	Config *rest.Config

	running *bubble.Cluster
}

// TB is what Start needs of a testing.TB.
type TB interface {
	Helper()
	Cleanup(func())
	Fatal(args ...any)
	Errorf(format string, args ...any)
	Logf(format string, args ...any)
}

// A reporter begins what a test reports with the name of this package.
type reporter struct{ TB }

const prefix = "simtest: "

func (r reporter) Fatal(args ...any) {
	r.Helper()
	r.TB.Fatal(prefix + fmt.Sprint(args...))
}

func (r reporter) Errorf(format string, args ...any) {
	r.Helper()
	r.TB.Errorf(prefix+format, args...)
}

func (r reporter) Logf(format string, args ...any) {
	r.Helper()
	r.TB.Logf(prefix+format, args...)
}

// Start starts a control plane. It must be called in a bubble (synctest.Test). The control plane ends when the test and
// its cleanup do; Stop ends it earlier. It fails the test if options are wrong.
func Start(t TB, options Options) *Cluster {
	t.Helper()
	t = reporter{t}
	started, err := options.bubble()
	if err != nil {
		t.Fatal(err)
	}
	running := bubble.Start(t, started)
	return &Cluster{Config: running.Config, running: running}
}

// ConfigOf is for a client that the trace shows under a name of its own.
func (c *Cluster) ConfigOf(actor string) *rest.Config { return c.running.ConfigOf(actor) }

// ServeWebhooks serves webhooks until ctx ends, in place of http.ListenAndServeTLS. The API server finds a handler by the path
// alone. actor is the name of the webhooks in the trace.
func (c *Cluster) ServeWebhooks(ctx context.Context, actor string, handler http.Handler) {
	c.running.Simulation.ServeWebhooks(ctx, actor, handler)
}

// TraceHash is the SHA-256 of the trace so far: two runs of a test with one seed have the same.
func (c *Cluster) TraceHash() string { return c.running.Simulation.Recorder.Hash() }

// Stop ends the control plane: requests under way and later ones fail.
func (c *Cluster) Stop() { c.running.Stop() }
