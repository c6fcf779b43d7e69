package program

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The webhooks of agnhost, k8s.io/kubernetes/test/images/agnhost/webhook: each looks for a mark in an object, and denies the request or
// patches the object.

// verdict is what a webhook answers: a denial, if one of the first two is set, or a JSON patch, "" for none.
type verdict struct {
	reason  metav1.StatusReason
	message string
	patch   string
	// after is how long the answer takes; it never comes after never.
	after time.Duration
}

// never is longer than the API server waits.
const never = time.Hour

// mark is the label, or the key of data, that makes a webhook deny.
const mark = "webhook-e2e-test"

// admissions are the webhooks by their paths. All of them understand one form of the question for both versions of AdmissionReview.
var admissions = map[string]func(*admissionv1.AdmissionRequest) (verdict, error){
	"/always-deny": func(*admissionv1.AdmissionRequest) (verdict, error) {
		return verdict{message: "this webhook denies all requests"}, nil
	},
	"/always-allow-delay-5s": func(*admissionv1.AdmissionRequest) (verdict, error) {
		return verdict{after: 5 * time.Second}, nil
	},
	"/add-label":                addLabel,
	"/pods":                     checkPod,
	"/pods/attach":              checkAttach,
	"/mutating-pods":            addInitContainer,
	"/configmaps":               checkData("configmap", "key and value"),
	"/mutating-configmaps":      addStage,
	"/custom-resource":          checkData("custom resource", "data"),
	"/mutating-custom-resource": addStage,
	"/crd":                      checkDefinition,
}

// admissionWebhooks serves all of them.
func admissionWebhooks() http.Handler {
	mux := http.NewServeMux()
	for path, admit := range admissions {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) { review(w, r, admit) })
	}
	mux.HandleFunc("/readyz", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok") })
	return mux
}

