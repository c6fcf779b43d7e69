package apiserver

import (
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"strings"

	"golang.org/x/net/http2"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/klog/v2"
)

// notFound answers a path that the API does not have, like the router of an HTTP server: it cannot
// tell a resource from a name, so its message names neither.
func notFound() error { return routing(http.StatusNotFound, "404: Page Not Found") }

// notAllowed answers a verb that a path does not have.
func notAllowed() error { return routing(http.StatusMethodNotAllowed, "405: Method Not Allowed") }

func routing(code int, message string) error {
	return apierrors.NewGenericServerResponse(code, "", schema.GroupResource{}, "", message, 0, false)
}

// panicked logs why a request panicked, and returns what its client sees. kube-apiserver's filter (WithPanicRecovery in
// k8s.io/apiserver/pkg/server/filters) writes a 500 and panics again, so the HTTP/2 server of net/http resets the stream
// before the answer is on its way. The stack trace is different in each run, so it is logged only at a verbosity at which
// nobody compares traces.
func panicked(reason any, verb, path string) error {
	klog.ErrorS(nil, "apiserver panic'd", "verb", verb, "path", path, "panic", strings.SplitN(fmt.Sprint(reason), "\n", 2)[0])
	klog.V(6).InfoS("Stack of the panic", "stack", string(debug.Stack()))
	return http2.StreamError{StreamID: 1, Code: http2.ErrCodeInternal, Cause: errFromPeer}
}

// errFromPeer is what golang.org/x/net/http2 says of a stream that the other side has reset.
var errFromPeer = errors.New("received from peer")

// answer gives any error the status that kube-apiserver sends for it. What carries no status of its own is a 500, or a
// 409 if the storage says so. An error that merely wraps a status is not a status either: kube-apiserver does not
// unwrap.
func answer(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := err.(apierrors.APIStatus); ok {
		return err
	}
	code := http.StatusInternalServerError
	if storage.IsConflict(err) {
		code = http.StatusConflict
	}
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: int32(code),
		Reason: metav1.StatusReasonUnknown, Message: err.Error(),
	}}
}
