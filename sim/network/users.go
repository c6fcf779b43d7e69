package network

import (
	"sync"

	"k8s.io/apiserver/pkg/authentication/user"
)

// users are who the actors are to the API server, where that is not their name in the trace.
type users struct {
	mu    sync.Mutex
	known map[string]identity
}

type identity struct {
	user    user.Info
	program string
}

// Identify says which user the requests of an actor come from, and which program sends them, if that is not called like the actor.
// Who is not identified is an administrator if the API server asks for roles: see apiserver.Request.
func (u *users) Identify(actor string, as user.Info, program string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.known == nil {
		u.known = map[string]identity{}
	}
	u.known[actor] = identity{as, program}
}

// identityOf is empty for an actor that is not identified.
func (u *users) identityOf(actor string) identity {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.known[actor]
}
