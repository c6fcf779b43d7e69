package network

import (
	"net/http"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/network/fault"
)

// refusal is the status that a client receives. Its message names the rule, which makes it easy to recognize in the
// errors and Events that follow.
func refusal(rule *fault.Rule, req apiserver.Request) error {
	effect := rule.Effect
	text := "an injected fault"
	switch effect.Code {
	case http.StatusGatewayTimeout:
		text = "the request did not complete within the allotted timeout"
	case http.StatusConflict:
		text = "the request was rejected"
	case http.StatusTooManyRequests:
		text = "the server has received too many requests"
	case http.StatusServiceUnavailable:
		text = "the server is currently unable to handle the request"
	}
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: int32(effect.Code), Reason: metav1.StatusReason(effect.Reason),
		Message: text + " (" + rule.Name + ")",
		Details: &metav1.StatusDetails{
			Group: req.Resource.Group, Kind: req.Resource.Resource, Name: requestName(req),
			RetryAfterSeconds: int32(effect.RetryAfter / time.Second),
		},
	}}
}

// retryMax is how often client-go retries a request that is answered with Retry-After (rest.Request's default of
// maxRetries).
const retryMax = 10

// retryAfter returns how long client-go waits before it retries a refused request (rest.IsNextRetry): it retries on 429
// and 5xx with the header Retry-After. HTTP clients do so themselves.
func retryAfter(err error) (time.Duration, bool) {
	seconds, suggested := apierrors.SuggestsClientDelay(err)
	if !suggested || seconds <= 0 {
		return 0, false
	}
	status, ok := err.(apierrors.APIStatus)
	code := 0
	if ok {
		code = int(status.Status().Code)
	}
	again := code == http.StatusTooManyRequests || code >= http.StatusInternalServerError
	return time.Duration(seconds) * time.Second, again
}
