// Package remote shows a session while kubestep serve runs it: kubectl in one terminal, the stepper in the other.
//
// The interface never touches a simulation, and a session is no exception: it is a process that keeps its trace, and the interface
// is a client of its control (package control), as kubestep step is. What comes is added to a recording, which grows; the rest of
// the interface looks it up as ever. So a session can be watched from several terminals, and by somebody who comes late.
//
// The end of the recording is the present. There the keys that move forward move the session: they let its time pass until there is
// such a record. Everywhere else they move in the recording.
package remote

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/scenarios/serving"
	"github.com/kubestep/kubestep/scenarios/serving/control"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/visible"
)

// Session is a session that is watched. Its fields and methods belong to the goroutine of the interface.
type Session struct {
	About control.Session
	State control.State
	// Follow means that the interface shows the present. Wanted, if set, is what it shows as soon as records until then have come.
	Follow bool
	Wanted *Wanted

	client  *control.Client
	process *serving.Process
	ctx     context.Context
	cancel  context.CancelFunc
	news    chan News
	// stop ends the request that lets time pass, and speed is the last one at which it passed.
	stop  func()
	speed float64

	builder *recording.Builder
	maker   *scene.Maker
	lines   hash.Hash
	// workloads is how many there were when the recording was shown last.
	workloads int
}

// Wanted is what moved time: a key, and until when.
type Wanted struct {
	Key   string
	Until time.Duration
	// Asked means that the server has not answered yet.
	Asked bool
}

// Serve starts a session of a scenario, which ends with the interface.
func Serve(file, kubeconfig string, flags ...string) (*Session, error) {
	process, err := serving.Start(file, flags...)
	if err != nil {
		return nil, err
	}
	s, err := Attach(kubeconfig)
	if err != nil {
		process.End()
		return nil, err
	}
	s.process = process
	return s, nil
}

// Attach connects to a session that runs already, and stays when the interface ends.
func Attach(kubeconfig string) (*Session, error) {
	client, err := serving.Connect(kubeconfig)
	if err != nil {
		return nil, err
	}
	s := &Session{
		client: client, Follow: true, stop: func() {}, news: make(chan News),
		builder: recording.NewBuilder(), maker: scene.NewMaker(), lines: sha256.New(),
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	go func() {
		reader := &reader{session: s}
		err := client.Follow(s.ctx, reader)
		reader.send(News{Err: err, over: true})
	}()
	return s, nil
}

// Unsaved is how many writes nobody keeps when the session ends now.
func (s *Session) Unsaved() int {
	if s.process == nil || s.About.Save != "" || s.State.Ended {
		return 0
	}
	return s.State.Writes - s.State.Saved
}

// End leaves the session, and ends it if it is the interface's own. It returns what is to be said then.
func (s *Session) End() (said string) {
	s.cancel()
	if s.process == nil {
		return ""
	}
	return s.process.End()
}

// News is what has come since the last time.
type News struct {
	// Of is the session, and Err why nothing follows any more; over says that nothing does.
	Of  *Session
	Err error

	over    bool
	about   *control.Session
	state   *control.State
	records []*trace.Record
	lines   []byte
}

// reader gets the trace on a goroutine of its own.
type reader struct {
	session *Session
	next    News
}

// batch is how many records come at a time, so that keys are read between them.
const batch = 1000

// Session implements control.Reader.
func (r *reader) Session(about control.Session) { r.next.about = &about }

// State implements control.Reader.
func (r *reader) State(state control.State) {
	r.next.state = &state
	r.send(r.next)
}

// Record implements control.Reader.
func (r *reader) Record(line []byte) error {
	record, err := trace.Decode(visible.JSON(line))
	if err != nil {
		return err
	}
	r.next.records, r.next.lines = append(r.next.records, record), append(r.next.lines, line...)
	if len(r.next.records) >= batch {
		r.send(r.next)
	}
	return nil
}

// send waits until the interface takes the news: the file of the server keeps what comes meanwhile.
func (r *reader) send(news News) {
	news.Of = r.session
	select {
	case r.session.news <- news:
	case <-r.session.ctx.Done():
	}
	r.next = News{}
}

// Wait waits for news.
func (s *Session) Wait() News {
	select {
	case news := <-s.news:
		return news
	case <-s.ctx.Done():
		return News{Of: s, over: true}
	}
}

// Take adds news. ready means that the recording can be shown: it is complete until the present.
func (s *Session) Take(news News) (ready bool, err error) {
	if news.about != nil {
		s.About = *news.about
	}
	for _, record := range news.records {
		if err := s.builder.Add(record); err != nil {
			return false, err
		}
		s.maker.Add(record)
	}
	s.lines.Write(news.lines)
	if news.over {
		s.State.Ended = true
	}
	if news.state != nil {
		s.State = *news.state
		s.speed = cmp.Or(s.State.Speed, s.speed)
	}
	return s.builder.Len() > 0 && (s.State.Open || s.State.Ended) && (news.state != nil || news.over), news.Err
}

// Over reports whether nothing follows news.
func (n News) Over() bool { return n.over }

// Records is how many there are.
func (s *Session) Records() int64 { return s.builder.Len() }

// Scenes are those of the recording so far. The ones before must not be used any more.
func (s *Session) Scenes() *scene.Scenes {
	origin := recording.Origin{
		Name: visible.Line(s.About.Name), Title: visible.Line(s.About.Title), Seed: s.About.Seed, End: s.State.At(),
	}
	rec := s.builder.Done(origin, "sha256:"+hex.EncodeToString(s.lines.Sum(nil)))
	return s.maker.Scenes(rec)
}

// Created is the index of a workload that a client has created since the last call, -1 if none has.
func (s *Session) Created(rec *recording.Recording) int {
	all := rec.Workloads()
	created := -1
	for i := s.workloads; i < len(all); i++ {
		if rec.Actor(all[i].Born()) == verb.User {
			created = i
		}
	}
	s.workloads = len(all)
	return created
}
