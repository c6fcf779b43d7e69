// Package fairness is upstream's API Priority and Fairness: its filter, its queues, and the controller that configures them from the
// FlowSchemas and PriorityLevelConfigurations in the store.
//
// A request goes through the filter like this:
//
//	classify by FlowSchema --> seat of the priority level --> execute, release the seat
//	                      \--> queue, wait for a seat ---/
//	                      \--> refuse: 429 with Retry-After
//
// Every request takes one seat. Upstream gives long lists more, and a write that many watch holds its seats for some milliseconds longer.
package fairness

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"time"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	"k8s.io/apiserver/pkg/authentication/user"
	genericrequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/server/filters"
	"k8s.io/apiserver/pkg/util/flowcontrol"
	fairqueuing "k8s.io/apiserver/pkg/util/flowcontrol/fairqueuing"
	"k8s.io/apiserver/pkg/util/flowcontrol/request"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
)

// requestWaitLimit is how long a request waits in a queue at most: a quarter of kube-apiserver's default for --request-timeout.
const requestWaitLimit = 15 * time.Second

// Filter decides when requests are executed. Its methods are safe for concurrent use.
type Filter struct {
	control flowcontrol.Interface
	handler http.Handler
}

// Verdict is what the filter has decided about a request.
type Verdict struct {
	// FlowSchema and PriorityLevel are the names of the objects, and Distinguisher tells the flows of a FlowSchema apart: the name of a
	// user or of a namespace, or "".
	FlowSchema, PriorityLevel, Distinguisher string
	// Refused means that it was not executed; a client may try again after RetryAfter.
	Refused    bool
	RetryAfter time.Duration
}

// New creates a filter for a server that executes so many requests at the same time. The client writes the status of FlowSchemas.
func New(caches informers.SharedInformerFactory, client kubernetes.Interface, concurrency int) *Filter {
	f := &Filter{control: flowcontrol.New(caches, client.FlowcontrolV1(), concurrency)}
	one := func(*http.Request, string, string) request.WorkEstimate { return request.WorkEstimate{InitialSeats: 1} }
	execute := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { passageOf(r.Context()).execute() })
	f.handler = filters.WithPriorityAndFairness(execute, nil, noting{f.control}, one, requestWaitLimit)
	return f
}

// Run keeps the configuration up to date until the context ends.
func (f *Filter) Run(ctx context.Context) { _ = f.control.Run(ctx.Done()) }

// Serve calls execute when the request has a seat, which it gives back when execute returns. It waits on the calling goroutine.
// Requests that wait when the context ends are refused.
func (f *Filter) Serve(ctx context.Context, info *genericrequest.RequestInfo, who user.Info, execute func()) Verdict {
	p := &passage{}
	p.execute = func() {
		p.verdict.Refused = false
		execute()
	}
	p.verdict.Refused = true
	ctx = genericrequest.WithUser(genericrequest.WithRequestInfo(ctx, info), who)
	r := &http.Request{Method: info.Verb, URL: &url.URL{Path: info.Path}, Header: http.Header{}}
	w := httptest.NewRecorder()
	f.handler.ServeHTTP(w, r.WithContext(context.WithValue(ctx, passageKey{}, p)))
	if p.verdict.Refused {
		seconds, _ := strconv.Atoi(w.Header().Get("Retry-After"))
		p.verdict.RetryAfter = time.Duration(seconds) * time.Second
	}
	return p.verdict
}

// passage is one request on its way through the filter.
type passage struct {
	verdict Verdict
	execute func()
}

// passageKey is the key of the passage in the context of a request.
type passageKey struct{}

func passageOf(ctx context.Context) *passage { return ctx.Value(passageKey{}).(*passage) }

// noting notes how requests are classified. The filter itself tells only the uids of the objects, in headers.
type noting struct{ flowcontrol.Interface }

// Handle implements flowcontrol.Interface.
func (n noting) Handle(
	ctx context.Context, digest flowcontrol.RequestDigest,
	note func(*flowcontrolv1.FlowSchema, *flowcontrolv1.PriorityLevelConfiguration, string),
	estimate func() request.WorkEstimate, queue fairqueuing.QueueNoteFn, execute func(),
) {
	n.Interface.Handle(ctx, digest, func(
		schema *flowcontrolv1.FlowSchema, level *flowcontrolv1.PriorityLevelConfiguration, distinguisher string,
	) {
		v := &passageOf(ctx).verdict
		v.FlowSchema, v.PriorityLevel, v.Distinguisher = schema.Name, level.Name, distinguisher
		note(schema, level, distinguisher)
	}, estimate, queue, execute)
}
