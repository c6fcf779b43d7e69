package teach

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/web/export"
	"github.com/kubestep/kubestep/scenarios/web/page"
	"github.com/kubestep/kubestep/scenarios/web/teach/internal/classroom"
	"github.com/kubestep/kubestep/sim/recording"
)

// lesson makes the page of a lesson.
func lesson(ctx context.Context, name string) (*page.Lesson, error) {
	titles := map[string]string{"create": "From a Deployment to running Pods", "reconcile-loop": "What a controller does"}
	rec, err := child.Run{File: name}.Record(ctx, recording.Origin{Name: name, Title: titles[name]}, nil)
	if err != nil {
		return nil, err
	}
	return page.New(rec)
}

// teaching is a server with a course of two lessons, the first of which is open.
func teaching(t *testing.T) (*server, string) {
	t.Helper()
	return teachingWith(t, lesson)
}

// branched makes the page of a lesson with the branches that it prepares, as teach does.
func branched(ctx context.Context, name string) (*page.Lesson, error) {
	return export.Lesson(ctx, cli.Streams{Out: io.Discard, Err: io.Discard}, name, nil)
}

func teachingWith(t *testing.T, lesson func(context.Context, string) (*page.Lesson, error)) (*server, string) {
	t.Helper()
	course, err := newCourse([]string{"create", "reconcile-loop"}, nil, lesson)
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(t.Context(), course, "A course", nil)
	doors, err := doorsOf([]string{"192.0.2.1:8080", "127.0.0.1:8080"}, s.code)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.open(doors); err != nil {
		t.Fatal(err)
	}
	made := course.get(t.Context(), "create")
	if made.err != nil {
		t.Fatal(made.err)
	}
	s.class.Prepare("create")
	s.class.Open(made.lesson)
	web := httptest.NewServer(s.handler())
	t.Cleanup(web.Close)
	return s, web.URL
}

// questions are those of the lesson that is open.
func (s *server) questions() []page.Question { return s.course.made("create").lesson.Questions }

// tallies are the votes that the presenter sees for a question.
func (s *server) tallies(step int) [2]map[string]int {
	now, _ := s.class.Presenter(s.now())
	return now.Tally[step]
}

// browser is a client with cookies, as that of a student.
type browser struct {
	t   *testing.T
	url string
	*http.Client
}

func newBrowser(t *testing.T, url string) browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return browser{t, url, &http.Client{Jar: jar, Timeout: time.Minute}}
}

