//go:build !kubernetes_before_1_35

package controllers

import (
	"context"

	"k8s.io/apiserver/pkg/server/healthz"
	"k8s.io/kubernetes/cmd/kube-controller-manager/app"
)

// host builds a controller: upstream's BuildControllers with one descriptor at a time.
func (m *manager) host(ctx context.Context, c app.ControllerContext, d *app.ControllerDescriptor) (hosted, error) {
	built, err := app.BuildControllers(ctx, c, map[string]*app.ControllerDescriptor{d.Name(): d}, nil, unasked{})
	if err != nil || len(built) == 0 {
		return nil, err
	}
	return built[0], nil
}

// unasked implements app.HealthCheckAdder for a manager whose address /healthz nobody asks. Upstream's handler would keep the stack of
// whoever adds a check, which costs more than most controllers take to start.
type unasked struct{}

// AddHealthChecker implements app.HealthCheckAdder.
func (unasked) AddHealthChecker(...healthz.HealthChecker) {}

// runAll runs controllers until ctx ends. RunControllers sleeps for a random time before each controller. All its goroutines do so
// under the manager's name and would draw the same time, so tagged.Run sleeps instead.
func runAll(ctx context.Context, c app.ControllerContext, built []hosted) {
	var controllers []app.Controller
	for _, b := range built {
		controllers = append(controllers, b)
	}
	c.ComponentConfig.Generic.ControllerStartInterval.Duration = 0
	const noTimeout = 0
	app.RunControllers(ctx, c, controllers, app.ControllerStartJitter, noTimeout)
}
