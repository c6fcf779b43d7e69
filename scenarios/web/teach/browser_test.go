package teach

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/kubestep/kubestep/scenarios/web/internal/browsertest"
)

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

// tab acts in a page.
type tab func(...chromedp.Action)

// open opens a page in a browser of its own: two of them are two students.
func open(t *testing.T, address string, width, height int) tab {
	t.Helper()
	b := browsertest.Open(t, width, height)
	b.Do(chromedp.EmulateViewport(int64(width), int64(height)), chromedp.Navigate(address), chromedp.WaitVisible("h1", chromedp.ByQuery))
	return b.Do
}

func laptop(t *testing.T, address string) tab { t.Helper(); return open(t, address, 1280, 800) }

func handset(t *testing.T, address string) tab { t.Helper(); return open(t, address, 390, 844) }

// says waits for a text in an element.
func says(selector, text string) chromedp.Action {
	return browsertest.Becomes(fmt.Sprintf(`((document.querySelector(%q) || {}).innerText || "").includes(%q)`, selector, text))
}

// press clicks the button with a text.
func press(text string) chromedp.Action {
	return chromedp.Click(fmt.Sprintf(`//button[normalize-space()=%q]`, text), chromedp.BySearch)
}

const (
	card   = `[aria-label="question"]`
	reveal = `[aria-label="answer"]`
)

// seen waits until an element is between the top of the window and the controls.
func seen(selector string) chromedp.Action {
	return browsertest.Becomes(fmt.Sprintf(`(() => {
		const element = document.querySelector(%q);
		if (!element) return false;
		const box = element.getBoundingClientRect();
		return box.top >= 0 && box.bottom <= document.querySelector(".controls").getBoundingClientRect().top;
	})()`, selector))
}

// rows reads the votes.
func rows(into *string) chromedp.Action {
	return chromedp.Evaluate(`[...document.querySelectorAll(".histogram tr")].map((row) =>
		[...row.children].map((cell) => cell.innerText.replace(/\s+/g, " ").trim()).join(" | ")).join("\n")`, into)
}

// TestClassInBrowsers is a presenter and two students who vote, discuss, and vote again, with clicks and keys. Their pages follow, and
// the presenter sees both votes beside each other after the answer, not before.
func TestClassInBrowsers(t *testing.T) {
	s, url := teaching(t)
	presenter := laptop(t, url+"/present?key="+s.key)
	one, two := handset(t, url+"/?code="+s.code), handset(t, url+"/?code="+s.code)
	presenter(says(".bar-of-class", "2 joined · 2 here"))
	presenter(chromedp.KeyEvent("]"), chromedp.KeyEvent("]"), chromedp.KeyEvent("]"), chromedp.WaitVisible(card, chromedp.ByQuery))
	two(seen(card+" h2"), seen(card+" .choices button:last-child"))
	one(says(card, "Who creates the"), chromedp.Click(".choices button:nth-child(1)", chromedp.ByQuery), says(card, "You answered: the Deployment controller"))
	two(says(card, "Who creates the"), chromedp.KeyEvent("a"), says(card, "You answered: the Deployment controller"))
	presenter(says(card, "2 of 2 students voted"))
	var text string
	presenter(chromedp.Text(card, &text, chromedp.ByQuery))
	if strings.Contains(text, "%") {
		t.Errorf("the class sees the votes before the answer: %s", text)
	}
	presenter(press("Discuss"), says(card, "100% gave the same answer."))
	one(says(card, "Discuss your answer with your neighbors"), chromedp.KeyEvent("b"))
	presenter(press("Vote again"), says(card, "0 of 2 students voted"))
	two(says(card, "Your first answer: the Deployment controller"), chromedp.Click(".choices button:nth-child(2)", chromedp.ByQuery),
		says(card, "You answered: the ReplicaSet controller"))
	one(says(card, "Your first answer"), chromedp.KeyEvent("a"), says(card, "You answered: the Deployment controller"))
	presenter(says(card, "2 of 2 students voted"), press("Show the answer"), chromedp.WaitVisible(reveal, chromedp.ByQuery))
	presenter(says(reveal, "0% → 50% right, after the discussion"), rows(&text))
	if want := ` | First vote · 2 | Second vote · 2
A the Deployment controller | 100% 2 | 50% 1
B the ReplicaSet controller ✓ right | 0% 0 | 50% 1
C the scheduler | 0% 0 | 0% 0
D the kubelet | 0% 0 | 0% 0`; text != want {
		t.Errorf("the presenter sees\n%s\nnot\n%s", text, want)
	}
	two(says(reveal, "you were right"), seen(reveal+" h2"))
	one(says(reveal, "your answer: the Deployment controller"), chromedp.KeyEvent(" "), says(reveal, "your answer"))
	// A page that is loaded again is where it was.
	presenter(chromedp.Reload(), says(reveal, "0% → 50% right"))
	two(chromedp.Reload(), says(reveal, "you were right"))
}

