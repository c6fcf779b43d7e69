package network

import (
	"runtime"
	"strings"
	"time"

	"k8s.io/utils/ptr"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/trace"
)

// A watch does not last: the server ends it after the timeout that the client asked for, and the client resumes it from
// the newest resourceVersion that it knows. So that this version is not too old, the server sends a bookmark about once
// a minute, and one shortly before the end (nextBookmarkTime in k8s.io/apiserver/pkg/storage/cacher/cache_watcher.go).
const (
	bookmarkPeriod = time.Minute
	// bookmarkBeforeEnd is how long before the end the last bookmark is sent.
	bookmarkBeforeEnd = 2 * time.Second
)

// reflectorTimeout is the range from which reflectors draw the timeout of each watch (defaultMinWatchTimeout in
// k8s.io/client-go/tools/cache/reflector.go).
var reflectorTimeout = Range{5 * time.Minute, 10*time.Minute - time.Second}

// timeout is how long the server keeps a watch open. The client's timeoutSeconds applies, except that of a reflector,
// which comes from Go's global random source: a draw from the seed replaces it. For a watch without one, the server draws
// it (ListResource in k8s.io/apiserver/pkg/endpoints/handlers/get.go).
func (n *Network) timeout(req apiserver.Request, reflector bool) time.Duration {
	asked := time.Duration(ptr.Deref(req.ListOptions.TimeoutSeconds, 0)) * time.Second
	key := "timeout|" + callKey(req)
	switch {
	case asked == 0:
		least := n.Server.MinRequestTimeout()
		return n.travel(key, Range{least, 2 * least})
	case reflector && asked >= reflectorTimeout.Min && asked <= reflectorTimeout.Max:
		return n.travel(key, reflectorTimeout).Truncate(time.Second)
	}
	return asked
}

// fromReflector reports whether the calling goroutine is a reflector that opens a watch.
func fromReflector() bool {
	var callers [64]uintptr
	frames := runtime.CallersFrames(callers[:runtime.Callers(2, callers[:])])
	for {
		frame, more := frames.Next()
		if strings.HasPrefix(frame.Function, "k8s.io/client-go/tools/cache.(*Reflector).") {
			return true
		}
		if !more {
			return false
		}
	}
}

// keepUp schedules the next bookmark, if the client allows bookmarks, or the end of the stream.
func (st *stream) keepUp() {
	if st.network.options.LeaveOut {
		st.network.sayLeftOut()
		return
	}
	now := st.network.Engine.Now()
	due, run := st.until, st.expire
	if bookmark := min(now+bookmarkPeriod, st.until-bookmarkBeforeEnd); st.bookmarks && bookmark > now {
		due, run = bookmark, st.bookmark
	}
	st.network.Engine.UpkeepAt(due, "watch|"+st.name+"|upkeep", run)
}

// sayLeftOut records once that watches need no upkeep.
func (n *Network) sayLeftOut() {
	if n.streams.leftOut {
		return
	}
	n.streams.leftOut = true
	n.Recorder.Emit(&trace.Record{Kind: trace.KindLog, Actor: apiserver.Self, Background: true, Log: &trace.Log{
		Message: "bookmarks and the ends of watches are left out, and the garbage collector looks for new resources only at its start",
	}})
}

// bookmark sends a bookmark, unless it would tell the client what it knows. Then the real server sends one all the same,
// but in a simulation of days in which nothing happens, bookmarks would be most of the trace.
func (st *stream) bookmark() {
	if !st.isServing() {
		return
	}
	if st.network.Server.Revision() > st.sent {
		st.source.Bookmark()
	}
	st.keepUp()
}

// expire ends the stream at the server. The client notices when everything that was sent before has arrived.
func (st *stream) expire() {
	if st.isServing() {
		st.source.Stop()
		st.expired = true
		st.send(&arrival{end: true, notBefore: engine.Past})
	}
}
