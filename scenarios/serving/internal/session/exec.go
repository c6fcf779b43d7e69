//go:build linux && !kubernetes_before_1_36

package session

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/serving/internal/podaccess"
	"github.com/kubestep/kubestep/sim/cluster/cri"
)

// errStdin means that a command would read what a client sends.
var errStdin = errors.New("kubestep cannot repeat what a client types, so a command in a container reads no input: " +
	"run it without -i and -t, as in kubectl exec POD -- sh -c 'COMMANDS'")

// Run implements podaccess.World: a command may change the simulation, so it is a step of the session. A saved session runs it again.
func (r reach) Run(ctx context.Context, c podaccess.Command) (code int, runs bool, err error) {
	var of cri.Owner
	if err := r.Look(func() { of = c.Runtime.Owner(c.Container) }); err != nil || !of.RunsCommands {
		return 0, false, err
	}
	if c.Stdin != nil {
		return 0, true, errStdin
	}
	to := &relay{}
	step := format.Step{Verb: verb.Execution(of.Namespace, of.Pod, of.Container, c.Args)}
	streams := verb.Streams{Stdout: to.stream(0), Stderr: to.stream(1), Ended: to.end}
	if err := r.session.do(step, streams); err != nil {
		return 0, true, err
	}
	return to.until(ctx, r.Ended(), c.Stdout, c.Stderr)
}

// relayEvery is how often, in real time, what a command has printed goes to its client.
const relayEvery = 20 * time.Millisecond

// relay takes what a command prints in the simulation to its client outside. Its writers never wait: virtual time would stand still.
type relay struct {
	mu    sync.Mutex
	text  [2]bytes.Buffer
	ended bool
	code  int
	err   error
}

// stream returns a writer for standard output or standard error.
func (r *relay) stream(n int) io.Writer { return relayed{r, n} }

type relayed struct {
	relay *relay
	n     int
}

// Write implements io.Writer.
func (w relayed) Write(data []byte) (int, error) {
	w.relay.mu.Lock()
	defer w.relay.mu.Unlock()
	return w.relay.text[w.n].Write(data)
}

// end notes how the command has ended.
func (r *relay) end(code int, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended, r.code, r.err = true, code, err
}

// take is what has been printed since the last call.
func (r *relay) take() (stdout, stderr []byte, ended bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	stdout, stderr = bytes.Clone(r.text[0].Bytes()), bytes.Clone(r.text[1].Bytes())
	r.text[0].Reset()
	r.text[1].Reset()
	return stdout, stderr, r.ended
}

// until relays until the command has ended, or the client or the simulation has gone; the command then continues.
func (r *relay) until(ctx context.Context, gone <-chan struct{}, stdout, stderr io.Writer) (code int, runs bool, err error) {
	tick := time.NewTicker(relayEvery)
	defer tick.Stop()
	for {
		out, errs, ended := r.take()
		for _, part := range []struct {
			to   io.Writer
			text []byte
		}{{stdout, out}, {stderr, errs}} {
			if part.to != nil && len(part.text) > 0 {
				if _, err := part.to.Write(part.text); err != nil {
					return 0, true, nil
				}
			}
		}
		if ended {
			return r.code, true, r.err
		}
		select {
		case <-ctx.Done():
			return 0, true, nil
		case <-gone:
			return 0, true, errors.New("the simulation has ended")
		case <-tick.C:
		}
	}
}
