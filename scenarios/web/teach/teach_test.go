package teach

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/web/page"
	"github.com/kubestep/kubestep/sim/recording"
)

// serving serves the lesson create to a class.
func serving(t *testing.T) (*server, string) {
	t.Helper()
	rec, err := child.Run{File: "create"}.Record(t.Context(), recording.Origin{Name: "create", Title: "From a Deployment to running Pods"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	lesson, err := page.New(rec)
	if err != nil {
		t.Fatal(err)
	}
	s, err := newServer(lesson)
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(s.handler())
	t.Cleanup(web.Close)
	return s, web.URL
}

// failing is a server whose votes fail as the test says: with a status, or with none when the connection breaks.
type failing struct {
	http.Handler
	status atomic.Int32
}

const broken = -1

func (f *failing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch status := int(f.status.Load()); {
	case r.URL.Path != "/vote" || status == 0:
		f.Handler.ServeHTTP(w, r)
	case status == broken:
		panic(http.ErrAbortHandler)
	default:
		http.Error(w, "no", status)
	}
}

// TestDoors tries each address without a secret, with that of a student, and with that of the presenter, and with bad requests.
func TestDoors(t *testing.T) {
	s, url := serving(t)
	code, key := "?code="+s.code, "?key="+s.key
	first, second := s.class.questions[0], s.class.questions[1]
	at := func(beat int) string { return fmt.Sprintf(`{"at":%d}`, beat) }
	vote := func(q page.Question, text string) string {
		return fmt.Sprintf(`{"student":"a","step":%d,"text":%q}`, q.Step, text)
	}
	for _, test := range []struct {
		method, path, body string
		status             int
		says               string
	}{
		{"GET", "/", "", 200, "The code of the class"},
		{"GET", "/?code=wrong1", "", 403, "The code of the class"},
		{"GET", "/" + code, "", 200, `id="lesson"`},
		{"GET", "/present", "", 403, "for the presenter"},
		{"GET", "/present" + code, "", 403, "for the presenter"},
		{"GET", "/present" + key, "", 200, `id="lesson"`},
		{"GET", "/state", "", 403, "wrong code"},
		{"GET", "/state" + code, "", 200, `"at":0}`},
		{"GET", "/state" + key, "", 200, `"at":0}`},
		{"POST", "/place" + code, `{"at":3}`, 403, "for the presenter"},
		{"POST", "/place" + key, `{"at":-3}`, 400, "no such place"},
		{"POST", "/place" + key, `{"at":99999}`, 400, "no such place"},
		{"POST", "/place" + key, `{"at":1}`, 204, ""},
		{"POST", "/vote", vote(first, first.Choices[0]), 403, "wrong code"},
		{"POST", "/vote" + code, vote(first, first.Choices[0]), 409, "the question is not open"},
		{"POST", "/place" + key, at(first.Asked), 204, ""},
		{"POST", "/vote" + code, `{`, 400, "no vote"},
		{"POST", "/vote" + code, `{"student":"` + strings.Repeat("a", 5000) + `","step":2,"text":"x"}`, 400, "no vote"},
		{"POST", "/vote" + code, vote(first, "your teacher smells"), 400, "no such choice"},
		{"POST", "/vote" + code, `{"student":"a","step":9999,"text":"x"}`, 400, "no such question"},
		{"POST", "/vote" + code, vote(second, second.Choices[0]), 409, "the question is not open"},
		{"POST", "/vote" + code, vote(first, first.Choices[0]), 204, ""},
		{"POST", "/vote" + code, vote(first, first.Choices[1]), 204, ""},
		{"POST", "/place" + key, at(first.Asked + 1), 204, ""},
		{"POST", "/vote" + code, vote(first, first.Choices[2]), 409, "the question is not open"},
		{"POST", "/place" + key, at(first.Asked), 204, ""},
		{"POST", "/vote" + code, vote(first, first.Choices[2]), 409, "the question is not open"},
		{"GET", "/../../etc/passwd", "", 404, ""},
		{"PUT", "/vote" + code, "", 405, ""},
	} {
		request, err := http.NewRequestWithContext(t.Context(), test.method, url+test.path, strings.NewReader(test.body))
		if err != nil {
			t.Fatal(err)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(response.Body)
		response.Body.Close()
		if response.StatusCode != test.status || !strings.Contains(string(text), test.says) {
			t.Errorf("%s %s answers %d and %.100q, not %d and %q", test.method, test.path, response.StatusCode, text, test.status, test.says)
		}
	}
	now, _ := s.class.now(true)
	if now.At != first.Asked || len(now.Tally) != 1 || len(now.Tally[first.Step]) != 1 || now.Tally[first.Step][first.Choices[1]] != 1 {
		t.Errorf("the class is %+v", now)
	}
}

// TestAClassIsFull holds the bounds of what a class keeps.
func TestAClassIsFull(t *testing.T) {
	c := newClass([]page.Question{{Step: 1}})
	for i := range maxStudents {
		if came := c.vote(fmt.Sprint("student-", i), 1, fmt.Sprint("answer ", i)); came != counted {
			t.Fatalf("student %d: %s", i, came)
		}
	}
	if c.vote("one more", 1, "a") != full || c.vote("student-7", 1, strings.Repeat("é", 200)) != counted {
		t.Error("a full class lets students in, or those out that it knows")
	}
	now, _ := c.now(true)
	if kept := c.votes[1]["student-7"]; kept != strings.Repeat("é", maxAnswer) {
		t.Errorf("of a long answer, %q is kept", kept)
	}
	if len(now.Tally[1]) > maxTexts+1 || now.Tally[1][other] == 0 {
		t.Errorf("%d different answers are kept", len(now.Tally[1]))
	}
}

// TestRateLimit floods the server from one address.
func TestRateLimit(t *testing.T) {
	s := &server{class: newClass(nil), code: "c", key: "k", limits: newLimits(), beats: 1, join: []byte("join")}
	refused := 0
	for range 3 * burst {
		w := httptest.NewRecorder()
		s.handler().ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
		if w.Code == http.StatusTooManyRequests {
			refused++
		}
	}
	if refused == 0 {
		t.Error("nothing is refused")
	}
	w := httptest.NewRecorder()
	s.handler().ServeHTTP(w, httptest.NewRequest("GET", "/state?key=k&since=-1", nil))
	if w.Code != http.StatusOK {
		t.Errorf("the flood stops the presenter: %d", w.Code)
	}
}

// TestClassInBrowsers is a presenter and two students: the pages of the students follow, and the presenter sees what they answer.
func TestClassInBrowsers(t *testing.T) {
	s, url := serving(t)
	tab := browser(t)
	presenter := tab(url + "/present?key=" + s.key)
	one, two := tab(url+"/?code="+s.code), tab(url+"/?code="+s.code)
	two(chromedp.EmulateViewport(390, 844))
	presenter(chromedp.KeyEvent("]"), chromedp.KeyEvent("]"), chromedp.KeyEvent("]"), chromedp.WaitVisible(question))
	seen := func(selector string) chromedp.Action {
		return chromedp.Poll(fmt.Sprintf(`(() => {
			const box = document.querySelector(%q).getBoundingClientRect();
			return box.top >= 0 && box.bottom <= document.querySelector(".controls").getBoundingClientRect().top;
		})()`, selector), nil, chromedp.WithPollingTimeout(10*time.Second))
	}
	two(seen(question+" h2"), seen(question+" .choices button:last-child"))
	one(says(question, "Who creates the"), chromedp.Click(".choices button:nth-child(2)"), says(question, "You answered: the ReplicaSet controller"))
	two(says(question, "Who creates the"), chromedp.KeyEvent("a"), says(question, "You answered: the Deployment controller"))
	presenter(says(question, "2 answers so far"), chromedp.Click(question+" .main"), chromedp.WaitVisible(answer))
	var rows string
	presenter(chromedp.Evaluate(`[...document.querySelectorAll(".histogram .bar")].map((row) =>
		[...row.children].map((part) => part.innerText || part.firstElementChild.style.width).join(" | ")).join("\n")`, &rows))
	if want := `A the Deployment controller | 100% | 1
B the ReplicaSet controller ✓ right | 100% | 1
C the scheduler | 0% | 0
D the kubelet | 0% | 0`; rows != want {
		t.Errorf("the presenter sees\n%s\nnot\n%s", rows, want)
	}
	one(says(answer, "you were right"))
	two(says(answer, "your answer: the Deployment controller"), seen(answer+" h2"))
	two(chromedp.KeyEvent(" "), says(answer, "your answer"))
}

// browser starts a browser, and returns what opens pages in it.
func browser(t *testing.T) (tab func(address string) func(...chromedp.Action)) {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no browser is installed: chromium")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox)
	all, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	return func(address string) func(...chromedp.Action) {
		ctx, cancel := chromedp.NewContext(all)
		t.Cleanup(cancel)
		ctx, cancel = context.WithTimeout(ctx, time.Minute)
		t.Cleanup(cancel)
		do := func(actions ...chromedp.Action) {
			t.Helper()
			if err := chromedp.Run(ctx, actions...); err != nil {
				t.Fatal(err)
			}
		}
		do(chromedp.Navigate(address), chromedp.WaitVisible("h1", chromedp.ByQuery))
		return do
	}
}

// says waits for a text in an element.
func says(selector, text string) chromedp.Action {
	return chromedp.Poll(fmt.Sprintf(`((document.querySelector(%q) || {}).innerText || "").includes(%q)`, selector, text), nil)
}

const question, answer = `[aria-label="question"]`, `[aria-label="answer"]`

// TestAVoteThatDoesNotArrive votes while the server cannot be reached, refuses, and answers again. The page says what is the case; the
// vote is given only when the server has it, and it is the last one that the student chose.
func TestAVoteThatDoesNotArrive(t *testing.T) {
	tab := browser(t)
	s, _ := serving(t)
	fails := &failing{Handler: s.handler()}
	web := httptest.NewServer(fails)
	t.Cleanup(web.Close)
	first := s.class.questions[0]
	s.class.place(first.Asked)
	one := tab(web.URL + "/?code=" + s.code)
	votes := func() map[string]int {
		now, _ := s.class.now(true)
		return now.Tally[first.Step]
	}
	fails.status.Store(broken)
	one(chromedp.WaitVisible(question), chromedp.KeyEvent("a"), says(question, "Not sent: no connection, trying again."))
	for status, text := range map[int]string{429: "too many requests at once", 503: "the class is full"} {
		fails.status.Store(int32(status))
		one(says(question, "Not sent: "+text+", trying again."))
	}
	one(chromedp.KeyEvent("b"))
	if got := votes(); len(got) != 0 {
		t.Errorf("the server has %v", got)
	}
	fails.status.Store(0)
	one(says(question, "You answered: "+first.Choices[1]))
	if got := votes(); len(got) != 1 || got[first.Choices[1]] != 1 {
		t.Errorf("the server has %v", got)
	}
	fails.status.Store(403)
	one(chromedp.KeyEvent("c"), says(question, "Not sent: this class is over"))
	one(network.EmulateNetworkConditions(true, 0, -1, -1), says(".controls", "no connection to the presenter"))
	if got := votes(); len(got) != 1 || got[first.Choices[1]] != 1 {
		t.Errorf("at the end, the server has %v", got)
	}
}
