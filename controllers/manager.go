package controllers

import (
	"sync"

	"k8s.io/controller-manager/pkg/clientbuilder"
	"k8s.io/kubernetes/pkg/controller/apis/config"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/apiserver/keys"
)

// ManagerOptions configure a kube-controller-manager.
type ManagerOptions struct {
	// Controllers is a --controllers list; nil means Workload.
	Controllers []string
	// Config is the component configuration, from NewConfig.
	Config *config.KubeControllerManagerConfiguration
	// Verbosity is the level up to which the controllers' log lines are kept.
	Verbosity int
}

// manager is a running kube-controller-manager.
type manager struct {
	sim     *sim.Simulation
	options ManagerOptions
	process *process
	ca      keys.CertificateAuthority
	clients clientbuilder.ControllerClientBuilder

	mu    sync.Mutex
	err   error
	names []string
}

// newManager prepares a kube-controller-manager as a process.
func newManager(p *process, options ManagerOptions) (*manager, error) {
	if options.Controllers == nil {
		options.Controllers = Workload
	}
	resolved, err := Resolve(options.Controllers)
	if err != nil {
		return nil, err
	}
	options.Controllers = resolved
	options.Config.Generic.Controllers = resolved
	return &manager{sim: p.sim, options: options, process: p}, nil
}

// Err is why the controllers could not be built or started, or nil.
func (m *manager) Err() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.err
}

// Names lists the controllers that run, sorted.
func (m *manager) Names() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.names
}

func (m *manager) fail(err error) {
	m.mu.Lock()
	m.err = err
	m.mu.Unlock()
	m.sim.Engine.After(0, "controllers|failed", m.sim.Engine.Stop)
}
