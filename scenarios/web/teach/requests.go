package teach

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"

	"github.com/kubestep/kubestep/scenarios/web/teach/internal/classroom"
)

// statuses are the status codes of requests of students that are refused.
var statuses = map[classroom.Receipt]int{
	classroom.Full: http.StatusServiceUnavailable, classroom.Locked: http.StatusLocked, classroom.Unknown: http.StatusBadRequest,
	classroom.NoChoice: http.StatusBadRequest, classroom.NotOpen: http.StatusConflict,
}

// join is the student who sends a request, who joins with the first one. It answers the request if that cannot be.
func (s *server) join(w http.ResponseWriter, r *http.Request) (id string, ok bool) {
	id = s.names.of(r)
	switch {
	case !has(r.URL.Query(), "code", s.code):
		http.Error(w, "wrong code", http.StatusForbidden)
	case id == "":
		http.Error(w, "open the page of the class first", http.StatusUnauthorized)
	case !s.class.Knows(id) && !s.newcomers.allow(address(r)):
		s.tooMany(w, r)
	default:
		came := s.class.Join(id, address(r), s.now())
		if came == classroom.Counted {
			return id, true
		}
		http.Error(w, string(came), statuses[came])
	}
	return "", false
}

// state answers when there is news since a version, or after a while. The presenter is answered in any case, since students may have
// lost their connections.
func (s *server) state(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	since, err := strconv.Atoi(query.Get("since"))
	if err != nil {
		since = -1
	}
	if query.Has("key") {
		s.leads(func(w http.ResponseWriter, r *http.Request) {
			now, news := s.class.Presenter(s.now())
			if now.Version == since {
				s.until(r, news)
				now, _ = s.class.Presenter(s.now())
			}
			answer(w, now)
		})(w, r)
		return
	}
	id, ok := s.join(w, r)
	if !ok {
		return
	}
	now, news := s.class.Student(id)
	if now.Version == since {
		if !s.until(r, news) {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		now, _ = s.class.Student(id)
	}
	answer(w, now)
}

func answer(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(value)
}

// vote takes the answer of a student.
func (s *server) vote(w http.ResponseWriter, r *http.Request) {
	id, ok := s.join(w, r)
	if !ok {
		return
	}
	var ballot classroom.Ballot
	if !decode(r, &ballot) {
		http.Error(w, "no vote", http.StatusBadRequest)
		return
	}
	came := s.class.Vote(id, s.now(), ballot)
	if came != classroom.Counted {
		http.Error(w, string(came), statuses[came])
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// command is what the presenter wants. Do says which of the others it is about.
type command struct {
	Do string `json:"do"`
	// Window is the one that sends it.
	Window string `json:"window"`
	// Lesson is the name of one, At a place in it, or Branch one in a branch of it.
	Lesson string            `json:"lesson"`
	At     int               `json:"at"`
	Branch *classroom.Branch `json:"branch"`
	// Step is a question, and Phase what comes next.
	Step    int             `json:"step"`
	Phase   classroom.Phase `json:"phase"`
	On      bool            `json:"on"`
	Address string          `json:"address"`
}

// commands are what the presenter can do, by their words. A command that is not possible returns false.
var commands = map[string]func(*server, command) bool{
	"open":       (*server).choose,
	"place":      (*server).place,
	"phase":      func(s *server, c command) bool { return s.class.Phase(c.Step, c.Phase) },
	"playground": func(s *server, c command) bool { return s.playground != nil && s.class.Playground(c.On) },
	"lock":       func(s *server, c command) bool { s.class.Lock(c.On); return true },
	"remove":     func(s *server, c command) bool { s.class.Remove(c.Address); return true },
	"clear":      func(s *server, _ command) bool { s.class.Clear(); return true },
}

// lead carries out a command of the presenter.
func (s *server) lead(w http.ResponseWriter, r *http.Request) {
	var c command
	if !decode(r, &c) || commands[c.Do] == nil {
		http.Error(w, "no such command", http.StatusBadRequest)
		return
	}
	if !commands[c.Do](s, c) {
		http.Error(w, c.Do+" is not possible now", http.StatusBadRequest)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// place goes to a place in the lesson, or in a branch of it.
func (s *server) place(c command) bool {
	if c.Branch != nil {
		return s.class.Show(c.Window, c.Lesson, *c.Branch)
	}
	return s.class.Place(c.Window, c.Lesson, c.At)
}

// choose opens a lesson as soon as it is made. An empty name is the way back to the list.
func (s *server) choose(c command) bool {
	if c.Lesson == "" {
		s.class.Open(nil)
		return true
	}
	if !s.course.has(c.Lesson) {
		return false
	}
	s.class.Prepare(c.Lesson)
	go func() {
		made := s.course.get(s.ends, c.Lesson)
		if made.err != nil {
			s.class.Fail(c.Lesson, made.err.Error())
			return
		}
		s.class.Open(made.lesson)
	}()
	return true
}

func (s *server) reportJSON(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Disposition", `attachment; filename="class.json"`)
	answer(w, s.class.Report())
}

func (s *server) reportMarkdown(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/markdown; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="class.md"`)
	_, _ = io.WriteString(w, markdown(s.class.Report(), s.language))
}

// decode reads the body of a request, which is one value.
func decode(r *http.Request, into any) bool {
	decoder := json.NewDecoder(r.Body)
	if decoder.Decode(into) != nil {
		return false
	}
	_, err := decoder.Token()
	return errors.Is(err, io.EOF)
}
