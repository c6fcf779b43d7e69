package network

import (
	"net/http"
	"slices"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/apis/audit"
	"k8s.io/apiserver/pkg/authentication/user"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/engine/activity"
)

// Outside answers the requests of clients that are not part of the simulation: somebody who looks at it with kubectl while it
// runs. It answers requests that change nothing. They take no virtual time, are not events of the engine and have no
// records, so a run is the same however often somebody looks.
//
// All methods must be called on the engine's goroutine, when nothing is due.
type Outside struct {
	network *Network
	front   *apiserver.HTTP
	// activity is that of all requests: the registry keeps each that it has seen.
	activity *activity.Activity
}

// Outside builds the server's HTTP interface, if nobody has asked for it yet.
func (n *Network) Outside() (*Outside, error) {
	front, err := n.Front()
	out := &Outside{n, front, &activity.Activity{Actor: apiserver.Self, Aside: true}}
	out.Tag()() // from now on, any goroutine may
	return out, err
}

// Tag tags the calling goroutine, and those that it starts, which are outside of the bubble: what they log is no part of the trace. leave
// reverts this. It may be called on any goroutine.
func (o *Outside) Tag() (leave func()) {
	o.network.Activities.Enter(o.activity)
	return o.network.Activities.Leave
}

// Changes reports whether a request may change the store. A dry run does not, nor does a review, which is a question in
// the form of an object. A method that stands for no verb, such as OPTIONS, is refused.
func Changes(wire *apiserver.Wire) bool {
	switch {
	case !wire.Writes(), wire.Verb == "", isReview(wire.Resource.GroupResource()):
		return false
	}
	return !slices.Equal(wire.DryRun(), []string{metav1.DryRunAll})
}

// isReview reports whether a resource is a question, such as SelfSubjectAccessReview. A TokenReview is more than that: the server notes in
// a Secret that its token is in use.
func isReview(resource schema.GroupResource) bool {
	switch resource.Group {
	case authorizationv1.GroupName:
		return true
	case authenticationv1.GroupName:
		return resource.Resource != "tokenreviews"
	}
	return false
}

// Authenticate finds the user of a request with a token of a service account.
func (o *Outside) Authenticate(r *http.Request) (who user.Info, err error) {
	o.Aside(func() { who, err = o.front.Authenticate(r) })
	return who, err
}

// Parse reads a request of actor. ok is false if it is for a Document.
func (o *Outside) Parse(r *http.Request, actor string) (wire *apiserver.Wire, ok bool, err error) {
	// The server numbers requests without an id.
	r.Header.Set(audit.HeaderAuditID, "outside")
	o.Aside(func() { wire, ok, err = o.front.Parse(r, actor) })
	if ok {
		wire.User = o.network.identityOf(actor).user
	}
	return wire, ok, err
}

// Authorize is the answer to a request of actor that the server's filters refuse; nil if they let it pass.
func (o *Outside) Authorize(r *http.Request, actor string) (refused *http.Response) {
	wire, ok, err := o.Parse(r, actor)
	if !ok || err != nil {
		return nil
	}
	o.Aside(func() {
		if refused, err = o.front.Authorize(wire); refused == nil && err != nil {
			refused = o.front.Refuse(wire, err)
		}
	})
	return refused
}

// Document answers a request for a document: discovery, OpenAPI, the version.
func (o *Outside) Document(r *http.Request) (response *http.Response) {
	o.Aside(func() { response = o.front.Document(r) })
	return response
}

// Answer answers a request that changes nothing, every verb but watch.
func (o *Outside) Answer(wire *apiserver.Wire) (response *http.Response) {
	o.Aside(func() {
		var err error
		if response, _, err = o.front.Do(wire); response == nil {
			response = o.front.Refuse(wire, err)
		}
	})
	return response
}

// Read executes a request of actor that changes nothing, as that of a typed client.
func (o *Outside) Read(actor string, req apiserver.Request) (runtime.Object, error) {
	known := o.network.identityOf(actor)
	req.Actor, req.User, req.Program = actor, known.user, known.program
	return o.network.Server.Do(req)
}

// Unacceptable is the answer to a write whose client accepts no format that the server has, and nil if it accepts one. Upstream's handlers
// refuse such a request before they do anything. They are asked for a dry run of nothing, so that nothing changes whatever they do.
func (o *Outside) Unacceptable(wire *apiserver.Wire, r *http.Request, actor string) *http.Response {
	acceptable := false
	o.Aside(func() { acceptable = o.front.IsAcceptable(wire) })
	if acceptable {
		return nil
	}
	dry := r.Clone(r.Context())
	query := dry.URL.Query()
	query.Set("dryRun", metav1.DryRunAll)
	dry.URL.RawQuery, dry.Body = query.Encode(), http.NoBody
	question, ok, err := o.Parse(dry, actor)
	if !ok || err != nil {
		return nil
	}
	if response := o.Answer(question); response.StatusCode == http.StatusNotAcceptable {
		return response
	}
	return nil
}

// Refuse answers a request with an error.
func (o *Outside) Refuse(wire *apiserver.Wire, err error) *http.Response {
	return o.front.Refuse(wire, err)
}

// Watch opens a watch. Each event is passed to send when it is written, as its client accepts it, which frames says; watches of one
// representation share the frame, which must not change. refused is the answer to a watch that is not possible.
func (o *Outside) Watch(wire *apiserver.Wire, send func(frame []byte)) (frames *apiserver.Frames, stop func(), refused *http.Response) {
	o.Aside(func() { frames, stop, refused = o.watch(wire, send) })
	return frames, stop, refused
}

func (o *Outside) watch(wire *apiserver.Wire, send func(frame []byte)) (frames *apiserver.Frames, stop func(), refused *http.Response) {
	if response, err := o.front.Authorize(wire); response != nil {
		return nil, nil, response
	} else if err != nil {
		return nil, nil, o.front.Refuse(wire, err)
	}
	frames, err := o.front.Frames(wire)
	if err != nil {
		return nil, nil, o.front.Refuse(wire, err)
	}
	var stream *apiserver.Stream
	take := func() {
		for stream != nil {
			var frame []byte
			var ok bool
			var err error
			o.network.webhooks.without(func() { frame, ok, err = frames.Next(stream) })
			if !ok {
				return
			}
			if err == nil {
				send(frame)
			}
		}
	}
	// Events that wait from the start are announced before there is a stream.
	if stream, err = o.network.Server.OpenWatch(wire.Request, take); err != nil {
		return nil, nil, o.front.Refuse(wire, err)
	}
	take()
	return frames, stream.Stop, nil
}

// Aside runs f. What it logs is no part of the trace, and the ids that it takes, such as those of
// a dry run, are given out again.
func (o *Outside) Aside(f func()) {
	defer o.network.options.IDs.Hold()()
	o.network.Activities.Enter(o.activity)
	defer o.network.Activities.Leave()
	o.network.webhooks.without(f)
}
