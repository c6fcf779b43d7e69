package apiserver

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/httpstream/wsstream"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/apiserver/pkg/endpoints/handlers"
	"k8s.io/apiserver/pkg/endpoints/handlers/negotiation"
	"k8s.io/apiserver/pkg/endpoints/handlers/responsewriters"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/util/apihelpers"
	"k8s.io/kubernetes/pkg/api/legacyscheme"

	"github.com/kubestep/kubestep/sim/apiserver/internal/form"
)

// Frames encodes the events of a watch in the format that its client accepts.
//
// A watch does not use upstream's handler, which sends whenever it can: the simulation decides when an event arrives.
// So Server.OpenWatch watches the storage, as for typed clients, and only the encoding is done here, with the same
// serializers and framers.
type Frames struct {
	// ContentType is that of the response.
	ContentType string
	// Messages means that the client has asked for a WebSocket: each frame is a message, of text if Text is set, and nothing else
	// divides them. HandleWS in k8s.io/apiserver/pkg/endpoints/handlers/watch.go does it.
	Messages, Text bool

	framer        runtime.Framer
	event, object runtime.Encoder
	// form is nil if the client gets the objects as they are.
	form form.Form

	// resource and known are for the frames that watches share.
	resource schema.GroupVersionResource
	known    *knownFrames
}

// negotiate finds the format that a client accepts for what it asks for. It returns an error if the server has nothing of that name.
func (h *HTTP) negotiate(w *Wire) (scope *handlers.RequestScope, options negotiation.MediaTypeOptions, ok bool, err error) {
	scope = &handlers.RequestScope{Serializer: h.serializer()}
	resource, err := h.server.find(w.Request)
	switch {
	case h.server.isCustom(w.Resource):
		scope.TableConvertor, err = h.server.extensions.Columns(w.Resource), nil
		// Objects without types have no protobuf, but their metadata has.
		scope.StandardSerializers = slices.DeleteFunc(slices.Clone(scope.Serializer.SupportedMediaTypes()),
			func(info runtime.SerializerInfo) bool { return info.MediaType == runtime.ContentTypeProtobuf })
	case err == nil:
		scope.TableConvertor, _ = resource.storage.(rest.TableConvertor)
	}
	options, ok = negotiation.NegotiateMediaTypeOptions(w.http.Header.Get("Accept"), scope.Serializer.SupportedMediaTypes(), scope)
	return scope, options, ok, err
}

// IsAcceptable reports whether the server has a format that the client of a request accepts.
func (h *HTTP) IsAcceptable(w *Wire) bool {
	_, _, ok, err := h.negotiate(w)
	return ok || err != nil // what is not there, the server does not find
}

// Frames negotiates the format of the events of a watch.
func (h *HTTP) Frames(w *Wire) (*Frames, error) {
	scope, options, ok, _ := h.negotiate(w)
	untyped := h.server.isCustom(w.Resource)
	// Upstream looks at the types of objects first, and then at those of streams.
	objects, streams := negotiation.MediaTypesForSerializer(scope.Serializer)
	switch {
	case !ok:
		return nil, negotiation.NewNotAcceptableError(objects)
	case options.Accepted.StreamSerializer == nil:
		return nil, negotiation.NewNotAcceptableError(streams)
	}
	info, version := options.Accepted, w.Resource.GroupVersion()
	event := version
	if untyped {
		// The scheme knows the envelope in its own versions.
		event = schema.GroupVersion{Version: "v1"}
	}
	f := &Frames{
		ContentType: contentType(info.MediaType), framer: info.StreamSerializer.Framer,
		Messages: wsstream.IsWebSocketRequest(w.http), Text: info.EncodesAsText,
		event:    encoder(scope.Serializer, info.StreamSerializer.Serializer, event),
		object:   encoder(scope.Serializer, info.Serializer, version),
		resource: w.Resource, known: &h.frames,
	}
	if options.Convert == nil {
		return f, nil
	}
	codecs := apihelpers.GetMetaInternalVersionCodecs()
	metaInfo, ok := runtime.SerializerInfoForMediaType(codecs.SupportedMediaTypes(), info.MediaType)
	if !ok {
		return nil, fmt.Errorf("no encoder for %s in %s", info.MediaType, options.Convert)
	}
	f.object = encoder(codecs, metaInfo.Serializer, options.Convert.GroupVersion())
	var err error
	f.form, err = form.New(*options.Convert, scope.TableConvertor, version, w.http.URL.Query())
	return f, err
}

// serializer is that of upstream's handlers. All groups have the same.
func (h *HTTP) serializer() runtime.NegotiatedSerializer {
	return h.server.groups[0].NegotiatedSerializer
}

// encoder encodes a version. The fields of CBOR are in random order, so that no client relies on one.
func encoder(codecs runtime.NegotiatedSerializer, serializer runtime.Serializer, version schema.GroupVersion) runtime.Encoder {
	return codecs.EncoderForVersion(runtime.UseNondeterministicEncoding(serializer), version)
}

// contentType is the type of a sequence of documents of a media type.
func contentType(mediaType string) string {
	switch mediaType {
	case runtime.ContentTypeJSON:
		return mediaType
	case runtime.ContentTypeCBOR:
		return runtime.ContentTypeCBORSequence
	}
	return mediaType + ";stream=watch"
}

// Encode returns one event as a frame.
func (f *Frames) Encode(event watch.Event) ([]byte, error) {
	object := event.Object
	if f.converts(object) {
		var err error
		if object, err = f.form.Of(object); err != nil {
			return nil, err
		}
		f.form.Sent()
	}
	embedded, err := runtime.Encode(f.object, object)
	if err != nil {
		return nil, err
	}
	var frame bytes.Buffer
	out, to := &metav1.WatchEvent{Type: string(event.Type), Object: runtime.RawExtension{Raw: embedded}}, io.Writer(&frame)
	if !f.Messages {
		to = f.framer.NewFrameWriter(to)
	}
	if err := f.event.Encode(out, to); err != nil {
		return nil, err
	}
	return frame.Bytes(), nil
}

// converts reports whether the client gets an object in another form. An error stays as it is.
func (f *Frames) converts(object runtime.Object) bool {
	_, failed := object.(*metav1.Status)
	return f.form != nil && !failed
}

// Refuse answers a request with an error, in the format that its client accepts.
func (h *HTTP) Refuse(w *Wire, err error) *http.Response {
	recorder := httptest.NewRecorder()
	responsewriters.ErrorNegotiated(err, legacyscheme.Codecs, w.Resource.GroupVersion(), recorder, w.http)
	response := recorder.Result()
	response.Request = w.http
	return response
}
