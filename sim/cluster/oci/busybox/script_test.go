package busybox_test

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/datadriven"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubestep/kubestep/sim/cluster/oci"
	"github.com/kubestep/kubestep/sim/cluster/oci/busybox"
)

// TestScripts runs the scripts in testdata, each in a container of its own. The answer is what the script writes, its exit code, and how
// long it takes in virtual time. term=DURATION sends SIGTERM, and kill=DURATION kills, after that time.
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			folder := t.TempDir()
			var out string
			synctest.Test(t, func(t *testing.T) { out = play(t, folder, d) })
			return out
		})
	})
}

// output collects what several processes write.
type output struct {
	mu sync.Mutex
	bytes.Buffer
}

// Write implements io.Writer.
func (o *output) Write(data []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.Buffer.Write(data)
}

func play(t *testing.T, folder string, d *datadriven.TestData) string {
	files, err := oci.NewFiles(folder, d.HasArg("readOnly"), nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, kill := context.WithCancel(t.Context())
	defer kill()
	terminated := make(chan struct{})
	later := func(argument string, do func()) {
		if d.HasArg(argument) {
			var text string
			d.ScanArgs(t, argument, &text)
			wait, err := time.ParseDuration(text)
			if err != nil {
				t.Fatal(err)
			}
			time.AfterFunc(wait, do)
		}
	}
	later("term", func() { close(terminated) })
	later("kill", kill)
	var out output
	p := &oci.Process{
		Context: ctx, Terminated: terminated, Args: []string{"sh", "-c", d.Input}, Env: []string{"HOME=/root", "GREETING=hello"}, Dir: "/",
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Umask: oci.DefaultUmask,
		Container: &oci.Container{
			Pod: &corev1.Pod{}, Name: "c", Hostname: "web-0", Addresses: []string{"10.244.0.7"}, Files: files, Network: nowhere{},
			NewID: func(string) uint64 { return 4711 }, Output: &out, Errors: &out,
		},
	}
	begin := time.Now()
	code := busybox.Run(p)
	took := time.Since(begin)
	kill()
	text := out.String()
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "(no end of line)\n"
	}
	return fmt.Sprintf("%sexit %d after %s\n", text, code, took)
}

// nowhere is a network in which nobody listens.
type nowhere struct{}

// Listen implements oci.Network.
func (nowhere) Listen(int32) (net.Listener, error) { return nil, net.ErrClosed }

// Dial implements oci.Network.
func (nowhere) Dial(_ context.Context, address string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	_, err = nowhere{}.Lookup(host)
	return nil, err
}

// Lookup implements oci.Network.
func (nowhere) Lookup(name string) ([]string, error) {
	return nil, &net.DNSError{Err: "no such host", Name: name, IsNotFound: true}
}
