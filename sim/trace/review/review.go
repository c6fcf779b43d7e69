// Package review describes a call of a webhook: what the API server asked, and what it got. An admission webhook is asked whether a
// request is allowed and how its object should be changed (an AdmissionReview). A conversion webhook, that of a
// CustomResourceDefinition, is asked for objects in another version (a ConversionReview).
package review

import (
	"encoding/json"
	"strings"
	"time"
)

// Convert is the Operation of a call of a conversion webhook.
const Convert = "CONVERT"

// Review is one call.
type Review struct {
	// Configuration is the MutatingWebhookConfiguration or ValidatingWebhookConfiguration, Hook the webhook in it, and Type
	// mutating, validating or conversion. A conversion webhook has the name of its CustomResourceDefinition in both.
	Configuration string `json:"configuration"`
	Hook          string `json:"hook"`
	Type          string `json:"type"`
	// Operation is that of the request: CREATE, UPDATE, DELETE or CONNECT; that of a conversion is CONVERT. Resource, Namespace,
	// Name and Subresource are what it is for, as in a request of a trace, and Client is who sent it.
	Operation   string `json:"operation"`
	Resource    string `json:"resource"`
	Namespace   string `json:"namespace,omitempty"`
	Name        string `json:"name,omitempty"`
	Subresource string `json:"subresource,omitempty"`
	Client      string `json:"client,omitempty"`
	// Version is the apiVersion into which the webhook converts.
	Version string `json:"version,omitempty"`
	// Sent is the virtual time at which the API server called.
	Sent time.Duration `json:"sent"`
	// Allowed, Code and Message are the answer; Code is 0 if the webhook gave none. A conversion that succeeds is allowed.
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
	asked, answer, no := strings.ToLower(r.Operation), "allowed", "denied"
	if r.Operation == Convert {
		asked, answer, no = asked+" to "+r.Version, "converted", "failed"
	}
	switch {
	case r.Error != "":
		answer = "no answer: " + r.Error
	case !r.Allowed && r.Message == "":
		answer = no
	case !r.Allowed:
		answer = no + ": " + r.Message
	case len(r.Patch) > 0:
		answer = "allowed with the patch " + string(r.Patch)
	}
	return asked + ": " + strings.Join(strings.Fields(answer), " ")
}
