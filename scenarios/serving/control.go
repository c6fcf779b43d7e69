package serving

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/kubestep/kubestep/scenarios/session"
	"github.com/kubestep/kubestep/sim/live"
)

// The server has an API of its own beside that of Kubernetes, for kubestep step.
const controlPath = "/kubestep/"

// state is how far the simulation is: the answer to every request of this API.
type state struct {
	// Seconds is the virtual time.
	Seconds float64 `json:"seconds"`
	// Speed is 0 while time stands still.
	Speed      float64 `json:"speed"`
	UntilQuiet bool    `json:"untilQuiet,omitempty"`
	Writes     int     `json:"writes"`
	Error      string  `json:"error,omitempty"`
}

// control answers the requests of kubestep step, and passes all others to the session.
type control struct{ session *session.Session }

func newControl(s *session.Session) http.Handler {
	c := control{s}
	mux := http.NewServeMux()
	mux.Handle("/", s)
	for name, do := range map[string]func(context.Context, string) error{
		"step": c.step, "until": c.until, "pause": c.pause, "speed": c.speed, "until-quiet": c.untilQuiet,
	} {
		mux.HandleFunc("POST "+controlPath+name, func(w http.ResponseWriter, r *http.Request) {
			if !s.Authorized(r) {
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			c.answer(w, do(r.Context(), r.URL.Query().Get("value")))
		})
	}
	mux.HandleFunc("GET "+controlPath+"scenario", func(w http.ResponseWriter, r *http.Request) {
		if !s.Authorized(r) {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		now, _ := s.Door.Now()
		text, err := s.Scenario(now.Truncate(time.Millisecond) + time.Millisecond)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/yaml")
		_, _ = w.Write(text)
	})
	return mux
}

// answer says where the simulation is.
func (c control) answer(w http.ResponseWriter, err error) {
	now, pace := c.session.Door.Now()
	writes, _ := c.session.Steps()
	out := state{Seconds: now.Seconds(), Speed: pace.Speed, UntilQuiet: pace.UntilQuiet, Writes: writes}
	code := http.StatusOK
	if err != nil {
		out.Error, code = err.Error(), http.StatusBadRequest
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(out)
}

// step lets a span of time pass.
func (c control) step(ctx context.Context, value string) error {
	span, err := time.ParseDuration(value)
	if err != nil || span <= 0 {
		return fmt.Errorf("%q is not a duration such as 5s", value)
	}
	return c.session.Door.Step(ctx, span)
}

// until lets time pass until a condition holds.
func (c control) until(ctx context.Context, value string) error {
	condition, err := c.session.Condition(value)
	if err != nil {
		return err
	}
	var failed error
	err = c.session.Door.Until(ctx, func() bool {
		holds, err := condition()
		failed = err
		return holds || err != nil
	})
	return errors.Join(err, failed)
}

func (c control) pause(context.Context, string) error {
	c.session.Door.SetPace(live.Pace{})
	return nil
}

func (c control) untilQuiet(context.Context, string) error {
	c.session.Door.SetPace(live.Pace{UntilQuiet: true})
	return nil
}

func (c control) speed(_ context.Context, value string) error {
	speed, err := strconv.ParseFloat(value, 64)
	if err != nil || !(speed > 0 && speed <= speedMax) {
		return fmt.Errorf("%q is not a speed between 0 and %d", value, speedMax)
	}
	c.session.Door.SetPace(live.Pace{Speed: speed})
	return nil
}
