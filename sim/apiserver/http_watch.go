package apiserver

import (
	"bytes"
	"net/http"
	"net/http/httptest"

	"k8s.io/apimachinery/pkg/api/meta"
	metainternalscheme "k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/apiserver/pkg/endpoints/handlers/negotiation"
	"k8s.io/apiserver/pkg/endpoints/handlers/responsewriters"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
)

// Frames encodes the events of a watch in the format that its client accepts.
//
// A watch does not use upstream's handler, which sends whenever it can: the simulation decides when an event arrives.
// So Server.OpenWatch watches the storage, as for typed clients, and only the encoding is done here, with the same
// serializers and framers.
type Frames struct {
	// ContentType is that of the response.
	ContentType string

	framer        runtime.Framer
	event, object runtime.Encoder
	// metadataOnly means that the client wants PartialObjectMetadata of this version.
	metadataOnly *schema.GroupVersion
}

// Frames negotiates the format of the events of a watch.
func (h *HTTP) Frames(w *Wire) (*Frames, error) {
	codecs := legacyscheme.Codecs
	options, ok := negotiation.NegotiateMediaTypeOptions(w.http.Header.Get("Accept"), codecs.SupportedMediaTypes(), watchForms{})
	if !ok || options.Accepted.StreamSerializer == nil {
		_, supported := negotiation.MediaTypesForSerializer(codecs)
		return nil, negotiation.NewNotAcceptableError(supported)
	}
	info, version := options.Accepted, w.Resource.GroupVersion()
	f := &Frames{
		ContentType: info.MediaType, framer: info.StreamSerializer.Framer,
		event:  codecs.EncoderForVersion(info.StreamSerializer.Serializer, version),
		object: codecs.EncoderForVersion(info.Serializer, version),
	}
	if info.MediaType != runtime.ContentTypeJSON {
		f.ContentType += ";stream=watch"
	}
	if options.Convert != nil {
		partial := options.Convert.GroupVersion()
		metaInfo, _ := runtime.SerializerInfoForMediaType(metainternalscheme.Codecs.SupportedMediaTypes(), info.MediaType)
		f.metadataOnly = &partial
		f.object = metainternalscheme.Codecs.EncoderForVersion(metaInfo.Serializer, partial)
	}
	return f, nil
}

// Encode returns one event as a frame.
func (f *Frames) Encode(event watch.Event) ([]byte, error) {
	object, encoder := event.Object, f.object
	if _, failed := object.(*metav1.Status); !failed && f.metadataOnly != nil {
		accessor, err := meta.Accessor(object)
		if err != nil {
			return nil, err
		}
		partial := meta.AsPartialObjectMetadata(accessor)
		partial.SetGroupVersionKind(f.metadataOnly.WithKind("PartialObjectMetadata"))
		object = partial
	}
	embedded, err := runtime.Encode(encoder, object)
	if err != nil {
		return nil, err
	}
	var frame bytes.Buffer
	out := &metav1.WatchEvent{Type: string(event.Type), Object: runtime.RawExtension{Raw: embedded}}
	if err := f.event.Encode(out, f.framer.NewFrameWriter(&frame)); err != nil {
		return nil, err
	}
	return frame.Bytes(), nil
}

// Refuse answers a request with an error, in the format that its client accepts.
func (h *HTTP) Refuse(w *Wire, err error) *http.Response {
	recorder := httptest.NewRecorder()
	responsewriters.ErrorNegotiated(err, legacyscheme.Codecs, w.Resource.GroupVersion(), recorder, w.http)
	response := recorder.Result()
	response.Request = w.http
	return response
}

// watchForms are the forms that a watch may ask for: the object itself or its metadata. It implements
// negotiation.EndpointRestrictions.
type watchForms struct{}

func (watchForms) AllowsMediaTypeTransform(_, _ string, target *schema.GroupVersionKind) bool {
	return target == nil || target.Kind == "PartialObjectMetadata" && target.GroupVersion() == metav1.SchemeGroupVersion
}

func (watchForms) AllowsServerVersion(string) bool { return false }

func (watchForms) AllowsStreamSchema(schema string) bool { return schema == "watch" }
