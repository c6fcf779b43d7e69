package archive

import (
	"bytes"
	"errors"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// Codec compresses and decompresses. It is safe for concurrent use.
//
// A Codec that is made inside a bubble (testing/synctest) cannot be used outside of it, because it contains channels:
// make it before the bubble begins.
type Codec struct {
	encoder *zstd.Encoder
	decoder *zstd.Decoder
}

// SharedCodec is the Codec of the process.
var SharedCodec = sync.OnceValue(NewCodec)

// NewCodec returns a new Codec.
func NewCodec() *Codec {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest),
		zstd.WithEncoderCRC(false))
	if err != nil {
		panic("archive: " + err.Error())
	}
	// The capacity of the destination limits what DecodeAll makes of a few bytes. parseFrame holds the frames of a file to textMax;
	// what a process packs for itself may be larger.
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecodeAllCapLimit(true), zstd.WithDecoderMaxWindow(8<<20))
	if err != nil {
		panic("archive: " + err.Error())
	}
	codec := &Codec{encoder, decoder}
	codec.Pack(nil)
	return codec
}

// Pack compresses a text.
func (c *Codec) Pack(text []byte) []byte { return bytes.Clone(c.encoder.EncodeAll(text, nil)) }

var errSize = errors.New("the content does not have the size that its frame says")

// Unpack is the text of size bytes that Pack has compressed.
func (c *Codec) Unpack(packed []byte, size int) ([]byte, error) {
	text, err := c.decoder.DecodeAll(packed, make([]byte, 0, size))
	switch {
	case errors.Is(err, zstd.ErrDecoderSizeExceeded), err == nil && len(text) != size:
		return nil, errSize
	case err != nil:
		return nil, errors.New("the content cannot be decompressed: " + err.Error())
	}
	return text, nil
}
