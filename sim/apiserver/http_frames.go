package apiserver

import (
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
)

// A kube-apiserver encodes an event once for all watches of one representation (cachingObject in
// k8s.io/apiserver/pkg/storage/cacher/caching_object.go). So does this one, for watches that get an event at the same instant, as those
// of clients outside do. With 100 informers, encoding would otherwise cost many times what the simulation does.

// knownFrames are the frames that were encoded at one instant. Later ones may differ: the age in a Table does.
type knownFrames struct {
	at     time.Time
	frames map[frameKey][]byte
	size   int
}

// framesMax is how many bytes of frames are kept for watches that get the same event.
const framesMax = 16 << 20

// frameKey is what a frame is made of: an event of the store, by the address of its object, which does not change, and the
// representation that a client has asked for.
type frameKey struct {
	event             watch.EventType
	object            runtime.Object
	resource          schema.GroupVersionResource
	contentType, form string
	// message means that the frame is a message of a WebSocket.
	message bool
}

// Next takes the oldest waiting event of a stream as a frame. ok is false if none waits. Watches share the frame: do not change it.
func (f *Frames) Next(s *Stream) (frame []byte, ok bool, err error) {
	event, ok := s.pending.Next()
	if !ok {
		return nil, false, nil
	}
	key := frameKey{event: event.Type, object: event.Object, resource: f.resource, contentType: f.ContentType, message: f.Messages}
	converts := f.converts(event.Object)
	if converts {
		key.form = f.form.Name()
	}
	if frame = f.known.find(key); frame != nil {
		if converts {
			f.form.Sent()
		}
		return frame, true, nil
	}
	if event.Type != watch.Error {
		event.Object = s.external(event.Object)
	}
	if frame, err = f.Encode(event); err == nil {
		f.known.add(key, frame)
	}
	return frame, true, err
}

// find is the frame of a key, nil if none was encoded at this instant.
func (k *knownFrames) find(key frameKey) []byte {
	if now := time.Now(); !now.Equal(k.at) {
		k.at, k.frames, k.size = now, nil, 0
	}
	return k.frames[key]
}

func (k *knownFrames) add(key frameKey, frame []byte) {
	if k.size += len(frame); k.size > framesMax {
		k.frames, k.size = nil, len(frame)
	}
	if k.frames == nil {
		k.frames = map[frameKey][]byte{}
	}
	k.frames[key] = frame
}
