package apiserver

import (
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/storage"
)

// notFound answers a path that the API does not have, like the router of an HTTP server: it cannot
// tell a resource from a name, so its message names neither.
func notFound() error { return routing(http.StatusNotFound, "404: Page Not Found") }

// notAllowed answers a verb that a path does not have.
func notAllowed() error { return routing(http.StatusMethodNotAllowed, "405: Method Not Allowed") }

func routing(code int, message string) error {
	return apierrors.NewGenericServerResponse(code, "", schema.GroupResource{}, "", message, 0, false)
}

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
