package teach

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/kubestep/kubestep/scenarios/child"
	"github.com/kubestep/kubestep/scenarios/command"
	"github.com/kubestep/kubestep/scenarios/page"
	"github.com/kubestep/kubestep/sim/recording"
)

// asKubestep makes the test binary be kubestep: recordings are made by processes of their own.
const asKubestep = "KUBESTEP_TEACH_TEST_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(asKubestep) != "" {
		os.Exit(command.Main(os.Args[1:], command.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
	}
	os.Setenv(asKubestep, "1")
	os.Exit(m.Run())
}

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

// TestDoors tries each address without a secret, with that of a student, and with that of the presenter, and with bad requests.
func TestDoors(t *testing.T) {
	s, url := serving(t)
	code, key := "?code="+s.code, "?key="+s.key
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
		{"POST", "/place" + key, `{"at":3}`, 204, ""},
		{"POST", "/vote", `{"student":"a","step":2,"text":"x"}`, 403, "wrong code"},
		{"POST", "/vote" + code, `{`, 400, "no vote"},
		{"POST", "/vote" + code, `{"student":"` + strings.Repeat("a", 5000) + `","step":2,"text":"x"}`, 400, "no vote"},
		{"POST", "/vote" + code, `{"student":"a","step":2,"text":"` + strings.Repeat("é", 200) + `"}`, 204, ""},
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
	if now.At != 3 || len(now.Tally[2]) != 1 || now.Tally[2][strings.Repeat("é", maxAnswer)] != 1 {
		t.Errorf("the class is %+v", now)
	}
}

// TestAClassIsFull holds the bounds of what a class keeps.
func TestAClassIsFull(t *testing.T) {
	c := newClass()
	for i := range maxStudents {
		if !c.vote(fmt.Sprint("student-", i), 1, fmt.Sprint("answer ", i)) {
			t.Fatalf("student %d is refused", i)
		}
	}
	if c.vote("one more", 1, "a") || !c.vote("student-7", 1, "changed") {
		t.Error("a full class lets students in, or those out that it knows")
	}
	now, _ := c.now(true)
	if len(now.Tally[1]) > maxTexts+1 || now.Tally[1][other] == 0 {
		t.Errorf("%d different answers are kept", len(now.Tally[1]))
	}
}

// TestRateLimit floods the server from one address.
func TestRateLimit(t *testing.T) {
	s := &server{class: newClass(), code: "c", key: "k", limits: newLimits(), beats: 1, join: []byte("join")}
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
}

// TestClassInBrowsers is a presenter and two students: the pages of the students follow, and the presenter sees what they answer.
func TestClassInBrowsers(t *testing.T) {
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no browser is installed: chromium")
	}
	s, url := serving(t)
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox)
	all, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	tab := func(address string) func(...chromedp.Action) {
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
	says := func(selector, text string) chromedp.Action {
		return chromedp.Poll(fmt.Sprintf(`((document.querySelector(%q) || {}).innerText || "").includes(%q)`, selector, text), nil)
	}
	presenter := tab(url + "/present?key=" + s.key)
	one, two := tab(url+"/?code="+s.code), tab(url+"/?code="+s.code)
	two(chromedp.EmulateViewport(390, 844))
	const question, answer = `[aria-label="question"]`, `[aria-label="answer"]`
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
