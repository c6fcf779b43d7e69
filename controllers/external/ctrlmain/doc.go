// Package ctrlmain is the main function of a controller that kubestep runs as a process of its own, with its own go.mod:
//
//	func main() {
//		ctrlmain.Main(func(ctx context.Context, transport http.RoundTripper) error {
//			config := &rest.Config{Host: ctrlmain.Host, Transport: transport}
//			return run(ctx, kubernetes.NewForConfigOrDie(config))
//		})
//	}
//
// The function and all goroutines that it starts are in a bubble of testing/synctest, so their time is virtual: it stands
// still while any of them works. When all of them wait, Main tells kubestep which requests were sent and when the next
// timer is due, and waits in real time. kubestep answers with the responses and watch events of the next virtual instant at
// which there are any, or at which that timer is due. So both processes have one time, and neither is ever ahead.
//
// The program is built with Go's runtime as kubestep's exact build has it, which makes everything that the runtime decides
// a function of the seed, and which says when the next timer of a bubble is due. Build has the flags.
package ctrlmain

// Build tells how such a program is built.
const Build = `export CGO_ENABLED=0 GOFLAGS="$(go run github.com/kubestep/kubestep/sim/toolchain/exact/overlay -external -o DIR)"; go build`

// Host is the host of the API server, for a rest.Config.
const Host = "http://kube-apiserver"
