package ctrlmain

import (
	"bufio"
	"context"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

// The file descriptors of the connection, and the environment variable that is set if there is one.
const (
	fromKubestep, toKubestep = 3, 4
	connected                = "KUBESTEP_EXTERNAL"
)

// Main runs a controller until kubestep ends the process. run gets the way to the API server. If it returns, the process
// ends: with code 0 or, after an error, with code 1.
func Main(run func(ctx context.Context, transport http.RoundTripper) error) {
	switch {
	case os.Getenv(connected) == "":
		fail("this is a controller for kubestep, which starts it", "scenariotest.Controller(NAME, external.Program(PATH))")
	case !built:
		fail("this program is not built for kubestep", Build)
	}
	link := newLink(os.NewFile(fromKubestep, "from kubestep"), os.NewFile(toKubestep, "to kubestep"))
	var first hello
	if err := link.in.Decode(&first); err != nil {
		fail("no connection to kubestep: "+err.Error(), "")
	}
	if first.Version != frameVersion {
		fail(fmt.Sprintf("kubestep speaks version %d, and this program version %d", first.Version, frameVersion),
			"build it with kubestep's version of github.com/kubestep/kubestep/controllers/external/ctrlmain")
	}
	// One processor gives the goroutines an order. The first collection starts a goroutine of the runtime, which must not be in the
	// bubble.
	runtime.GOMAXPROCS(1)
	runtime.GC()
	time.Local = time.UTC
	// synctest wants a test, of which it uses nothing but what is zero: sim/engine has the details.
	synctest.Test(new(testing.T), func(*testing.T) {
		seed(first.Seed)
		seedRandom(first.Seed)
		time.Sleep(time.Until(time.Unix(0, first.Now)))
		transport := &transport{waiting: map[uint64]*response{}}
		link.serve(transport, func() {
			go func() { transport.finish(run(context.Background(), transport)) }()
		})
	})
}

// lastWords are what is wrong with a program that cannot run, and what may help. kubestep reads them as a line of JSON
// (sim/process/lastwords there), and people as text.
type lastWords struct {
	Error string `json:"error"`
	Try   string `json:"try,omitempty"`
}

// fail ends the process before anything runs.
func fail(problem, try string) {
	if os.Getenv(connected) != "" {
		_ = json.NewEncoder(os.Stderr).Encode(lastWords{problem, try})
		os.Exit(2)
	}
	fmt.Fprintln(os.Stderr, "Error: "+problem)
	if try != "" {
		fmt.Fprintln(os.Stderr, "Try: "+try)
	}
	os.Exit(2)
}

// link is the connection to kubestep.
type link struct {
	in     *gob.Decoder
	out    *gob.Encoder
	buffer *bufio.Writer
}

func newLink(in, out *os.File) *link {
	buffer := bufio.NewWriter(out)
	return &link{in: gob.NewDecoder(bufio.NewReader(in)), out: gob.NewEncoder(buffer), buffer: buffer}
}

// serve takes turns with kubestep until kubestep ends; start begins the program's work. The goroutine of serve does not wait
// durably while it reads, so time stands still.
func (l *link) serve(t *transport, start func()) {
	for begun := false; ; {
		var next resume
		if l.in.Decode(&next) != nil {
			os.Exit(2) // kubestep has ended
		}
		if wait := time.Until(time.Unix(0, next.Now)); wait > 0 {
			time.Sleep(wait)
		}
		t.arrive(next.Arrived)
		if !begun {
			begun = true
			start()
		}
		synctest.Wait()
		done := t.collect()
		done.Version, done.Next = frameVersion, nextTimer()
		if l.send(done) != nil {
			os.Exit(2)
		}
		if done.Returned && done.Problem != "" {
			os.Exit(1)
		} else if done.Returned {
			os.Exit(0)
		}
	}
}

func (l *link) send(done turn) error {
	if err := l.out.Encode(done); err != nil {
		return err
	}
	return l.buffer.Flush()
}
