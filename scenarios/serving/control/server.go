package control

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/kubestep/kubestep/scenarios/explore/branch"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/serving/internal/session"
	"github.com/kubestep/kubestep/sim/network/live"
)

// path is where this API begins.
const path = "/kubestep/"

// SpeedMax is faster than any machine.
const SpeedMax = 100_000

// State is how far the simulation is.
type State struct {
	// Seconds is the virtual time.
	Seconds float64 `json:"seconds"`
	// Speed is 0 while time stands still.
	Speed      float64 `json:"speed"`
	UntilQuiet bool    `json:"untilQuiet,omitempty"`
	// Slower is how many times slower than Speed virtual time passes, because the machine has too much to do; 0 if it keeps pace.
	Slower float64 `json:"slower,omitempty"`
	// Moving means that time passes as fast as possible, because somebody moves it.
	Moving bool `json:"moving,omitempty"`
	// Writes is how many steps the session has, and Saved how many of them somebody has asked for as a scenario.
	Writes int `json:"writes"`
	Saved  int `json:"saved,omitempty"`
	// Open means that the scenario's own steps have been taken, and Ended that the session is over.
	Open  bool `json:"open,omitempty"`
	Ended bool `json:"ended,omitempty"`
	// Error is why a request was refused, and TimedOut means that what somebody waited for did not come in time.
	Error    string `json:"error,omitempty"`
	TimedOut bool   `json:"timedOut,omitempty"`
}

// At is the virtual time.
func (s State) At() time.Duration {
	return time.Duration(s.Seconds * float64(time.Second)).Round(time.Microsecond)
}

// Pace says how time passes.
func (s State) Pace() string {
	switch {
	case s.UntilQuiet:
		return "until quiet"
	case s.Speed == 0:
		return "paused"
	}
	if s.Slower > 0 {
		return fmt.Sprintf("speed %v, but %s", s.Speed, TimesSlower(s.Slower))
	}
	return fmt.Sprintf("speed %v", s.Speed)
}

// TimesSlower says how many times slower something is: "3.2 times slower".
func TimesSlower(factor float64) string {
	const exact, most = 10, 100
	switch {
	case factor > most:
		return "more than 100 times slower"
	case factor >= exact:
		return fmt.Sprintf("%.0f times slower", factor)
	}
	return fmt.Sprintf("%.1f times slower", factor)
}

// Server answers the requests of this API, and passes all others to the session. It is an http.Handler.
type Server struct {
	http.Handler
	session *session.Session
	about   Session
	tape    *tape
}

// NewServer returns the server of a session. Close it when no client is connected any more.
func NewServer(s *session.Session, about Session) (*Server, error) {
	tape, err := newTape()
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	c := &Server{mux, s, about, tape}
	mux.Handle("/", s)
	for name, do := range map[string]func(context.Context, string) error{
		"step": c.step, "next": c.next, "pause": c.pause, "speed": c.speed, "until-quiet": c.untilQuiet, "do": c.do, "end": c.end,
	} {
		c.handle(mux, "POST", name, func(w http.ResponseWriter, r *http.Request) {
			c.answer(w, do(r.Context(), r.URL.Query().Get("value")))
		})
	}
	c.handle(mux, "POST", "until", func(w http.ResponseWriter, r *http.Request) {
		c.answer(w, c.until(r.Context(), r.URL.Query().Get("value"), r.URL.Query().Get("timeout")))
	})
	c.handle(mux, "GET", "session", c.says)
	c.handle(mux, "GET", "scenario", c.scenario)
	c.handle(mux, "GET", "trace", c.trace)
	return c, nil
}

