package apiserver_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/cockroachdb/datadriven"
	"github.com/google/uuid"
	"k8s.io/apimachinery/pkg/runtime"
	utilrand "k8s.io/apimachinery/pkg/util/rand"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/kubestep/kubestep/sim/apiserver"
)

// TestScripts plays the scripts in testdata. Each begins with an empty server and shows one thing that
// kube-apiserver does. To accept new answers, run with -rewrite, read the difference, and keep it only
// if every line is what a real API server would say.
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		seedNames(t)
		b := openBubble(t)
		defer b.close()
		w := &world{}
		var err error
		b.do(func() { err = w.begin(apiserver.Options{}) })
		if err != nil {
			t.Fatal(err)
		}
		defer b.do(w.stopWatches)
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			var out string
			var err error
			b.do(func() { out, err = w.run(command{d}) })
			if err != nil {
				d.Fatalf(t, "%v", err)
			}
			return out
		})
	})
}

// bubble is a bubble of testing/synctest that makes calls for a goroutine outside. In it time is
// virtual, so times in the scripts are always the same and an hour passes at once. The script itself is
// read outside, because datadriven complains about a command that takes an hour.
type bubble struct {
	calls chan func()
	ended chan struct{}
}

func openBubble(t *testing.T) *bubble {
	b := &bubble{calls: make(chan func()), ended: make(chan struct{})}
	go func() {
		defer close(b.ended)
		synctest.Test(t, func(*testing.T) {
			for call := range b.calls {
				call()
			}
		})
	}()
	return b
}

func (b *bubble) do(call func()) {
	done := make(chan struct{})
	b.calls <- func() {
		defer close(done)
		call()
	}
	<-done
}

// close ends the bubble. It panics if a goroutine is left in there, so every script is a test for leaks.
func (b *bubble) close() {
	close(b.calls)
	<-b.ended
}

// world is the server that a script talks to, with what the script has seen so far.
type world struct {
	server *apiserver.Server
	// mirror, if set, gets every request as well.
	mirror *mirror
	// commits are those that the script has not looked at yet.
	commits, allCommits []apiserver.Commit
	watches             []*namedStream
	// page is the continue token of the last list.
	page string
}

func (w *world) begin(options apiserver.Options) (err error) {
	options.ManagedFields = w.mirror != nil && w.mirror.managed
	w.server, err = apiserver.New(func(c apiserver.Commit) {
		w.commits, w.allCommits = append(w.commits, c), append(w.allCommits, c)
	}, options)
	if err == nil && w.mirror != nil {
		err = w.mirror.begin(options)
	}
	// A policy that applies a configuration makes upstream's handlers, which draw uids.
	if err == nil && w.mirror != nil && slices.Contains(options.Admission, "MutatingAdmissionPolicy") {
		_, err = w.server.HTTP()
	}
	return err
}

// Do implements apiserver.Transport. It sends a request to the server.
func (w *world) Do(req apiserver.Request) (runtime.Object, error) {
	if w.mirror != nil {
		return w.mirror.do(w, req)
	}
	return w.server.Do(req)
}

// Watch implements apiserver.Transport.
func (w *world) Watch(req apiserver.Request) (watch.Interface, error) {
	return nil, fmt.Errorf("watch %s: a script uses OpenWatch", req.Path())
}

// run executes one command. An error means that the script is wrong; what the server refuses is output.
//
// Objects are named as kubectl names them: deployments/web, or deployments.v1.apps/web to choose the
// version. The namespace is default unless ns=NAME says otherwise; ns=none sends none. sub=NAME chooses a
// subresource. show=(PATH, ...) prints fields of the answer, details prints a refusal in full, and
// as=USER, with groups=(A, B), sends the request as another user. dry-run asks the server to do all but the write; dry-run=VALUE sends another value.
func (w *world) run(c command) (string, error) {
	switch c.Cmd {
	case "admission": // admission plugins=(A, B): begins again, with admission plugins
		return "", w.begin(apiserver.Options{Admission: c.values("plugins")})
	case "authorization": // authorization mode=RBAC: begins again, with an authorizer
		return "", w.begin(apiserver.Options{Authorization: c.value("mode")})
	case "create": // create [at=..] [name=(a, b)]: POST of the input; with names, one object for each
		return w.create(c)
	case "update": // update [at=..]: PUT of the input as it is
		return w.update(c)
	case "edit": // edit pods/a [rv=..]: GET, merge the input into the object, PUT
		return w.edit(c)
	case "patch": // patch pods/a type=merge [strict] [manager=..] [force]
		return w.patch(c)
	case "get": // get pods/a
		return w.get(c)
	case "list": // list pods [selector=..] [fields=..] [limit=..] [continue] [rv=..] [match=..]
		return w.list(c)
	case "delete": // delete pods/a [cascade=..] [grace=..] [uid=..] [rv=..]
		return w.delete(c)
	case "deletecollection": // deletecollection pods [selector=..] [fields=..]
		return w.deleteCollection(c)
	case "scale": // scale deployments/web replicas=3 [rv=..]
		return w.scale(c)
	case "bind": // bind pods/a node=n
		return w.bind(c)
	case "evict": // evict pods/a [grace=..]
		return w.evict(c)
	case "finalize": // finalize namespaces/a: what the namespace controller does last
		return w.finalize(c)
	case "watch": // watch NAME pods [selector=..] [fields=..] [rv=..] [bookmarks]: opens it
		return w.watch(c)
	case "events": // events NAME: takes what the watch has to tell
		return w.events(c)
	case "commits": // commits: what was written since the last time
		return w.written(), nil
	case "compact": // compact [rv=..]: forgets the history, up to now or up to a revision
		return w.compact(c)
	case "sleep": // sleep 1h: lets virtual time pass, then expires what is due
		return w.sleep(c)
	case "reseed": // reseed: generated names repeat from the first
		utilrand.Seed(nameSeed)
		return "", nil
	}
	return "", fmt.Errorf("unknown command %q", c.Cmd)
}

// nameSeed starts the generator of random suffixes.
const nameSeed = 1

// seedNames makes uids count up and the random suffixes of generated names repeat. Both generators
// belong to the process, so tests that use them do not run in parallel.
func seedNames(t *testing.T) {
	uuid.SetRand(&counter{})
	utilrand.Seed(nameSeed)
	t.Cleanup(func() { uuid.SetRand(nil) })
}

// counter is an io.Reader of 1, 2, 3 and so on. As a uid, 1 is 00000000-0000-4000-8000-000000000001:
// the 4 and the 8 are the version and the variant, which package uuid puts there.
type counter struct{ n uint64 }

func (c *counter) Read(p []byte) (int, error) {
	clear(p)
	c.n++
	binary.BigEndian.PutUint64(p[len(p)-8:], c.n)
	return len(p), nil
}
