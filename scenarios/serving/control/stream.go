package control

import (
	"encoding/json"
	"net/http"
	"time"
)

// Session says what a session is of.
type Session struct {
	// Cluster is the name under which the session runs, and Name that of the scenario.
	Cluster string `json:"cluster"`
	Name    string `json:"name"`
	Title   string `json:"title"`
	Seed    int64  `json:"seed"`
	// URL is where it is, and Kubeconfig the file with which clients reach it.
	URL        string `json:"url"`
	Kubeconfig string `json:"kubeconfig"`
	// Save is where it is written when it ends; empty if it is not.
	Save string `json:"save,omitempty"`
}

// message is a line of the stream that is no record, or the answer with both.
type message struct {
	Session *Session `json:"session,omitempty"`
	State   *State   `json:"state,omitempty"`
}

// streamEvery is how often a client hears of what is new.
const streamEvery = 100 * time.Millisecond

// trace sends the trace and, whenever it has changed, the state, which is never ahead of the records.
func (c *Server) trace(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/x-ndjson")
	out, lines := http.NewResponseController(w), json.NewEncoder(w)
	if lines.Encode(message{Session: &c.about}) != nil {
		return
	}
	ticker := time.NewTicker(streamEvery)
	defer ticker.Stop()
	var said State
	for offset, over := int64(0), false; !over; {
		select {
		case <-r.Context().Done():
			return
		case <-c.session.Door.Ended():
			over = true
		case <-ticker.C:
		}
		state := c.state()
		state.Ended = over
		var err error
		if offset, err = c.tape.copyFrom(offset, w); err != nil {
			return
		}
		if state != said {
			if lines.Encode(message{State: &state}) != nil {
				return
			}
			said = state
		}
		if out.Flush() != nil {
			return
		}
	}
}
