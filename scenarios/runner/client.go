package runner

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/apiserver"
)

// user sends the requests of the steps.
type user struct{ sim *sim.Simulation }

// Do implements verb.Client.
func (u user) Do(req apiserver.Request) (runtime.Object, error) {
	return u.sim.Transport(verb.User).Do(req)
}

// RoundTrip implements verb.Client.
func (u user) RoundTrip(r *http.Request) (*http.Response, error) {
	return u.sim.RoundTripper(verb.User).RoundTrip(r)
}

// Rehearse returns the requests with which a step would change something if its time had come, and sends none of them. The requests
// of the step that only read are passed to read. It is for the verbs of requests.
func (l Live) Rehearse(step format.Step, read func(apiserver.Request) (runtime.Object, error)) ([]apiserver.Request, error) {
	own := *l.run.scenario
	own.Spec.Steps = append(slices.Clip(own.Spec.Steps), step)
	client := &rehearsing{read: read}
	world := &rehearsal{turn{run: l.run, step: len(own.Spec.Steps) - 1, client: client}, &own}
	err := step.Verb.(verb.Verb).Do(context.Background(), world)
	if len(client.writes) > 0 {
		err = nil // what a verb makes of the answer
	}
	return client.writes, err
}

// rehearsal is the simulation of a step that is not taken.
type rehearsal struct {
	turn
	scenario *format.Scenario
}

// Scenario implements verb.World.
func (r *rehearsal) Scenario() *format.Scenario { return r.scenario }

// rehearsing is the client of a rehearsal.
type rehearsing struct {
	read   func(apiserver.Request) (runtime.Object, error)
	writes []apiserver.Request
}

// errRehearsed is the answer to a request that would change something.
var errRehearsed = errors.New("only rehearsed")

// Do implements verb.Client.
func (c *rehearsing) Do(req apiserver.Request) (runtime.Object, error) {
	if !req.Writes() {
		return c.read(req)
	}
	c.writes = append(c.writes, req)
	return nil, errRehearsed
}

// RoundTrip implements verb.Client.
func (c *rehearsing) RoundTrip(*http.Request) (*http.Response, error) { return nil, errRehearsed }
