// Package digest compares objects by their content.
//
// Two runs that did the same in another order have the same objects with other resourceVersions. A digest leaves these out, so that the
// states of the two runs can be found to be equal.
package digest

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
)

// Digest is the beginning of the SHA-256 of a content.
type Digest uint64

// Of is the digest of bytes.
func Of(data []byte) Digest {
	sum := sha256.Sum256(data)
	return Digest(binary.BigEndian.Uint64(sum[:]))
}

// Objects knows the digests of objects, which must not be modified. The zero value is ready to use.
type Objects struct {
	known map[runtime.Object]Digest
}

// Of is the digest of an object without its resourceVersion and its managed fields.
func (o *Objects) Of(object runtime.Object) Digest {
	if known, ok := o.known[object]; ok {
		return known
	}
	bare := object.DeepCopyObject()
	if accessor, err := meta.Accessor(bare); err == nil {
		accessor.SetResourceVersion("")
		accessor.SetManagedFields(nil)
	}
	data, err := json.Marshal(bare)
	if err != nil {
		panic("digest: an object does not marshal: " + err.Error())
	}
	if o.known == nil {
		o.known = map[runtime.Object]Digest{}
	}
	o.known[object] = Of(data)
	return o.known[object]
}
