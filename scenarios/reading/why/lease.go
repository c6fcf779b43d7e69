package why

import "github.com/kubestep/kubestep/controllers"

// Leader is the process that holds the lease of kube-controller-manager; empty if there is no lease.
func (i *Instant) Leader() string {
	leader, _ := i.leader(controllers.ManagerName)
	return leader
}

// ProcessOf is the name of the process that an actor belongs to.
func (h *History) ProcessOf(actor string) string { return h.process(actor) }