// handle answers requests that have the token.
func (c *Server) handle(mux *http.ServeMux, method, name string, answer http.HandlerFunc) {
	mux.HandleFunc(method+" "+path+name, func(w http.ResponseWriter, r *http.Request) {
		if !c.session.IsAuthorized(r) {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		answer(w, r)
	})
}

// state is how far the simulation is now.
func (c *Server) state() State {
	now, pace := c.session.Door.Now()
	writes, _ := c.session.Steps()
	return State{
		Seconds: now.Seconds(), Speed: pace.Speed, UntilQuiet: pace.UntilQuiet, Moving: c.session.Door.IsMoving(), Writes: writes,
		Saved: c.session.Saved(), Open: c.session.Door.IsOpen(), Slower: c.session.Door.Slower(),
	}
}

// answer says where the simulation is.
func (c *Server) answer(w http.ResponseWriter, err error) {
	out, code := c.state(), http.StatusOK
	if err != nil {
		out.Error, code = err.Error(), http.StatusBadRequest
		out.TimedOut = errors.Is(err, errTimedOut)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(out)
}

// says says what the session is of, and where it is.
func (c *Server) says(w http.ResponseWriter, _ *http.Request) {
	state := c.state()
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(message{&c.about, &state})
}

// scenario is the session so far.
func (c *Server) scenario(w http.ResponseWriter, r *http.Request) {
	now, _ := c.session.Door.Now()
	ask := c.session.Scenario
	if r.URL.Query().Get(purpose) == forBranch {
		ask = c.session.Past
	}
	text, err := ask(now.Truncate(time.Millisecond) + time.Millisecond)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/yaml")
	_, _ = w.Write(text)
}

// end ends the session, as Ctrl-C does. The answer comes before that.
func (c *Server) end(context.Context, string) error {
	go c.session.Door.Stop()
	return nil
}

// step lets a span of time pass.
func (c *Server) step(ctx context.Context, value string) error {
	span, err := time.ParseDuration(value)
	if err != nil || span <= 0 {
		return fmt.Errorf("%q is not a duration such as 5s", value)
	}
	return c.session.Door.Step(ctx, span)
}

// errTimedOut means that what somebody waited for did not come in time.
var errTimedOut = errors.New("timed out")

// until lets time pass until a condition is true, for timeout at most; an empty one is WaitMax.
func (c *Server) until(ctx context.Context, value, timeout string) error {
	span := WaitMax
	if timeout != "" {
		var err error
		if span, err = time.ParseDuration(timeout); err != nil || span <= 0 {
			return fmt.Errorf("%q is not a duration such as 5s", timeout)
		}
	}
	condition, err := c.session.Condition(value)
	if err != nil {
		return err
	}
	var holds bool
	var failed error
	err = c.session.Door.Until(ctx, span, func() bool {
		holds, failed = condition()
		return holds || failed != nil
	})
	if err = errors.Join(err, failed); err == nil && !holds {
		err = fmt.Errorf("%w after %s of virtual time: %s is false", errTimedOut, span, value)
	}
	return err
}

// WaitMax is how long until and next let virtual time pass, as a step with the verb wait does.
const WaitMax = format.DefaultWaitTimeout

// next lets time pass until the trace has another record of some kind.
func (c *Server) next(ctx context.Context, value string) error {
	count, ok := c.tape.marked(value)
	if !ok {
		return fmt.Errorf("%q is not one of: %s", value, Marks())
	}
	found := false
	err := c.session.Door.Until(ctx, WaitMax, func() bool {
		after, _ := c.tape.marked(value)
		found = after > count
		return found
	})
	if err == nil && !found {
		err = fmt.Errorf("%w: no %s in %s of virtual time", errTimedOut, value, WaitMax)
	}
	return err
}

func (c *Server) pause(context.Context, string) error {
	c.session.Door.SetPace(live.Pace{})
	return nil
}

func (c *Server) untilQuiet(context.Context, string) error {
	c.session.Door.SetPace(live.Pace{UntilQuiet: true})
	return nil
}

func (c *Server) speed(_ context.Context, value string) error {
	speed, err := strconv.ParseFloat(value, 64)
	if err != nil || !(speed > 0 && speed <= SpeedMax) {
		return fmt.Errorf("%q is not a speed between 0 and %d", value, SpeedMax)
	}
	c.session.Door.SetPace(live.Pace{Speed: speed})
	return nil
}

// do takes a step.
func (c *Server) do(_ context.Context, value string) error {
	step, err := branch.Parse(value)
	if err != nil {
		return err
	}
	return c.session.Do(step)
}
