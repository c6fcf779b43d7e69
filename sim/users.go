package sim

import (
	"sync"

	"k8s.io/apiserver/pkg/authentication/user"
)

// users are who the actors are to the API server, where that is not their name in the trace.
type users struct {
	mu    sync.Mutex
	known map[string]user.Info
}

// Identify says which user the requests of an actor come from. Who is not identified is an administrator if the API
// server asks for roles: see apiserver.Request.
func (s *Simulation) Identify(actor string, as user.Info) {
	s.users.mu.Lock()
	defer s.users.mu.Unlock()
	if s.users.known == nil {
		s.users.known = map[string]user.Info{}
	}
	s.users.known[actor] = as
}

// userOf is nil for an actor that is not identified.
func (s *Simulation) userOf(actor string) user.Info {
	s.users.mu.Lock()
	defer s.users.mu.Unlock()
	return s.users.known[actor]
}
