package teach

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/kubestep/kubestep/scenarios/web/page"
)

// server serves one class.
type server struct {
	class *class
	// code lets students in, key the presenter.
	code, key string
	// student and presenter are the pages, join asks for the code.
	student, presenter, join []byte
	beats                    int

	mu     sync.Mutex
	limits map[string]*rate.Limiter
}

// The rates at which one address may send, in requests a second. A class behind one router shares an address.
const (
	perSecond = 200
	burst     = 400
	// maxAddresses is how many addresses have limits of their own; the others share one.
	maxAddresses = 5000
	// maxBody is the largest request, in bytes.
	maxBody = 2048
	// wait is how long a page waits for news before it asks again. A page that hears nothing for longer says that it has no connection
	// (patience in scenarios/web/page/player/8-class.js).
	wait = 5 * time.Second
)

// newServer makes the pages of a lesson.
func newServer(lesson *page.Lesson) (*server, error) {
	s := &server{class: newClass(lesson.Questions()), code: secret(6), key: secret(26), limits: newLimits(), beats: len(lesson.Beats)}
	var err error
	if s.student, err = lesson.For(page.Student); err != nil {
		return nil, err
	}
	if s.presenter, err = lesson.For(page.Presenter); err != nil {
		return nil, err
	}
	s.join = page.Join(lesson.Title)
	return s, nil
}

func newLimits() map[string]*rate.Limiter { return map[string]*rate.Limiter{} }

// secret is a random text of letters and digits that cannot be confused with each other.
func secret(length int) string {
	const letters = "abcdefghjkmnpqrstuvwxyz23456789"
	random := make([]byte, length)
	rand.Read(random)
	for i, b := range random {
		random[i] = letters[int(b)%len(letters)]
	}
	return string(random)
}

// handler routes the requests. Everything but the form needs the code or the key.
func (s *server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.open)
	mux.HandleFunc("GET /present", s.present)
	mux.HandleFunc("GET /state", s.state)
	mux.HandleFunc("POST /place", s.place)
	mux.HandleFunc("POST /vote", s.vote)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Who floods the server from the presenter's own address must not stop the presenter.
		if !has(r.URL.Query(), "key", s.key) && !s.limit(r).Allow() {
			http.Error(w, "too many requests", http.StatusTooManyRequests)
			return
		}
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Referrer-Policy", "no-referrer")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("X-Frame-Options", "DENY")
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		mux.ServeHTTP(w, r)
	})
}

// limit is the limit of the address that sends a request.
func (s *server) limit(r *http.Request) *rate.Limiter {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.limits[host] == nil && len(s.limits) >= maxAddresses {
		host = ""
	}
	if s.limits[host] == nil {
		s.limits[host] = rate.NewLimiter(perSecond, burst)
	}
	return s.limits[host]
}

// has reports whether a request has a secret in its query. The comparison takes the same time however much of it is right.
func has(query url.Values, name, secret string) bool {
	return subtle.ConstantTimeCompare([]byte(query.Get(name)), []byte(secret)) == 1
}

func (s *server) open(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	switch query := r.URL.Query(); {
	case has(query, "code", s.code):
		w.Write(s.student)
	case query.Has("code"):
		w.WriteHeader(http.StatusForbidden)
		w.Write(s.join)
	default:
		w.Write(s.join)
	}
}

func (s *server) present(w http.ResponseWriter, r *http.Request) {
	if !has(r.URL.Query(), "key", s.key) {
		http.Error(w, "this address is for the presenter", http.StatusForbidden)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Write(s.presenter)
}

// state answers when there is news since a version, or after a while.
func (s *server) state(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	presenter := has(query, "key", s.key)
	if !presenter && !has(query, "code", s.code) {
		http.Error(w, "wrong code", http.StatusForbidden)
		return
	}
	since, err := strconv.Atoi(query.Get("since"))
	if err != nil {
		since = -1
	}
	late := time.After(wait)
	for {
		now, news := s.class.now(presenter)
		if now.Version != since {
			w.Header().Set("Content-Type", "application/json")
			json.NewEncoder(w).Encode(now)
			return
		}
		select {
		case <-news:
		case <-late:
			w.WriteHeader(http.StatusNoContent)
			return
		case <-r.Context().Done():
			return
		}
	}
}

func (s *server) place(w http.ResponseWriter, r *http.Request) {
	var to struct {
		At int `json:"at"`
	}
	switch {
	case !has(r.URL.Query(), "key", s.key):
		http.Error(w, "this address is for the presenter", http.StatusForbidden)
	case json.NewDecoder(r.Body).Decode(&to) != nil || to.At < 0 || to.At >= s.beats:
		http.Error(w, "no such place", http.StatusBadRequest)
	default:
		s.class.place(to.At)
		w.WriteHeader(http.StatusNoContent)
	}
}

func (s *server) vote(w http.ResponseWriter, r *http.Request) {
	var vote struct {
		Student string `json:"student"`
		Step    int    `json:"step"`
		Text    string `json:"text"`
	}
	switch {
	case !has(r.URL.Query(), "code", s.code):
		http.Error(w, "wrong code", http.StatusForbidden)
	case json.NewDecoder(r.Body).Decode(&vote) != nil || vote.Student == "" || len(vote.Student) > 64:
		http.Error(w, "no vote", http.StatusBadRequest)
	default:
		came := s.class.vote(vote.Student, vote.Step, vote.Text)
		if came == counted {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		http.Error(w, string(came), statuses[came])
	}
}

// statuses are the status codes of votes that do not count.
var statuses = map[receipt]int{
	full: http.StatusServiceUnavailable, unknown: http.StatusBadRequest, noChoice: http.StatusBadRequest, notOpen: http.StatusConflict,
}