// TestABranchInAClass chooses a branch in a class: the pages of the students and the other window of the presenter show it, too, and come
// back to the place at which the class has left the lesson. The question there is asked then.
func TestABranchInAClass(t *testing.T) {
	s, url := teachingWith(t, branched)
	presenter, other := laptop(t, url+"/present?key="+s.key), laptop(t, url+"/present?key="+s.key)
	student := handset(t, url+"/?code="+s.code)
	// The class is at the second beat of the lesson.
	at := says(".controls", "2 of ")
	presenter(says(".controls", "1 of "), chromedp.KeyEvent("n"), at)
	student(at)
	presenter(chromedp.KeyEvent("w"), says(".details", "The scheduler does not run"))
	// A student has no choice.
	student(browsertest.Becomes(`!document.querySelector(".offer, .whatif")`))
	presenter(chromedp.Evaluate(`document.querySelector(".details .offer").click()`, nil), says("[aria-label=branch]", "The scheduler does not run"))
	for _, page := range []tab{student, other} {
		page(says("[aria-label=branch]", "The scheduler does not run"))
	}
	student(browsertest.Becomes(`!document.querySelector(".branch button")`))
	presenter(chromedp.KeyEvent(kb.End))
	for _, page := range []tab{presenter, student, other} {
		page(says(".store", "3 wanted · 0 available"))
	}
	if now, _ := s.class.Student("nobody"); now.At != 1 || now.Branch == nil {
		t.Errorf("the class is at %d, in the branch %v", now.At, now.Branch)
	}
	other(press("back to the lesson"))
	for _, page := range []tab{presenter, student, other} {
		page(at, browsertest.Becomes(`!document.querySelector(".branch")`))
	}
	presenter(chromedp.KeyEvent(kb.End), chromedp.WaitVisible(card, chromedp.ByQuery))
	student(says(card, "Who creates the"), chromedp.KeyEvent("a"), says(card, "You answered: the Deployment controller"))
}

// TestTwoWindowsOfThePresenter holds that each window follows the other, and that a student follows both.
func TestTwoWindowsOfThePresenter(t *testing.T) {
	s, url := teaching(t)
	screen, hand := laptop(t, url+"/present?key="+s.key), laptop(t, url+"/present?key="+s.key)
	student := handset(t, url+"/?code="+s.code)
	hand(says(".bar-of-class", "1 joined"), chromedp.KeyEvent("]"), chromedp.KeyEvent("]"), chromedp.KeyEvent("]"), chromedp.WaitVisible(card, chromedp.ByQuery))
	screen(chromedp.WaitVisible(card, chromedp.ByQuery))
	screen(press("Show the answer"), chromedp.WaitVisible(reveal, chromedp.ByQuery))
	hand(chromedp.WaitVisible(reveal, chromedp.ByQuery))
	student(chromedp.WaitVisible(reveal, chromedp.ByQuery))
}

// TestTheCourseInBrowsers chooses lessons: the page of the student waits, follows to each, and shows the playground when it is opened.
func TestTheCourseInBrowsers(t *testing.T) {
	s, _ := teaching(t)
	s.playground = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", htmlType)
		fmt.Fprint(w, "<!doctype html><title>playground</title><h1>The playground</h1>")
	})
	doors, err := doorsOf([]string{"192.0.2.1:8080", "127.0.0.1:8080"}, s.code)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.open(doors); err != nil {
		t.Fatal(err)
	}
	s.choose(command{})
	web := httptest.NewServer(s.handler())
	t.Cleanup(web.Close)
	presenter := laptop(t, web.URL+"/present?key="+s.key)
	one := handset(t, web.URL+"/?code="+s.code)
	one(says(".lobby", "You are in."))
	presenter(says(".lobby", "1 student has joined"), says(".joining", "http://192.0.2.1:8080"), says(".joining .code", s.code))
	presenter(chromedp.SetValue(".joining select", "1", chromedp.ByQuery),
		chromedp.Evaluate(`document.querySelector(".joining select").dispatchEvent(new Event("change"))`, nil),
		says(".joining .address", "http://127.0.0.1:8080"))
	presenter(chromedp.Click(`//button[contains(., "From a Deployment to running Pods")]`, chromedp.BySearch))
	one(says("h1", "From a Deployment to running Pods"))
	presenter(says("h1", "From a Deployment to running Pods"), press("Lessons"))
	presenter(chromedp.Click(`//dialog//li[2]/button`, chromedp.BySearch), says("h1", "What a controller does"))
	one(says("h1", "What a controller does"))
	presenter(press("Playground"))
	one(browsertest.Becomes(`String((document.querySelector("iframe:not([hidden])") || {}).src).endsWith("/playground/#name=reconcile-loop")`),
		browsertest.Becomes(`(document.querySelector("iframe").contentDocument.body || {}).innerText === "The playground"`))
	presenter(press("Back to the lesson"))
	one(browsertest.Becomes(`document.querySelector("iframe").hidden`))
	// The presenter locks the class, and unlocks it.
	presenter(chromedp.Click(".bar-of-class button:nth-child(3)", chromedp.ByQuery), press("Lock the class"), says(".bar-of-class", "locked"))
	late := handset(t, web.URL+"/?code="+s.code)
	late(says(".lobby", "The presenter has locked the class."))
	presenter(press("Unlock the class"))
	late(says("h1", "What a controller does"))
}

