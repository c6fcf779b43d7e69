package program

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// conversionWebhook is agnhost's, k8s.io/kubernetes/test/images/agnhost/crd-conversion-webhook. Objects of v1 have the field hostPort, and
// those of v2 the fields host and port.
func conversionWebhook() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/crdconvert", convert)
	mux.HandleFunc("/readyz", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok") })
	return mux
}

// convert answers a ConversionReview.
func convert(w http.ResponseWriter, r *http.Request) {
	var question apiextensionsv1.ConversionReview
	if err := json.NewDecoder(r.Body).Decode(&question); err != nil || question.Request == nil {
		http.Error(w, "the body is no ConversionReview with a request", http.StatusBadRequest)
		return
	}
	answer := &apiextensionsv1.ConversionResponse{UID: question.Request.UID, Result: metav1.Status{Status: metav1.StatusSuccess}}
	for _, raw := range question.Request.Objects {
		var object unstructured.Unstructured
		err := object.UnmarshalJSON(raw.Raw)
		if err == nil {
			err = convertTo(&object, question.Request.DesiredAPIVersion)
		}
		if err != nil {
			answer.ConvertedObjects, answer.Result = nil, metav1.Status{Status: metav1.StatusFailure, Message: err.Error()}
			break
		}
		answer.ConvertedObjects = append(answer.ConvertedObjects, runtime.RawExtension{Object: &object})
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(apiextensionsv1.ConversionReview{TypeMeta: question.TypeMeta, Response: answer})
}

// convertTo changes an object into that of another version.
func convertTo(object *unstructured.Unstructured, version string) error {
	from := object.GetAPIVersion()
	content := object.Object
	switch {
	case from == version:
		return fmt.Errorf("conversion from a version to itself should not call the webhook: %s", version)
	case from == "stable.example.com/v1" && version == "stable.example.com/v2":
		if joined, ok := content["hostPort"].(string); ok {
			host, port, found := strings.Cut(joined, ":")
			if !found {
				return fmt.Errorf("invalid hostPort value `%v`", joined)
			}
			delete(content, "hostPort")
			content["host"], content["port"] = host, port
		}
	case from == "stable.example.com/v2" && version == "stable.example.com/v1":
		host, hasHost := content["host"].(string)
		port, hasPort := content["port"].(string)
		if hasHost || hasPort {
			content["hostPort"] = host + ":" + port
			delete(content, "host")
			delete(content, "port")
		}
	default:
		return fmt.Errorf("unexpected conversion version %q", version)
	}
	object.SetAPIVersion(version)
	return nil
}
