package webhook

import (
	"context"
	"net/http"
	"slices"
)

// Server is a process that serves webhooks until its context ends.
type Server struct {
	Actor   string
	Context context.Context
	Handler http.Handler
}

// Servers are those of a cluster. The zero value has none.
type Servers struct {
	// Route finds the server of a call that runs in a container, before the others are asked; nil if there is none. With an error, the
	// connection fails. Route may be nil.
	Route func(*http.Request) (*Server, error)

	all []*Server
}

// Add adds a server, and forgets those that have ended.
func (s *Servers) Add(server *Server) {
	s.all = slices.DeleteFunc(s.all, func(old *Server) bool { return old.Context.Err() != nil })
	s.all = append(s.all, server)
}

// Find finds the server of a call: of several, the first one that has a handler for the path. It is nil if nobody serves webhooks
// now.
func (s *Servers) Find(r *http.Request) (*Server, error) {
	if s.Route != nil {
		if server, err := s.Route(r); server != nil || err != nil {
			return server, err
		}
	}
	var found *Server
	for _, server := range s.all {
		if server.Context.Err() != nil {
			continue
		}
		if mux, ok := server.Handler.(*http.ServeMux); ok {
			if _, pattern := mux.Handler(r); pattern != "" {
				return server, nil
			}
		}
		if found == nil {
			found = server
		}
	}
	return found, nil
}
