package controllers

import (
	"context"
	"time"
)

// startStagger spreads the start of the controllers like the start-up time of a real manager, so that their periodic
// loops do not run at the same virtual times forever.
const startStagger = time.Millisecond

// hosted is a controller that runs until its context ends: app.Controller, which Kubernetes has since 1.35.
type hosted interface {
	Name() string
	Run(ctx context.Context)
}

// loop is a controller that was not built by a descriptor.
type loop struct {
	name string
	run  func(context.Context)
}

// Name implements hosted.
func (l loop) Name() string { return l.name }

// Run implements hosted.
func (l loop) Run(ctx context.Context) { l.run(ctx) }
