//go:build kubernetes_before_1_35

package controllers

import (
	"context"
	"fmt"
	"sync"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/cmd/kube-controller-manager/app"

	"github.com/kubestep/kubestep/sim/engine"
)

// host builds a controller: upstream's StartController. The function of a descriptor starts the goroutines of its controller, which
// wait until the caches are filled, and returns. So the controllers start one after the other, as upstream's do, and each a
// little after the one before, so that their periodic loops do not run at the same virtual times forever. What is returned has
// nothing left to do but to wait for the end.
func (m *manager) host(ctx context.Context, c app.ControllerContext, d *app.ControllerDescriptor) (hosted, error) {
	for _, gate := range d.GetRequiredFeatureGates() {
		if !utilfeature.DefaultFeatureGate.Enabled(gate) {
			return nil, nil
		}
	}
	if d.IsCloudProviderController() || !engine.Sleep(ctx, m.stagger(d.Name())) {
		return nil, nil
	}
	named := klog.NewContext(ctx, klog.LoggerWithName(klog.FromContext(ctx), d.Name()))
	_, started, err := d.GetInitFunc()(named, c, d.Name())
	if err != nil {
		return nil, fmt.Errorf("starting %s: %w", d.Name(), err)
	}
	if !started {
		return nil, nil
	}
	return loop{d.Name(), func(ctx context.Context) { <-ctx.Done() }}, nil
}

// runAll runs controllers until ctx ends.
func runAll(ctx context.Context, _ app.ControllerContext, built []hosted) {
	var running sync.WaitGroup
	for _, b := range built {
		running.Go(func() { b.Run(ctx) })
	}
	running.Wait()
}
