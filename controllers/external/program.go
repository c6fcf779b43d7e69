package external

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/engine/activity"
	"github.com/kubestep/kubestep/sim/observe/workqueue"
)

// Options describe a program.
type Options struct {
	// Path is the program, and Args are its arguments.
	Path string
	Args []string
	// Env is its environment: NAME=value. It gets nothing of the environment of kubestep.
	Env []string
	// Patience is how long it may work, in real time, until all of its goroutines wait. Default 10s.
	Patience time.Duration
}

// Program runs the program at path as a controller.
func Program(path string, args ...string) controllers.Custom {
	return Controller(Options{Path: path, Args: args})
}

// Controller runs a program as a controller. It must not be called within a simulation.
func Controller(options Options) controllers.Custom {
	options.Patience = cmp.Or(options.Patience, 10*time.Second)
	startOutside()
	return func(ctx context.Context, clients controllers.Clients) error {
		transport, err := transportOf(clients)
		if err != nil {
			return err
		}
		s := &session{
			options: options, clients: clients, engine: controllers.SimulationOf(clients).Engine, transport: transport,
			log: klog.FromContext(ctx).WithName(clients.Name()), context: ctx,
			under: map[uint64]context.CancelFunc{}, ended: make(chan struct{}),
			queues: map[string]workqueue.Queue{}, tasks: map[uint64]*activity.Activity{},
			base: &activity.Activity{Actor: clients.Name()},
		}
		s.requests, s.disconnect = context.WithCancel(ctx)
		return s.run()
	}
}

// transportOf is the way to the API server. The program limits its own requests, as on a cluster.
func transportOf(clients controllers.Clients) (http.RoundTripper, error) {
	config, err := clients.Config()
	if err != nil {
		return nil, err
	}
	controllers.SimulationOf(clients).LimitTo(clients.Name(), 0, 0)
	return rest.TransportFor(config)
}

// session is one life of a program.
type session struct {
	options   Options
	clients   controllers.Clients
	engine    *engine.Engine
	transport http.RoundTripper
	context   context.Context
	process   *process
	// requests is the context of all requests, and disconnect ends it: watches last as long as the program lives. running counts
	// the requests under way.
	requests   context.Context
	disconnect context.CancelFunc
	running    sync.WaitGroup

	// The engine's goroutine alone uses these. timer asks for a turn when the program's next timer is due.
	timer *time.Timer
	// queues and tasks are those of the program: its work queues, and what its syncs are here.
	queues map[string]workqueue.Queue
	tasks  map[uint64]*activity.Activity
	base   *activity.Activity
	// worked means that the program had a turn, and logged is how much of its output is in the trace.
	worked bool
	logged int64
	log    klog.Logger
	// err is why the program ended; ended closes then.
	err   error
	ended chan struct{}

	mu sync.Mutex
	// arrived is what the program does not have yet, and asked that its turn is scheduled.
	arrived []arrival
	asked   bool
	dead    bool
	// under are the requests under way.
	under map[uint64]context.CancelFunc
}

// run starts the program and waits for its end, or for that of its process in the simulation.
func (s *session) run() error {
	var err error
	defer s.disconnect()
	outside(func() { s.process, err = start(s.clients.Name(), s.options) })
	if err != nil {
		return fmt.Errorf("the program does not start: %w", err)
	}
	s.process.send(hello{
		Version: frameVersion, Name: s.clients.Name(), Seed: s.seed(), Now: s.engine.Date().UnixNano(),
	})
	s.ask()
	select {
	case <-s.context.Done():
	case <-s.ended:
	}
	s.mu.Lock()
	s.dead = true
	s.mu.Unlock()
	outside(s.process.kill)
	s.disconnect()
	s.running.Wait()
	return s.judge(s.err)
}

// seed is another one after each restart: what a program calls itself in an election must not be what it was called before.
func (s *session) seed() uint64 {
	return engine.Hash(controllers.SimulationOf(s.clients).Seed(), fmt.Sprintf("external|%s|%d", s.clients.Name(), s.clients.Restarts()))
}