// TestAVoteThatDoesNotArrive votes while the server cannot be reached, refuses, and answers again. The page says what is the case; the
// vote is given only when the server has it, and it is the last one that the student chose.
func TestAVoteThatDoesNotArrive(t *testing.T) {
	s, _ := teaching(t)
	fails := &failing{Handler: s.handler()}
	web := httptest.NewServer(fails)
	t.Cleanup(web.Close)
	first := s.questions()[0]
	s.class.Place("", "create", first.Asked)
	one := handset(t, web.URL+"/?code="+s.code)
	votes := func() map[string]int { return s.tallies(first.Step)[0] }
	fails.status.Store(broken)
	one(chromedp.WaitVisible(card, chromedp.ByQuery), chromedp.KeyEvent("a"), says(card, "Not sent: no connection, trying again."))
	for status, text := range map[int]string{429: "too many requests at once", 503: "the class is full", 423: "the class is locked"} {
		fails.status.Store(int32(status))
		one(says(card, "Not sent: "+text+", trying again."))
	}
	one(chromedp.KeyEvent("b"))
	if got := votes(); len(got) != 0 {
		t.Errorf("the server has %v", got)
	}
	fails.status.Store(0)
	one(says(card, "You answered: "+first.Choices[1]))
	if got := votes(); len(got) != 1 || got[first.Choices[1]] != 1 {
		t.Errorf("the server has %v", got)
	}
	// The answer is shown while the last vote is under way.
	fails.status.Store(503)
	one(chromedp.KeyEvent("c"), says(card, "Not sent: the class is full"))
	s.class.Place("", "create", answered(t, first.Step))
	one(says(reveal, "you were right"))
	fails.status.Store(0)
	one(network.EmulateNetworkConditions(true, 0, -1, -1), says(".controls", "no connection to the presenter"))
	one(network.EmulateNetworkConditions(false, 0, -1, -1),
		browsertest.Becomes(`!document.querySelector(".controls").innerText.includes("no connection")`))
	if got := votes(); len(got) != 1 || got[first.Choices[1]] != 1 {
		t.Errorf("at the end, the server has %v", got)
	}
}

// answered is the beat that answers a question.
func answered(t *testing.T, step int) int {
	t.Helper()
	made, err := lesson(t.Context(), "create")
	if err != nil {
		t.Fatal(err)
	}
	for i, b := range made.Beats {
		if b.Answer != nil && b.Answer.Step == step {
			return i
		}
	}
	t.Fatalf("step %d is not answered", step)
	return 0
}

// TestTheClassIsAccessible holds that each control of the presenter and of a student has a name, and that texts can be read in both themes,
// before a lesson, while a question is open, and in what the bar opens.
func TestTheClassIsAccessible(t *testing.T) {
	s, url := teaching(t)
	presenter := browsertest.Open(t, 1280, 800)
	presenter.Do(chromedp.Navigate(url+"/present?key="+s.key), says("h1", "From a Deployment"))
	student := browsertest.Open(t, 390, 844)
	student.Do(chromedp.Navigate(url+"/?code="+s.code), says("h1", "From a Deployment"))
	check := func(where string, tabs ...*browsertest.Tab) {
		t.Helper()
		for _, tab := range tabs {
			if got := tab.Unnamed(); got != "" {
				t.Errorf("%s: without a name: %s", where, got)
			}
			for _, theme := range []string{"light", "dark"} {
				tab.Do(chromedp.Evaluate(`document.documentElement.dataset.theme = "`+theme+`"`, nil))
				if got := tab.Faint(); got != "" {
					t.Errorf("%s: with less contrast than 4.5:1 in the theme %s: %s", where, theme, got)
				}
			}
			if got := tab.Ask(`document.documentElement.scrollWidth > innerWidth`); got != "false" {
				t.Errorf("%s: the page is wider than the window", where)
			}
		}
	}
	first := s.questions()[0]
	s.class.Place("", "create", first.Asked)
	presenter.Do(chromedp.Reload(), says(card, "of 1 student voted"))
	student.Do(says(card, "Who creates the"), chromedp.Click(".choices button:nth-child(2)", chromedp.ByQuery), says(card, "You answered"))
	check("a question", presenter, student)
	for n, title := range map[int]string{1: "Lessons", 2: "Join the class", 3: "Students", 6: "Report"} {
		presenter.Do(chromedp.Click(fmt.Sprintf(".bar-of-class > :nth-child(%d)", n), chromedp.ByQuery), says("dialog[open]", title))
		check(title, presenter)
		presenter.Do(chromedp.KeyEvent(kb.Escape))
	}
	presenter.Do(press("Show the answer"), says(reveal, "right"))
	student.Do(says(reveal, "you were right"))
	check("an answer", presenter, student)
	s.choose(command{})
	presenter.Do(says(".lobby", "1 student has joined"))
	student.Do(says(".lobby", "You are in."))
	check("the lobby", presenter, student)
}
