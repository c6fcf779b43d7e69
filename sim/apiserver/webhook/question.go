package webhook

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/sim/trace/review"
)

// Question is what a webhook is asked. The versions v1 and v1beta1 of the bodies have the same fields.
type Question struct {
	// UID is that of the body; an answer has the same.
	UID string
	// Review describes the question, without Configuration, Hook, Type and what the answer adds.
	Review review.Review
	// Object is the first object to be converted, nil for an AdmissionReview.
	Object runtime.Object

	// answer reads an answer.
	answer func(data []byte, into *review.Review)
}

// Answer describes an answer with code 200.
func (q *Question) Answer(data []byte, into *review.Review) { q.answer(data, into) }

// Read reads the body of a call.
func Read(to Name, body []byte) (*Question, error) {
	if to.Type == Conversion {
		return conversionQuestion(to.Configuration, body)
	}
	return admissionQuestion(body)
}

// Key is the canonical name of a call on behalf of a request with a key. One request may have several objects converted.
func (q *Question) Key(to Name, request string) string {
	parts := []string{"webhook", string(to.Type), to.Configuration, to.Webhook, request}
	if to.Type == Conversion {
		parts = append(parts, q.Review.Version, q.Review.Namespace, q.Review.Name)
	}
	return strings.Join(parts, "|")
}

// admissionQuestion reads the body of a call of an admission webhook.
func admissionQuestion(body []byte) (*Question, error) {
	var question admissionv1.AdmissionReview
	if err := json.Unmarshal(body, &question); err != nil {
		return nil, err
	}
	asked := question.Request
	if asked == nil {
		return nil, errors.New("the AdmissionReview has no request")
	}
	resource := schema.GroupResource{Group: asked.Resource.Group, Resource: asked.Resource.Resource}
	return &Question{
		UID: string(asked.UID), answer: admitted,
		Review: review.Review{
			Operation: string(asked.Operation), Resource: resource.String(), Namespace: asked.Namespace, Name: asked.Name,
			Subresource: asked.SubResource,
		},
	}, nil
}

func admitted(data []byte, into *review.Review) {
	var reply admissionv1.AdmissionReview
	if json.Unmarshal(data, &reply) != nil || reply.Response == nil {
		into.Error = "the answer is no AdmissionReview with a response"
		return
	}
	answer := reply.Response
	into.Allowed, into.Patch, into.Warnings = answer.Allowed, patchOf(answer), answer.Warnings
	if result := answer.Result; result != nil && !into.Allowed {
		into.Code, into.Message = int(result.Code), messageOf(result)
	}
}

// patchOf is the patch of an answer, nil if it changes nothing.
func patchOf(response *admissionv1.AdmissionResponse) json.RawMessage {
	if len(response.Patch) == 0 || string(response.Patch) == "[]" || !json.Valid(response.Patch) {
		return nil
	}
	return response.Patch
}

func messageOf(result *metav1.Status) string {
	if result.Message != "" {
		return result.Message
	}
	return string(result.Reason)
}

// conversionQuestion reads the body of a call of a conversion webhook. A definition has the name of its resource.
func conversionQuestion(definition string, body []byte) (*Question, error) {
	var question apiextensionsv1.ConversionReview
	if err := json.Unmarshal(body, &question); err != nil {
		return nil, err
	}
	asked := question.Request
	if asked == nil || len(asked.Objects) == 0 {
		return nil, errors.New("the ConversionReview has no objects")
	}
	first := &unstructured.Unstructured{}
	if err := first.UnmarshalJSON(asked.Objects[0].Raw); err != nil {
		return nil, err
	}
	q := &Question{
		UID: string(asked.UID), Object: first,
		Review: review.Review{
			Operation: review.Convert, Resource: definition, Namespace: first.GetNamespace(), Name: first.GetName(),
			Version: asked.DesiredAPIVersion,
		},
	}
	q.answer = func(data []byte, into *review.Review) { converted(asked, data, into) }
	return q, nil
}

// converted reads the answer of a conversion webhook. What it finds wrong the API server refuses, too.
func converted(asked *apiextensionsv1.ConversionRequest, data []byte, into *review.Review) {
	var reply apiextensionsv1.ConversionReview
	if json.Unmarshal(data, &reply) != nil || reply.Response == nil {
		into.Error = "the answer is no ConversionReview with a response"
		return
	}
	answer := reply.Response
	switch got := len(answer.ConvertedObjects); {
	case answer.Result.Status != metav1.StatusSuccess:
		into.Code, into.Message = int(answer.Result.Code), messageOf(&answer.Result)
	case got != len(asked.Objects):
		into.Message = "returned " + strconv.Itoa(got) + " objects, expected " + strconv.Itoa(len(asked.Objects))
	default:
		into.Allowed = true
	}
	for i := range answer.ConvertedObjects {
		object := &unstructured.Unstructured{}
		if !into.Allowed {
			break
		}
		switch err := object.UnmarshalJSON(answer.ConvertedObjects[i].Raw); {
		case err != nil:
			into.Allowed, into.Message = false, err.Error()
		case object.GetAPIVersion() != asked.DesiredAPIVersion:
			into.Allowed, into.Message = false, "returned an object of version "+object.GetAPIVersion()
		}
	}
}
