package answers

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/yaml"
)

// Row is a request, with what must exist before.
type Row struct {
	// Group and What are the name of the row: "create pods" and "dryRun=All".
	Group, What string
	// Setup are requests that come first. They succeed.
	Setup   []Request
	Request Request

	// number is the number of the row, from which its objects have their names.
	number int
	// collection is the path of the objects of its kind, "" if it is about none.
	collection string
}

// Name is the name of a row, which no other row has.
func (r Row) Name() string { return strings.TrimSpace(r.Group + " " + r.What) }

// Request is a request over HTTP. Path and Body may contain $NAME, the name of the row's object, $NS and $OTHER, two namespaces, and
// $UID and $RV, the uid and the resourceVersion that the last request of the setup has answered.
type Request struct {
	Method, Path, Query string
	// ContentType is that of the body. A body of JSON is written as YAML or as protobuf if the content type says so.
	ContentType, Accept string
	Body                string
	// As is the user that the request impersonates.
	As string
}

// Media types.
const (
	asJSON      = "application/json"
	asYAML      = "application/yaml"
	asProtobuf  = "application/vnd.kubernetes.protobuf"
	asCBOR      = "application/cbor"
	asJSONPatch = "application/json-patch+json"
	asMerge     = "application/merge-patch+json"
	asStrategic = "application/strategic-merge-patch+json"
	asApply     = "application/apply-patch+yaml"
	asApplyCBOR = "application/apply-patch+cbor"
)

// UserAgent is that of the requests: the manager of the fields that they write.
const UserAgent = "answers"

// HTTP is the request with its placeholders replaced.
func (r Request) HTTP(replace *strings.Replacer) (*http.Request, error) {
	body := []byte(replace.Replace(r.Body))
	if json.Valid(body) && body[0] == '{' {
		var err error
		switch r.ContentType {
		case asYAML, asApply:
			body, err = yaml.JSONToYAML(body)
		case asProtobuf:
			body, err = inProtobuf(body)
		}
		if err != nil {
			return nil, fmt.Errorf("%s as %s: %w", r.Body, r.ContentType, err)
		}
	}
	address := &url.URL{Scheme: "http", Host: "kube-apiserver", Path: replace.Replace(r.Path), RawQuery: replace.Replace(r.Query)}
	request := &http.Request{
		Method: r.Method, URL: address, Host: address.Host, Header: http.Header{"User-Agent": {UserAgent}, "Accept": {r.Accept}},
		Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)),
	}
	if r.Accept == "" {
		request.Header.Set("Accept", asJSON)
	}
	if r.ContentType != "" {
		request.Header.Set("Content-Type", r.ContentType)
	}
	if r.As != "" {
		request.Header.Set("Impersonate-User", r.As)
	}
	return request, nil
}

// codecs know the kinds of client-go, and the forms of objects that a client asks for: tables and metadata.
var codecs = sync.OnceValue(func() serializer.CodecFactory {
	known := runtime.NewScheme()
	if err := errors.Join(scheme.AddToScheme(known), metav1.AddMetaToScheme(known)); err != nil {
		panic("answers: " + err.Error())
	}
	return serializer.NewCodecFactory(known)
})

// inProtobuf encodes an object. Those of kinds that client-go does not know stay JSON, whatever is said about them.
func inProtobuf(data []byte) ([]byte, error) {
	object, err := runtime.Decode(codecs().UniversalDeserializer(), data)
	switch {
	case runtime.IsNotRegisteredError(err):
		return data, nil
	case err != nil:
		return nil, err
	}
	var out bytes.Buffer
	err = protobuf.NewSerializer(scheme.Scheme, scheme.Scheme).Encode(object, &out)
	return out.Bytes(), err
}

// inJSON decodes a body of any media type, as JSON.
func inJSON(contentType string, data []byte) (json.RawMessage, error) {
	media, _, _ := strings.Cut(contentType, ";")
	switch media {
	case asJSON:
		return data, nil
	case asYAML:
		return yaml.YAMLToJSON(data)
	case asProtobuf:
		object, err := runtime.Decode(codecs().UniversalDeserializer(), data)
		if err != nil {
			return nil, err
		}
		return json.Marshal(object)
	}
	return json.Marshal(string(data))
}
