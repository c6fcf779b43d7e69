package teach

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/reading/localization"
	"github.com/kubestep/kubestep/scenarios/web/page"
	"github.com/kubestep/kubestep/scenarios/web/teach/internal/classroom"
)

// server serves one class.
type server struct {
	class  *classroom.Class
	course *course
	// code lets students in, key the presenter.
	code, key string
	names     *identities
	// begin is when the class began, in real time.
	begin time.Time
	// ends is the context of the server: lessons are made in it.
	ends context.Context
	// title is what the class is about, and language that of the pages.
	title    string
	language *localization.Language
	// student and presenter are the pages.
	student, presenter document
	// playground hands out the files of the playground; nil if there is none.
	playground http.Handler

	addresses, students, newcomers *limits
}

const (
	// maxBody is the largest request, in bytes.
	maxBody = 2048
	// wait is how long a page waits for news before it asks again. A page that hears nothing for longer says that it has no connection
	// (patience in scenarios/web/page/class).
	wait = 5 * time.Second
	// longest is how long the engine of the playground may take over a slow network.
	longest = 10 * time.Minute
)

// newServer is the server of a class. Its pages come with open.
func newServer(ctx context.Context, course *course, title string, language *localization.Language) *server {
	s := &server{
		class: classroom.New(), course: course, code: secret(6), key: secret(26), begin: time.Now(), ends: ctx, title: title,
		language:  language,
		addresses: newLimits(perAddress), students: newLimits(perStudent), newcomers: newLimits(newcomers),
	}
	s.names = newIdentities(s.code)
	return s
}

// open makes the pages. Doors are the addresses under which students reach the class.
func (s *server) open(doors []page.Door) error {
	var err error
	if s.student, err = documentOf(page.Classroom{Title: s.title, Part: page.Student, Language: s.language}); err != nil {
		return err
	}
	s.presenter, err = documentOf(page.Classroom{
		Title: s.title, Part: page.Presenter, Doors: doors, Code: s.code, Course: s.course.entries, Playground: s.playground != nil,
		Language: s.language,
	})
	return err
}

// secret is a random text of letters and digits that cannot be confused with each other: w looks like two v.
func secret(length int) string {
	const letters = "abcdefghjkmnpqrstuvxyz23456789"
	random := make([]byte, length)
	rand.Read(random)
	for i, b := range random {
		random[i] = letters[int(b)%len(letters)]
	}
	return string(random)
}

// handler routes the requests. Everything but the form and the playground needs the code or the key.
func (s *server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.enter)
	mux.HandleFunc("GET /present", s.leads(func(w http.ResponseWriter, r *http.Request) { s.presenter.write(w, r, htmlType) }))
	mux.HandleFunc("GET /lesson", s.lesson)
	mux.HandleFunc("GET /state", s.state)
	mux.HandleFunc("POST /vote", s.vote)
	mux.HandleFunc("POST /lead", s.leads(s.lead))
	mux.HandleFunc("GET /report.json", s.leads(s.reportJSON))
	mux.HandleFunc("GET /report.md", s.leads(s.reportMarkdown))
	mux.HandleFunc("/playground/", s.play)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Cache-Control", "no-store")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("X-Frame-Options", "SAMEORIGIN")
		if !s.allows(r) {
			s.tooMany(w, r)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		mux.ServeHTTP(w, r)
	})
}

// allows applies the limits. Who floods the server from the address of the presenter or of other students must not stop them.
func (s *server) allows(r *http.Request) bool {
	if has(r.URL.Query(), "key", s.key) {
		return true
	}
	if id := s.names.of(r); id != "" && s.class.Knows(id) {
		return s.students.allow(id)
	}
	return s.addresses.allow(address(r))
}

// tooMany refuses a request. A page that a person has opened tries again.
func (s *server) tooMany(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Retry-After", "2")
	if r.URL.Path == "/" {
		w.Header().Set("Refresh", "2")
	}
	http.Error(w, "too many requests at once: this page tries again", http.StatusTooManyRequests)
}

// has reports whether a request has a secret in its query. The comparison takes the same time however much of it is right.
func has(query url.Values, name, secret string) bool {
	return subtle.ConstantTimeCompare([]byte(query.Get(name)), []byte(secret)) == 1
}

// leads is for the presenter only.
func (s *server) leads(handle http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !has(r.URL.Query(), "key", s.key) {
			http.Error(w, "this address is for the presenter", http.StatusForbidden)
			return
		}
		handle(w, r)
	}
}

// now is how long the class has lasted.
func (s *server) now() time.Duration { return time.Since(s.begin) }

// until waits for news, and reports whether there is some.
func (s *server) until(r *http.Request, news <-chan struct{}) bool {
	late := time.NewTimer(wait)
	defer late.Stop()
	select {
	case <-news:
		return true
	case <-late.C:
	case <-r.Context().Done():
	}
	return false
}

// enter is the page of a student, or the form that asks for the code.
func (s *server) enter(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", htmlType)
	switch query := r.URL.Query(); {
	case has(query, "code", s.code):
		s.names.issue(w, r)
		s.student.write(w, r, htmlType)
	case query.Has("code"):
		w.WriteHeader(http.StatusForbidden)
		w.Write(page.Join(s.language, s.title, s.language.Page("This is not the code of this class.")))
	default:
		w.Write(page.Join(s.language, s.title, ""))
	}
}

// lesson is what the player shows: the open lesson, for the presenter any that is made.
func (s *server) lesson(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	name := query.Get("name")
	open, _ := s.class.Student("")
	switch {
	case !has(query, "key", s.key) && !has(query, "code", s.code):
		http.Error(w, "wrong code", http.StatusForbidden)
	case name != open.Lesson || s.course.made(name) == nil:
		http.Error(w, "this lesson is not open", http.StatusNotFound)
	default:
		document{packed: s.course.made(name).data}.write(w, r, "application/json")
	}
}

// play hands out the playground.
func (s *server) play(w http.ResponseWriter, r *http.Request) {
	if s.playground == nil {
		http.Error(w, "this server has no playground", http.StatusNotFound)
		return
	}
	// It has limits of its own. A writer without deadlines, as in tests, needs none.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(longest))
	http.StripPrefix("/playground", s.playground).ServeHTTP(w, r)
}

const htmlType = "text/html; charset=utf-8"

// document is an answer that is compressed once.
type document struct{ packed []byte }

func documentOf(c page.Classroom) (document, error) {
	text, err := c.Page()
	if err != nil {
		return document{}, err
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(text); err != nil {
		return document{}, err
	}
	err = w.Close()
	return document{packed.Bytes()}, err
}

// write answers with the document, compressed if the browser takes that.
func (d document) write(w http.ResponseWriter, r *http.Request, kind string) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Vary", "Accept-Encoding")
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		w.Header().Set("Content-Encoding", "gzip")
		w.Write(d.packed)
		return
	}
	plain, err := gzip.NewReader(bytes.NewReader(d.packed))
	if err == nil {
		_, _ = io.Copy(w, plain)
	}
}
