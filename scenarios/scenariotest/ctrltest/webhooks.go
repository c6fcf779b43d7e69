package ctrltest

import (
	"context"
	"net/http"

	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
)

// webhookServer implements webhook.Server without a socket: the calls come from the API server of the simulation.
type webhookServer struct {
	mux   *http.ServeMux
	serve func(ctx context.Context, handler http.Handler)
}

var _ webhook.Server = &webhookServer{}

// NeedLeaderElection implements manager.LeaderElectionRunnable: every replica answers.
func (*webhookServer) NeedLeaderElection() bool { return false }

// Register implements webhook.Server.
func (s *webhookServer) Register(path string, hook http.Handler) { s.mux.Handle(path, hook) }

// WebhookMux implements webhook.Server.
func (s *webhookServer) WebhookMux() *http.ServeMux { return s.mux }

// Start implements manager.Runnable.
func (s *webhookServer) Start(ctx context.Context) error {
	s.serve(ctx, s.mux)
	return nil
}

// StartedChecker implements webhook.Server.
func (*webhookServer) StartedChecker() healthz.Checker { return healthz.Ping }
