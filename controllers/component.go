package controllers

import (
	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/simtest"
)

// Component is a kube-controller-manager for the control plane of a Go test (simtest.Options.Components). It runs the
// controllers of the list, which is a --controllers list: names, or aliases. No names mean Workload.
func Component(controllers ...string) simtest.Component { return &component{controllers: controllers} }

// component implements simtest.Component.
type component struct {
	controllers []string
	running     *Processes
}

// Start implements simtest.Component.
func (c *component) Start(s *sim.Simulation) error {
	config, err := NewConfig(nil)
	if err != nil {
		return err
	}
	c.running, err = Start(s, Options{ManagerOptions: ManagerOptions{Controllers: c.controllers, Config: config}})
	return err
}

// Err implements simtest.Component.
func (c *component) Err() error { return c.running.Err() }
