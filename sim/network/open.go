package network

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/network/fault"
	"github.com/kubestep/kubestep/sim/observe/digest"
	"github.com/kubestep/kubestep/sim/observe/syncs"
)

// openOf is what a chooser knows of a request or its answer, or nil: the order is not open unless somebody asked for that, and what is
// about Events and leases never is.
func (n *Network) openOf(kind engine.OpenKind, c *call) *engine.Open {
	if !n.options.OpenOrder || fault.IsRoutine(c.request.Resource.Resource) {
		return nil
	}
	return &engine.Open{
		Kind: kind, Name: strings.Join([]string{c.request.Actor, c.request.Verb, requestPath(c)}, " "),
		Write: func(w io.Writer) { n.writeCall(w, c) },
	}
}

// requestPath is default/pods/web-1 of a request, with its subresource.
func requestPath(c *call) string {
	path := requestObject(c.request)
	if c.request.Subresource != "" {
		path += "/" + c.request.Subresource
	}
	return path
}

// writeCall writes what a call brings: the body of the request, and the answer if there is one. Whoever sends an older version than that
// of the store is refused.
func (n *Network) writeCall(w io.Writer, c *call) {
	fmt.Fprint(w, c.key, " ")
	if body := c.request.Object; body != nil {
		fmt.Fprint(w, n.Digests.Of(body), n.isCurrent(c.request, body))
	}
	_, _ = w.Write(c.request.Patch)
	switch a := c.answered; {
	case a == nil:
	case a.err != nil:
		fmt.Fprint(w, " ", a.err)
	case a.object != nil:
		fmt.Fprint(w, " ", n.Digests.Of(a.object))
	}
}

// noteAnswer tells the sync that sent a request of the answer that it receives.
func (n *Network) noteAnswer(c *call) {
	sync, ok := c.task.(*syncs.Sync)
	if !ok || !n.options.OpenOrder {
		return
	}
	var text bytes.Buffer
	n.writeCall(&text, c)
	sync.Answered(digest.Of(text.Bytes()))
}

// isCurrent reports whether a body has the resourceVersion of the store.
func (n *Network) isCurrent(req apiserver.Request, body runtime.Object) bool {
	stored, ok := n.options.Stored(req.Resource.GroupResource(), req.Namespace, requestName(req))
	if !ok {
		return false
	}
	mine, errMine := meta.Accessor(body)
	its, errIts := meta.Accessor(stored)
	return errMine == nil && errIts == nil && mine.GetResourceVersion() == its.GetResourceVersion()
}

// open is what a chooser knows of a watch event.
func (st *stream) open() *engine.Open {
	if !st.network.options.OpenOrder || fault.IsRoutine(st.about.Resource) {
		return nil
	}
	return &engine.Open{Kind: engine.OpenWatch, Name: st.name}
}

// WriteState writes the watch events that are under way to clients, those that faults hold, and how often faults applied.
func (n *Network) WriteState(w io.Writer) {
	for _, open := range n.streams.all {
		st, ok := open.(*stream)
		if !ok || !st.isOpen() || fault.IsRoutine(st.about.Resource) {
			continue
		}
		fmt.Fprintln(w, st.name, st.expired)
		for _, waiting := range [][]*arrival{st.travelling, st.queue} {
			for _, a := range waiting {
				if !a.isUpkeep() {
					fmt.Fprint(w, a.event.Type, n.Digests.Of(a.event.Object), " ")
				}
			}
			fmt.Fprintln(w)
		}
	}
	for _, rule := range n.Faults() {
		rule.WriteState(w)
	}
}