// judge makes the exit of a program that worked a crash; everything else is the error of a controller.
func (s *session) judge(err error) error {
	var exit *exitError
	var slow *busyError
	if errors.As(err, &slow) {
		return slow.fault(s.clients.Name(), s.worked)
	}
	if !errors.As(err, &exit) {
		return err
	}
	if panicked := exit.panicked(); panicked != "" {
		return controllers.Panicked(s.clients.Name(), panicked, []byte(exit.said))
	}
	if !s.worked {
		return exit.early(s.clients.Name())
	}
	s.log.Error(nil, exit.Error())
	s.clients.Exit(exit.Error())
	return nil
}

// ask schedules a turn of the program for when the simulation is quiescent.
func (s *session) ask() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asked || s.dead {
		return
	}
	s.asked = true
	s.engine.Schedule(&engine.Event{Key: "external|" + s.clients.Name(), Run: s.turn})
}

// turn lets the program continue, and waits in real time until all of its goroutines wait again.
func (s *session) turn() {
	s.mu.Lock()
	next := resume{Now: s.engine.Date().UnixNano(), Arrived: s.arrived}
	s.arrived, s.asked = nil, false
	dead := s.dead
	s.mu.Unlock()
	if dead || s.context.Err() != nil {
		return
	}
	done, err := s.process.exchange(next, s.options.Patience)
	s.report()
	if err != nil {
		s.end(err)
		return
	}
	s.worked = true
	s.observe(done.Notes)
	for _, id := range done.Canceled {
		s.mu.Lock()
		cancel := s.under[id]
		s.mu.Unlock()
		if cancel != nil {
			cancel()
		}
	}
	for _, sent := range done.Sent {
		s.carry(sent)
	}
	s.forget(done.Notes)
	if s.timer != nil {
		s.timer.Stop()
	}
	if done.Next != 0 {
		s.timer = time.AfterFunc(time.Unix(0, done.Next).Sub(s.engine.Date()), s.ask)
	}
	if done.Returned {
		s.end(&exitError{problem: done.Problem})
	}
}

// end ends the life of a program that has ended itself.
func (s *session) end(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.dead {
		s.dead, s.err = true, err
		close(s.ended)
	}
}

// carry sends a request to the API server, on a goroutine of its own.
func (s *session) carry(sent request) {
	ctx, cancel := context.WithCancel(s.requests)
	s.mu.Lock()
	s.under[sent.ID] = cancel
	s.mu.Unlock()
	works := s.activity(sent.Task)
	s.running.Go(func() {
		defer cancel()
		controllers.SimulationOf(s.clients).Activities.Enter(works)
		if err := s.answer(ctx, sent); err != nil {
			s.arrive(arrival{ID: sent.ID, Failed: err.Error(), Last: true})
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.under, sent.ID)
	})
}

// answer passes the parts of a response on as they arrive.
func (s *session) answer(ctx context.Context, sent request) error {
	r, err := sent.http(ctx)
	if err != nil {
		return err
	}
	response, err := s.transport.RoundTrip(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	s.arrive(arrival{ID: sent.ID, Status: response.StatusCode, Header: response.Header})
	buffer := make([]byte, 4<<10)
	for {
		n, err := response.Body.Read(buffer)
		last := errors.Is(err, io.EOF)
		if n > 0 || last {
			s.arrive(arrival{ID: sent.ID, Data: slices.Clone(buffer[:n]), Last: last})
		}
		if last {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// arrive hands a part of a response to the program's next turn. Parts of one response that come together become one.
func (s *session) arrive(part arrival) {
	s.mu.Lock()
	if n := len(s.arrived); n > 0 && s.arrived[n-1].ID == part.ID {
		before := &s.arrived[n-1]
		before.Data = append(before.Data, part.Data...)
		before.Last, before.Failed = part.Last, part.Failed
	} else {
		s.arrived = append(s.arrived, part)
	}
	s.mu.Unlock()
	s.ask()
}