// review answers an AdmissionReview in its own version.
func review(w http.ResponseWriter, r *http.Request, admit func(*admissionv1.AdmissionRequest) (verdict, error)) {
	var question admissionv1.AdmissionReview
	if err := json.NewDecoder(r.Body).Decode(&question); err != nil || question.Request == nil {
		http.Error(w, "the body is no AdmissionReview with a request", http.StatusBadRequest)
		return
	}
	v, err := admit(question.Request)
	select {
	case <-r.Context().Done():
		return
	case <-time.After(v.after):
	}
	answer := &admissionv1.AdmissionResponse{UID: question.Request.UID, Allowed: err == nil && v.reason == "" && v.message == ""}
	switch {
	case err != nil:
		answer.Result = &metav1.Status{Message: err.Error()}
	case !answer.Allowed:
		answer.Result = &metav1.Status{Message: v.message, Reason: v.reason}
	case v.patch != "":
		kind := admissionv1.PatchTypeJSONPatch
		answer.Patch, answer.PatchType = []byte(v.patch), &kind
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(admissionv1.AdmissionReview{TypeMeta: question.TypeMeta, Response: answer})
}

// marked are the fields of an object that the webhooks look at.
type marked struct {
	Metadata metav1.ObjectMeta `json:"metadata"`
	Data     map[string]string `json:"data"`
}

// read decodes the object of a request: of a deletion, the one that is there.
func read[T any](request *admissionv1.AdmissionRequest) (object T, err error) {
	raw := request.Object.Raw
	if request.Operation == admissionv1.Delete {
		raw = request.OldObject.Raw
	}
	return object, json.Unmarshal(raw, &object)
}

// addLabel adds a label to an object.
func addLabel(request *admissionv1.AdmissionRequest) (verdict, error) {
	object, err := read[marked](request)
	switch value, found := object.Metadata.Labels["added-label"]; {
	case err != nil || value == "yes":
		return verdict{}, err
	case len(object.Metadata.Labels) == 0:
		return verdict{patch: `[{"op": "add", "path": "/metadata/labels", "value": {"added-label": "yes"}}]`}, nil
	case found:
		return verdict{patch: `[{"op": "replace", "path": "/metadata/labels/added-label", "value": "yes"}]`}, nil
	}
	return verdict{patch: `[{"op": "add", "path": "/metadata/labels/added-label", "value": "yes"}]`}, nil
}

// checkData denies objects with marked data.
func checkData(kind, what string) func(*admissionv1.AdmissionRequest) (verdict, error) {
	return func(request *admissionv1.AdmissionRequest) (verdict, error) {
		object, err := read[marked](request)
		switch value := object.Data[mark]; {
		case err != nil:
		case value == "webhook-disallow" && (request.Operation == admissionv1.Create || request.Operation == admissionv1.Update):
			return verdict{reason: metav1.StatusReason("the " + kind + " contains unwanted " + what)}, nil
		case value == "webhook-nondeletable" && request.Operation == admissionv1.Delete:
			reason := "the " + kind + " cannot be deleted because it contains unwanted key and value"
			return verdict{reason: metav1.StatusReason(reason)}, nil
		}
		return verdict{}, err
	}
}

// addStage adds the second mark to data with the first one, and the third to data with the second.
func addStage(request *admissionv1.AdmissionRequest) (verdict, error) {
	object, err := read[marked](request)
	switch {
	case err != nil:
	case object.Data["mutation-stage-1"] == "yes":
		return verdict{patch: `[{"op": "add", "path": "/data/mutation-stage-2", "value": "yes"}]`}, nil
	case object.Data["mutation-start"] == "yes":
		return verdict{patch: `[{"op": "add", "path": "/data/mutation-stage-1", "value": "yes"}]`}, nil
	}
	return verdict{}, err
}

// checkDefinition denies CustomResourceDefinitions with a label.
func checkDefinition(request *admissionv1.AdmissionRequest) (verdict, error) {
	object, err := read[marked](request)
	if object.Metadata.Labels[mark] == "webhook-disallow" {
		return verdict{message: "the crd contains unwanted label"}, err
	}
	return verdict{}, err
}

// checkPod denies Pods with a label or the name of a container, and never answers for those with another label.
func checkPod(request *admissionv1.AdmissionRequest) (verdict, error) {
	pod, err := read[corev1.Pod](request)
	if err != nil {
		return verdict{}, err
	}
	var messages []string
	switch pod.Labels[mark] {
	case "webhook-disallow":
		messages = append(messages, "the pod contains unwanted label;")
	case "wait-forever":
		return verdict{message: "the pod response should not be sent;", after: never}, nil
	}
	for _, container := range pod.Spec.Containers {
		if strings.Contains(container.Name, "webhook-disallow") {
			messages = append(messages, "the pod contains unwanted container name;")
		}
	}
	return verdict{message: strings.Join(messages, " ")}, nil
}

// checkAttach denies that somebody attaches to one container of one Pod.
func checkAttach(request *admissionv1.AdmissionRequest) (verdict, error) {
	if request.Name != "to-be-attached-pod" {
		return verdict{}, nil
	}
	options, err := read[corev1.PodAttachOptions](request)
	if err == nil && options.Stdin && options.Container == "container1" {
		return verdict{message: "attaching to pod 'to-be-attached-pod' is not allowed"}, nil
	}
	return verdict{}, err
}

// addInitContainer adds an init container to one Pod.
func addInitContainer(request *admissionv1.AdmissionRequest) (verdict, error) {
	const name = "webhook-added-init-container"
	pod, err := read[corev1.Pod](request)
	if err != nil || pod.Name != "webhook-to-be-mutated" ||
		slices.ContainsFunc(pod.Spec.InitContainers, func(c corev1.Container) bool { return c.Name == name }) {
		return verdict{}, err
	}
	return verdict{patch: `[{"op": "add", "path": "/spec/initContainers", "value": [{"image": "webhook-added-image", "name": "` + name +
		`", "resources": {}}]}]`}, nil
}
