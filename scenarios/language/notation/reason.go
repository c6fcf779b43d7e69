package notation

import (
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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

// UnknownReason is what a scenario writes for a refusal without a reason, such as that of an admission webhook that gives none.
const UnknownReason = "Unknown"

// Refusals are what a step can fail with.
func Refusals() []string { return append(StatusReasons(), UnknownReason) }

// Rejections lists the reasons with which a kubelet may reject a Pod: those of admissionRejectionReasons in pkg/kubelet/kubelet.go that
// depend on its node and not on the Pod alone.
func Rejections() []string {
	return []string{
		"UnexpectedAdmissionError", "OutOfcpu", "OutOfmemory", "OutOfephemeral-storage", "OutOfpods", "NodeAffinity", "NodeShutdown",
		"TopologyAffinityError", "Evicted",
	}
}

// StatusReasons lists the status reasons.
func StatusReasons() []string {
	var reasons []string
	for _, r := range statusReasons {
		reasons = append(reasons, string(r.reason))
	}
	return reasons
}
