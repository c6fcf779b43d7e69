package format

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/scenarios/spelling"
)

// statusReasons are the reasons that an API server refuses a request with, and their codes: people
// who know the code only (fails: 409) see the reason.
var statusReasons = []struct {
	reason metav1.StatusReason
	code   int
}{
	{metav1.StatusReasonUnauthorized, http.StatusUnauthorized},
	{metav1.StatusReasonForbidden, http.StatusForbidden},
	{metav1.StatusReasonNotFound, http.StatusNotFound},
	{metav1.StatusReasonConflict, http.StatusConflict},
	{metav1.StatusReasonAlreadyExists, http.StatusConflict},
	{metav1.StatusReasonGone, http.StatusGone},
	{metav1.StatusReasonInvalid, http.StatusUnprocessableEntity},
	{metav1.StatusReasonInternalError, http.StatusInternalServerError},
	{metav1.StatusReasonServerTimeout, http.StatusInternalServerError},
	{metav1.StatusReasonStoreReadError, http.StatusInternalServerError},
	{metav1.StatusReasonTimeout, http.StatusGatewayTimeout},
	{metav1.StatusReasonTooManyRequests, http.StatusTooManyRequests},
	{metav1.StatusReasonBadRequest, http.StatusBadRequest},
	{metav1.StatusReasonMethodNotAllowed, http.StatusMethodNotAllowed},
	{metav1.StatusReasonNotAcceptable, http.StatusNotAcceptable},
	{metav1.StatusReasonRequestEntityTooLarge, http.StatusRequestEntityTooLarge},
	{metav1.StatusReasonUnsupportedMediaType, http.StatusUnsupportedMediaType},
	{metav1.StatusReasonExpired, http.StatusGone},
	{metav1.StatusReasonServiceUnavailable, http.StatusServiceUnavailable},
}

// StatusCode is the HTTP code of a status reason, 0 for none.
func StatusCode(reason string) int {
	for _, r := range statusReasons {
		if string(r.reason) == reason {
			return r.code
		}
	}
	return 0
}

// enumValues reads an enum tag: the values themselves, or @ and the name of a list.
func enumValues(tag string) []string {
	switch tag {
	case "":
		return nil
	case "@reasons":
		values := make([]string, len(statusReasons))
		for i, r := range statusReasons {
			values[i] = string(r.reason)
		}
		return values
	}
	return strings.Split(tag, ",")
}

// enumSuggestion is the value that was probably meant, or all of them.
func enumSuggestion(values []string, wrong string) string {
	for _, r := range statusReasons {
		if strconv.Itoa(r.code) == wrong && slices.Contains(values, string(r.reason)) {
			return string(r.reason)
		}
	}
	if near := spelling.Nearest(wrong, values); near != "" {
		return near
	}
	if slices.Contains(values, string(metav1.StatusReasonNotFound)) {
		return "Invalid, Conflict, NotFound or another status reason"
	}
	return "one of " + strings.Join(values, ", ")
}
