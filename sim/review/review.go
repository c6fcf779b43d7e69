// Package review describes a call of an admission webhook: what the API server asked (an AdmissionReview), and what it got.
package review

import (
	"encoding/json"
	"strings"
	"time"
)

// Review is one call.
type Review struct {
	// Configuration is the MutatingWebhookConfiguration or ValidatingWebhookConfiguration, Hook the webhook in it, and Type
	// mutating or validating.
	Configuration string `json:"configuration"`
	Hook          string `json:"hook"`
	Type          string `json:"type"`
	// Operation is that of the request: CREATE, UPDATE, DELETE or CONNECT. Resource, Namespace, Name and Subresource are what
	// it is for, as in a request of a trace, and Client is who sent it.
	Operation   string `json:"operation"`
	Resource    string `json:"resource"`
	Namespace   string `json:"namespace,omitempty"`
	Name        string `json:"name,omitempty"`
	Subresource string `json:"subresource,omitempty"`
	Client      string `json:"client,omitempty"`
	// Sent is the virtual time at which the API server called.
	Sent time.Duration `json:"sent"`
	// Allowed, Code and Message are the answer; Code is 0 if the webhook gave none.
	Allowed bool   `json:"allowed,omitempty"`
	Code    int    `json:"code,omitempty"`
	Message string `json:"message,omitempty"`
	// Patch is the JSON patch with which a mutating webhook answered.
	Patch json.RawMessage `json:"patch,omitempty"`
	// Warnings are for the client.
	Warnings []string `json:"warnings,omitempty"`
	// Error is why there is no answer: context deadline exceeded.
	Error string `json:"error,omitempty"`
}

// Changes reports whether the webhook did anything but allow the request.
func (r *Review) Changes() bool { return !r.Allowed || len(r.Patch) > 0 }

// Text describes the question and the answer in one line: create: denied: too big.
func (r *Review) Text() string {
	answer := "allowed"
	switch {
	case r.Error != "":
		answer = "no answer: " + r.Error
	case !r.Allowed:
		answer = strings.TrimSuffix("denied: "+r.Message, ": ")
	case len(r.Patch) > 0:
		answer = "allowed with the patch " + string(r.Patch)
	}
	return strings.ToLower(r.Operation) + ": " + strings.Join(strings.Fields(answer), " ")
}
