package auditlog

import (
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"

	"github.com/kubestep/kubestep/scenarios/language/snapshot"
)

// Log is what is taken from one or several files.
type Log struct {
	requests []*request
	// omitted counts what is not taken: by the sentence for it, and then by a word.
	omitted  map[string]map[string]int
	seen     map[types.UID]bool
	open     map[types.UID]string
	warnings []string
	kubelets kubelets
	progress Progress
}

// request is one that may become a step.
type request struct {
	event *auditv1.Event
	// at is when the server received it.
	at time.Time
	// created is the name of the object that the response has, and revision its resourceVersion, 0 if it is not known.
	created  string
	revision uint64
	// made means that the request made the object.
	made bool
	// lacks is the sentence for a request whose body the log does not have, empty for all others.
	lacks string
}

// New returns a log without requests.
func New() *Log {
	return &Log{omitted: map[string]map[string]int{}, seen: map[types.UID]bool{}, open: map[types.UID]string{}}
}

// Progress is how far the log is read.
func (l *Log) Progress() *Progress { return &l.progress }

// Read adds the requests of a file. A log may have several, in any order. Errors are *Error.
func (l *Log) Read(name string, in io.Reader) error {
	r, err := newReader(name, in, &l.progress)
	if err != nil {
		return err
	}
	before := l.progress.Events.Load()
	cut, err := r.each(l.add)
	if err != nil {
		return err
	}
	if cut != "" {
		l.warnings = append(l.warnings, cut)
	}
	if l.progress.Events.Load() == before {
		return &Error{name + ": contains no Events", howToLog}
	}
	return nil
}

// add adds an Event. A request has one for each stage; the last one counts.
func (l *Log) add(e *auditv1.Event) {
	l.kubelets.add(e)
	why, what := omit(e)
	switch {
	case e.Stage != auditv1.StageResponseComplete && e.Stage != auditv1.StagePanic:
		if why == "" || why == refused || why == bodiless {
			if !l.seen[e.AuditID] {
				l.open[e.AuditID] = resourceOf(e)
			}
		}
		return
	case why == reads:
		l.count(why, what)
		return
	case l.seen[e.AuditID]:
		return
	}
	l.seen[e.AuditID] = true
	delete(l.open, e.AuditID)
	out := &request{event: e, at: e.RequestReceivedTimestamp.Time}
	switch why {
	case "":
		out.made = e.ResponseStatus.Code == http.StatusCreated
	case bodiless, truncated:
		out.lacks = why // it counts only if the scenario is about its time
	default:
		l.count(why, what)
		return
	}
	if e.ResponseObject != nil {
		var object metav1.PartialObjectMetadata
		if json.Unmarshal(e.ResponseObject.Raw, &object) == nil && object.Kind != "Status" {
			out.created = object.Name
			out.revision, _ = strconv.ParseUint(object.ResourceVersion, 10, 64)
		}
		e.ResponseObject = nil
	}
	l.requests = append(l.requests, out)
}

func (l *Log) count(why, what string) {
	if l.omitted[why] == nil {
		l.omitted[why] = map[string]int{}
	}
	l.omitted[why][what]++
}

// sorted are the requests in the order in which the server received them.
func (l *Log) sorted() []*request {
	slices.SortStableFunc(l.requests, func(a, b *request) int {
		return cmp.Or(a.at.Compare(b.at), a.event.StageTimestamp.Compare(b.event.StageTimestamp.Time))
	})
	return l.requests
}

// Begin is when the first request that may be taken was received; the zero time if there is none.
func (l *Log) Begin() time.Time {
	if len(l.requests) == 0 {
		return time.Time{}
	}
	return l.sorted()[0].at
}

// omissions are sentences about what is not taken.
func (l *Log) omissions() (lines []string) {
	for _, resource := range l.open {
		l.count(unfinished, resource)
	}
	for _, why := range []string{
		ofSystem, reads, dryRuns, refused, early, outside, bodiless, truncated, unfinished, running, binding, tokens, volatile,
		elsewhere, notServed, absent, nothing, ofServer, asOthers,
	} {
		if of := l.omitted[why]; len(of) > 0 {
			lines = append(lines, why+": "+snapshot.Counted(of))
		}
	}
	return lines
}
