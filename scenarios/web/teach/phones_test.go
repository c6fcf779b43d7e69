package teach

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// phones is how many students have a phone in the test, and flood how many requests somebody sends against them.
const (
	phones = 200
	flood  = 3000
)

// knocks sends a request from an address, with a cookie, without a network.
func knocks(handler http.Handler, address, method, path, body string, cookies ...*http.Cookie) *http.Response {
	request := httptest.NewRequest(method, path, strings.NewReader(body))
	request.RemoteAddr = address + ":1234"
	for _, cookie := range cookies {
		request.AddCookie(cookie)
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, request)
	return w.Result()
}

// phone is a simulated phone: it does what the page does.
type phone struct {
	handler http.Handler
	address string
	code    string
	cookies []*http.Cookie
}

func (p *phone) send(method, path, body string) int {
	response := knocks(p.handler, p.address, method, path+"?code="+p.code, body, p.cookies...)
	if len(response.Cookies()) > 0 {
		p.cookies = response.Cookies()
	}
	return response.StatusCode
}

// until sends a request until it is answered as wanted, as the page tries again, and returns how often.
func (p *phone) until(status int, method, path, body string) int {
	for n := 1; ; n++ {
		if p.send(method, path, body) == status || n == 500 {
			return n
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// TestPhones is a lecture hall behind one router: 200 phones join and vote while somebody in the hall floods the server. A fifth of the
// phones sleeps during the first vote and votes in the second one. Each of them counts once, and nobody waits for long.
func TestPhones(t *testing.T) {
	s, _ := teaching(t)
	handler, first := s.handler(), s.questions()[0]
	const router = "198.51.100.7"
	var crowd sync.WaitGroup
	all := make([]*phone, phones)
	each := func(do func(i int, p *phone)) {
		for i, p := range all {
			crowd.Go(func() { do(i, p) })
		}
		crowd.Wait()
	}
	var tries atomic.Int64
	each(func(i int, _ *phone) {
		all[i] = &phone{handler: handler, address: router, code: s.code}
		tries.Add(int64(all[i].until(200, "GET", "/", "") + all[i].until(200, "GET", "/state", "")))
	})
	if now, _ := s.class.Presenter(s.now()); now.Joined != phones || now.Here != phones {
		t.Fatalf("%d of %d have joined, %d are here", now.Joined, phones, now.Here)
	}
	if got := tries.Load(); got > 4*phones {
		t.Errorf("%d phones need %d requests to join", phones, got)
	}
	s.class.Place("", "create", first.Asked)

	// Somebody floods the server, without a name, with invented names and with one of the own.
	flooding := make(chan struct{})
	go func() {
		defer close(flooding)
		villain := &phone{handler: handler, address: router, code: s.code}
		villain.send("GET", "/", "")
		for i := range flood {
			villain.send("POST", "/vote", ballot(first, 0, first.Choices[i%len(first.Choices)]))
			knocks(handler, router, "GET", "/", "")
			knocks(handler, router, "POST", "/vote?code="+s.code, ballot(first, 0, first.Choices[0]),
				&http.Cookie{Name: s.names.cookie, Value: fmt.Sprint("villain-", i, ".signature")})
		}
	}()
	asleep := func(i int) bool { return i%5 == 0 }
	right, wrong := first.Answer, first.Choices[0]
	tries.Store(0)
	each(func(i int, p *phone) {
		if !asleep(i) {
			tries.Add(int64(p.until(204, "POST", "/vote", ballot(first, 0, wrong))))
		}
	})
	if got := tries.Load(); got > phones {
		t.Errorf("the flood costs the students %d requests more", got-phones*4/5)
	}
	s.class.Phase(first.Step, "discuss")
	s.class.Phase(first.Step, "again")
	each(func(i int, p *phone) {
		if asleep(i) {
			// It wakes up with a vote of before, which comes too late, and asks where the class is.
			if status := p.send("POST", "/vote", ballot(first, 0, wrong)); status != http.StatusConflict {
				t.Errorf("a late vote is answered with %d", status)
			}
			p.until(200, "GET", "/state", "")
		}
		p.until(204, "POST", "/vote", ballot(first, 1, right))
	})
	<-flooding
	tally := s.tallies(first.Step)
	// One vote more is that of the flood.
	if n := tally[0][wrong] + tally[0][right]; tally[0][wrong] < phones*4/5 || n > phones*4/5+1 || tally[1][right] != phones {
		t.Errorf("the votes are %v", tally)
	}
	if now, _ := s.class.Presenter(s.now()); now.Joined != phones+1 {
		t.Errorf("%d students have joined", now.Joined)
	}
}

// TestFloodOfNames joins from one address with as many names as it gets: those at other addresses still get in, and the presenter can
// throw the crowd out and lock the class.
func TestFloodOfNames(t *testing.T) {
	s, _ := teaching(t)
	handler := s.handler()
	statuses := map[int]int{}
	for range 3 * newcomers.burst {
		villain := &phone{handler: handler, address: "198.51.100.7", code: s.code}
		villain.send("GET", "/", "")
		statuses[villain.send("GET", "/state", "")]++
	}
	if statuses[200] > newcomers.burst+50 || statuses[429]+statuses[401] == 0 {
		t.Errorf("the names are answered with %v", statuses)
	}
	honest := &phone{handler: handler, address: "198.51.100.8", code: s.code}
	if honest.send("GET", "/", ""); honest.send("GET", "/state", "") != http.StatusOK {
		t.Error("another address does not get in")
	}
	now, _ := s.class.Presenter(s.now())
	if len(now.Crowds) != 1 || now.Crowds[0].Address != "198.51.100.7" {
		t.Errorf("the crowds are %v", now.Crowds)
	}
	lead := func(body string) {
		if response := knocks(handler, "127.0.0.1", "POST", "/lead?key="+s.key, body); response.StatusCode != http.StatusNoContent {
			t.Errorf("%s answers %d", body, response.StatusCode)
		}
	}
	lead(`{"do":"remove","address":"198.51.100.7"}`)
	lead(`{"do":"lock","on":true}`)
	late := &phone{handler: handler, address: "198.51.100.9", code: s.code}
	if late.send("GET", "/", ""); late.send("GET", "/state", "") != http.StatusLocked {
		t.Error("a locked class lets newcomers in")
	}
	if now, _ := s.class.Presenter(s.now()); now.Joined != 1 || honest.send("GET", "/state", "") != http.StatusOK {
		t.Errorf("%d students are left", now.Joined)
	}
	if knocks(handler, "198.51.100.7", "GET", "/state?since=-1&key="+s.key, "").StatusCode != http.StatusOK {
		t.Error("the flood stops the presenter at the same address")
	}
}

// TestPhonesFollow has 200 phones that wait for news, over connections. A film that plays moves them; all are at its end soon.
func TestPhonesFollow(t *testing.T) {
	s, url := teaching(t)
	end := s.course.made("create").lesson.Beats - 1
	web := &http.Client{Transport: &http.Transport{MaxConnsPerHost: 2 * phones, MaxIdleConnsPerHost: 2 * phones}, Timeout: time.Minute}
	cookie := func(i int) *http.Cookie {
		id := fmt.Sprint("phone", i)
		return &http.Cookie{Name: s.names.cookie, Value: id + "." + s.names.sign(id)}
	}
	var crowd sync.WaitGroup
	var asked atomic.Int64
	waiting := make(chan struct{}, phones)
	for i := range phones {
		crowd.Go(func() {
			for since, at := -1, -1; at < end; asked.Add(1) {
				request, _ := http.NewRequestWithContext(t.Context(), "GET", fmt.Sprintf("%s/state?code=%s&since=%d", url, s.code, since), nil)
				request.AddCookie(cookie(i))
				response, err := web.Do(request)
				if err != nil {
					t.Error(err)
					return
				}
				var now struct{ Version, At int }
				if response.StatusCode == http.StatusOK {
					if err := json.NewDecoder(response.Body).Decode(&now); err != nil {
						t.Error(err)
					}
					since, at = now.Version, now.At
				}
				response.Body.Close()
				if at == 0 {
					waiting <- struct{}{}
				}
				time.Sleep(80 * time.Millisecond)
			}
		})
	}
	for range phones {
		<-waiting
	}
	began := time.Now()
	for at := 1; at <= end; at++ {
		s.class.Place("", "create", at)
		time.Sleep(20 * time.Millisecond)
	}
	played := time.Since(began)
	crowd.Wait()
	t.Logf("%d places in %s, the last phone after %s, %d requests", end, played, time.Since(began), asked.Load())
	if late := time.Since(began) - played; late > 5*time.Second {
		t.Errorf("the last phone is late by %s", late)
	}
	if now, _ := s.class.Presenter(s.now()); now.Here != phones {
		t.Errorf("%d phones are here", now.Here)
	}
}
