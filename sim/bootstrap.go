package sim

import (
	"fmt"

	"github.com/kubestep/kubestep/sim/apiserver"
)

// Bootstrap makes what kube-apiserver makes when it starts with an empty store (apiserver.Bootstrap). Call it before
// anything else is in the store.
func (s *Simulation) Bootstrap() error {
	for _, request := range apiserver.Bootstrap() {
		if _, err := s.Execute(request, 0, true); err != nil {
			return fmt.Errorf("the first %s: %w", request.Resource.Resource, err)
		}
	}
	return nil
}
