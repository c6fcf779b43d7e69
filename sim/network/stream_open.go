package network

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/engine"
)

// openWatch executes a watch request.
func (n *Network) openWatch(c *call) (watch.Interface, error) {
	req := c.request
	st := &stream{
		network: n, name: strings.Join([]string{req.Actor, req.Path()}, "/"),
		object: objectOf(req.Resource, req.Namespace, ""), last: engine.Past,
	}
	st.unread = newUnread(func(pass func(context.Context)) { n.options.Go(st.actor(), pass) })
	// Events that wait from the start are announced before source is set.
	opened := false
	if c.refuses() {
		err := refusal(c.rule, req)
		record := requestRecord(c, nil, err)
		record.FaultSeq = c.faultSeq
		n.Recorder.Emit(record)
		return nil, err
	}
	var err error
	st.source, err = n.Server.OpenWatch(req, func() {
		if opened {
			st.collect()
		}
	})
	record := requestRecord(c, nil, err)
	record.Background = isBackground(req)
	seq := n.Recorder.Emit(record)
	if err != nil {
		return nil, err
	}
	opened = true
	// The client receives events after the response to its request.
	st.last = n.Engine.Now() + c.back
	st.until = n.Engine.Now() + n.timeout(req, c.reflector)
	st.bookmarks = req.ListOptions.AllowWatchBookmarks
	st.keepUp()
	st.about = n.describe(st, req)
	st.sent = st.about.From
	if n.Server.MayWait(req) {
		st.conversion = newConversion(st, c, n.Server.Revision(), seq)
	}
	n.streams.add(st)
	st.source.OnEnd(func() { n.Engine.Schedule(&engine.Event{Key: "watch|" + st.name + "|ended", Run: st.expire}) })
	st.collect()
	st.about.listing = false
	return st, nil
}

// collect sends each waiting event.
func (st *stream) collect() {
	if st.conversion != nil {
		st.convertLater()
		return
	}
	for {
		event, ok := st.source.Next()
		if !ok {
			return
		}
		st.send(&arrival{event: event, rv: revisionOf(event), listed: st.about.listing})
	}
}

// describe returns the description of the stream that a request opened.
func (n *Network) describe(st *stream, req apiserver.Request) *Stream {
	about := &Stream{
		Actor: req.Actor, Resource: st.object.Resource, Namespace: req.Namespace, Open: st.isOpen, Idle: st.isIdle,
		Selective: req.Name != "" || req.ListOptions.LabelSelector != "" || req.ListOptions.FieldSelector != "",
	}
	if about.listing = beginsWithState(req.ListOptions); !about.listing {
		about.From, _ = strconv.ParseUint(req.ListOptions.ResourceVersion, 10, 64)
		about.From = cmp.Or(about.From, n.Server.Revision())
	}
	n.streams.opened(about)
	return about
}

// beginsWithState reports whether a watch begins with an ADDED event for each object, by the semantics of
// resourceVersion and sendInitialEvents in metav1.ListOptions.
func beginsWithState(options metav1.ListOptions) bool {
	if options.SendInitialEvents != nil {
		return *options.SendInitialEvents
	}
	return slices.Contains([]string{"", "0"}, options.ResourceVersion)
}
