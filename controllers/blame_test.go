package controllers

import "testing"

// TestCulprit finds the code of an author in stacks, as Go prints them.
func TestCulprit(t *testing.T) {
	const before = "goroutine 7 [running]:\nruntime/debug.Stack()\n\t/usr/local/go/src/runtime/debug/stack.go:26 +0x5e\n" +
		"github.com/kubestep/kubestep/controllers.(*Processes).catchPanics.func1()\n\t/mod/controllers/processes.go:180 +0x1\n" +
		"panic({0x1, 0x2})\n\t/usr/local/go/src/runtime/panic.go:783 +0x132\n" +
		"runtime.panicmem(...)\n\t/usr/local/go/src/runtime/panic.go:262\n"
	const library = "sigs.k8s.io/controller-runtime/pkg/client.(*client).Get(0xc1)\n\t/go/pkg/mod/sigs.k8s.io/cr@v0.22.4/c.go:3 +0x1\n"
	for name, test := range map[string]struct{ stack, want string }{
		"a Reconcile": {
			before + library + "example.com/op.(*Reconciler).Reconcile(0xc1, {0x1, 0x2})\n\t/home/me/op/reconciler.go:42 +0x26\n" +
				"example.com/op.other()\n\t/home/me/op/other.go:1 +0x26\n",
			"example.com/op.(*Reconciler).Reconcile (reconciler.go:42)",
		},
		"a library in between": {
			before + "github.com/some/lib.Must(...)\n\t/go/pkg/mod/github.com/some/lib@v1.0.0/must.go:9\n" +
				"main.run()\n\t/home/me/op/main.go:7 +0x1\n",
			"main.run (main.go:7)",
		},
		"an operator that was downloaded": {
			before + library + "github.com/some/op.Sync(...)\n\t/go/pkg/mod/github.com/some/op@v1.0.0/sync.go:9\n",
			"github.com/some/op.Sync (sync.go:9)",
		},
		"a module without a domain": {
			before + "operator/internal.Sync(...)\n\t/home/me/operator/internal/sync.go:9\n", "operator/internal.Sync (sync.go:9)",
		},
		"Go's report of a process that ended": {
			"panic: boom\n\ngoroutine 9 [running]:\nmain.work(0x1)\n\t/home/me/op/work.go:5 +0x1\ncreated by main.run in goroutine 1\n\t/x/main.go:1 +0x2\n",
			"main.work (work.go:5)",
		},
		"upstream's own": {
			before + "k8s.io/kubernetes/pkg/controller/job.(*Controller).syncJob(0x1)\n\t/go/pkg/mod/k8s.io/kubernetes@v1.36.3/job.go:8 +0x1\n" +
				"net/http.serve()\n\t/usr/local/go/src/net/http/server.go:1 +0x1\n", "",
		},
		"a binary without paths": {
			"panic(0x1)\n\truntime/panic.go:783 +0x132\nnet/http.serve()\n\tnet/http/server.go:1 +0x1\n" +
				"internal/poll.runtime_pollWait(0x1)\n\truntime/netpoll.go:351 +0x85\n" +
				"example.com/op.Sync()\n\texample.com/op/sync.go:9 +0x1\n", "example.com/op.Sync (sync.go:9)",
		},
	} {
		if got := Culprit(test.stack); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}