// send sends a request and returns the status and the text of the answer.
func (b browser) send(method, path, body string) (int, string) {
	b.t.Helper()
	request, err := http.NewRequestWithContext(b.t.Context(), method, b.url+path, strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	response, err := b.Do(request)
	if err != nil {
		b.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

// ballot is the body of a vote.
func ballot(q page.Question, round int, text string) string {
	body, _ := json.Marshal(classroom.Ballot{Lesson: "create", Step: q.Step, Round: round, Text: text})
	return string(body)
}

// TestDoors tries each address without a secret, with that of a student, and with that of the presenter, and with bad requests.
func TestDoors(t *testing.T) {
	s, url := teaching(t)
	code, key := "?code="+s.code, "?key="+s.key
	first, second := s.questions()[0], s.questions()[1]
	place := func(beat int) string { return fmt.Sprintf(`{"do":"place","lesson":"create","at":%d}`, beat) }
	phase := func(name string) string { return fmt.Sprintf(`{"do":"phase","step":%d,"phase":%q}`, first.Step, name) }
	b := newBrowser(t, url)
	for _, test := range []struct {
		method, path, body string
		status             int
		says               string
	}{
		{"GET", "/", "", 200, "The code of the class"},
		{"GET", "/?code=wrong1", "", 403, "This is not the code of this class."},
		{"GET", "/state" + code, "", 401, "open the page of the class first"},
		{"POST", "/vote" + code, ballot(first, 0, first.Choices[0]), 401, "open the page of the class first"},
		{"GET", "/?code=" + s.code, "", 200, `"part":"student"`},
		{"GET", "/present", "", 403, "for the presenter"},
		{"GET", "/present" + code, "", 403, "for the presenter"},
		{"GET", "/present" + key, "", 200, `"part":"presenter"`},
		{"GET", "/state", "", 403, "wrong code"},
		{"GET", "/state?key=wrong", "", 403, "for the presenter"},
		{"GET", "/state" + code, "", 200, `"lesson":"create","at":0}`},
		{"GET", "/state" + key, "", 200, `"joined":1,"here":1}`},
		{"GET", "/lesson" + code + "&name=create", "", 200, `"beats":[`},
		{"GET", "/lesson" + code + "&name=reconcile-loop", "", 404, "this lesson is not open"},
		{"GET", "/lesson?name=create", "", 403, "wrong code"},
		{"POST", "/lead" + code, place(3), 403, "for the presenter"},
		{"POST", "/lead" + key, place(-3), 400, "place is not possible now"},
		{"POST", "/lead" + key, place(99999), 400, "place is not possible now"},
		{"POST", "/lead" + key, `{"do":"dance"}`, 400, "no such command"},
		{"POST", "/lead" + key, `{"do":"open","lesson":"../../etc/passwd"}`, 400, "open is not possible now"},
		{"POST", "/lead" + key, `{"do":"playground","on":true}`, 400, "playground is not possible now"},
		{"GET", "/playground/", "", 404, "this server has no playground"},
		{"POST", "/lead" + key, place(1), 204, ""},
		{"POST", "/vote" + code, ballot(first, 0, first.Choices[0]), 409, "the question is not open"},
		{"POST", "/lead" + key, place(first.Asked), 204, ""},
		{"POST", "/vote" + code, `{`, 400, "no vote"},
		{"POST", "/vote" + code, ballot(first, 0, strings.Repeat("a", 5000)), 400, "no vote"},
		{"POST", "/vote" + code, ballot(first, 0, "your teacher smells"), 400, "no such choice"},
		{"POST", "/vote" + code, ballot(first, 0, ""), 400, "no such choice"},
		{"POST", "/vote" + code, ballot(page.Question{Step: 9999}, 0, "x"), 400, "no such question"},
		{"POST", "/vote" + code, ballot(second, 0, second.Choices[0]), 409, "the question is not open"},
		{"POST", "/vote" + code, ballot(first, 1, first.Choices[0]), 409, "the question is not open"},
		{"POST", "/vote" + code, ballot(first, 7, first.Choices[0]), 409, "the question is not open"},
		{"POST", "/vote" + code, ballot(first, 0, first.Choices[0]), 204, ""},
		{"POST", "/vote" + code, ballot(first, 0, first.Choices[1]), 204, ""},
		{"POST", "/lead" + key, phase("discuss"), 204, ""},
		{"POST", "/vote" + code, ballot(first, 0, first.Choices[2]), 409, "the question is not open"},
		{"POST", "/lead" + key, phase("again"), 204, ""},
		{"POST", "/vote" + code, ballot(first, 0, first.Choices[2]), 409, "the question is not open"},
		{"POST", "/vote" + code, ballot(first, 1, first.Choices[0]), 204, ""},
		{"POST", "/lead" + key, place(first.Asked + 1), 204, ""},
		{"POST", "/vote" + code, ballot(first, 1, first.Choices[2]), 409, "the question is not open"},
		{"POST", "/lead" + key, place(first.Asked), 204, ""},
		{"POST", "/vote" + code, ballot(first, 1, first.Choices[2]), 409, "the question is not open"},
		{"GET", "/report.md" + code, "", 403, "for the presenter"},
		{"GET", "/report.md" + key, "", 200, "| right | 100% of 1 | 0% of 1 |"},
		{"GET", "/report.json" + key, "", 200, `"votes":[{"voters":1,"right":1,"share":1,`},
		{"GET", "/../../etc/passwd", "", 404, ""},
		{"PUT", "/vote" + code, "", 405, ""},
	} {
		status, text := b.send(test.method, test.path, test.body)
		if status != test.status || !strings.Contains(text, test.says) {
			t.Errorf("%s %s %s answers %d and %.200q, not %d and %q", test.method, test.path, test.body, status, text, test.status, test.says)
		}
	}
	if got := s.tallies(first.Step); got[0][first.Choices[1]] != 1 || got[1][first.Choices[0]] != 1 || len(got[0])+len(got[1]) != 2 {
		t.Errorf("the votes are %v", got)
	}
}

// TestOneBrowserIsOneStudent reloads the page, opens it in a second tab, and invents names.
func TestOneBrowserIsOneStudent(t *testing.T) {
	s, url := teaching(t)
	first := s.questions()[0]
	s.class.Place("", "create", first.Asked)
	b := newBrowser(t, url)
	for _, choice := range first.Choices[:3] {
		b.send("GET", "/?code="+s.code, "")
		if status, text := b.send("POST", "/vote?code="+s.code, ballot(first, 0, choice)); status != http.StatusNoContent {
			t.Errorf("a vote is answered with %d: %s", status, text)
		}
	}
	forged := newBrowser(t, url)
	request, _ := http.NewRequestWithContext(t.Context(), "POST", url+"/vote?code="+s.code, strings.NewReader(ballot(first, 0, first.Choices[0])))
	request.AddCookie(&http.Cookie{Name: s.names.cookie, Value: "somebody." + strings.Repeat("A", 22)})
	response, err := forged.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusUnauthorized {
		t.Errorf("an invented name is answered with %d", response.StatusCode)
	}
	if got := s.tallies(first.Step)[0]; len(got) != 1 || got[first.Choices[2]] != 1 {
		t.Errorf("the votes are %v", got)
	}
}

// TestTheClassFollowsToTheNextLesson opens another lesson: the address of the class stays the same.
func TestTheClassFollowsToTheNextLesson(t *testing.T) {
	s, url := teaching(t)
	b := newBrowser(t, url)
	b.send("GET", "/?code="+s.code, "")
	_, before := b.send("GET", "/state?code="+s.code, "")
	if !strings.Contains(before, `"lesson":"create"`) {
		t.Errorf("the class begins with %s", before)
	}
	if status, text := b.send("POST", "/lead?key="+s.key, `{"do":"open","lesson":"reconcile-loop"}`); status != http.StatusNoContent {
		t.Fatalf("open answers %d: %s", status, text)
	}
	for range 20 {
		if _, text := b.send("GET", "/state?code="+s.code+"&since=1", ""); strings.Contains(text, `"lesson":"reconcile-loop"`) {
			return
		}
	}
	t.Error("the class does not follow")
}

// TestALessonThatFails says why, and the class stays where it is.
func TestALessonThatFails(t *testing.T) {
	course, err := newCourse([]string{"create", "reconcile-loop"}, nil, func(context.Context, string) (*page.Lesson, error) {
		return nil, fmt.Errorf("the run does not end")
	})
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(t.Context(), course, "A course", nil)
	s.choose(command{Lesson: "create"})
	for {
		now, news := s.class.Presenter(0)
		if now.Trouble != "" {
			if now.Trouble != "the run does not end" || now.Lesson != "" || now.Opening != "" {
				t.Errorf("the presenter sees %+v", now)
			}
			return
		}
		<-news
	}
}
