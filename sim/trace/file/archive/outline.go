package archive

import (
	"encoding/binary"
	"errors"
	"io"

	"github.com/kubestep/kubestep/sim/trace/file/outline"
)

// The outline of a block (package outline) is in a skippable frame of zstd in front of the frame with the lines: whoever decompresses the
// content gets the lines. The frame has the 4 bytes of skippable, the size of what follows (4 bytes), the size of the outline without
// compression (4 bytes), and the compressed outline.
const (
	skippable     = 0x184D2A5B
	skippableSize = 8
	outlineSize   = skippableSize + 4
)

// packOutline is the skippable frame of an outline; nil if there is no outline.
func packOutline(codec *Codec, data []byte) []byte {
	if data == nil {
		return nil
	}
	packed := codec.Pack(data)
	out := binary.LittleEndian.AppendUint32(nil, skippable)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(packed)+outlineSize-skippableSize))
	out = binary.LittleEndian.AppendUint32(out, uint32(len(data)))
	return append(out, packed...)
}

// splitOutline splits the content of a block into its outline, which may be empty, and the lines.
func splitOutline(packed []byte) (before, lines []byte) {
	if len(packed) < outlineSize || binary.LittleEndian.Uint32(packed) != skippable {
		return nil, packed
	}
	size := int64(binary.LittleEndian.Uint32(packed[4:])) + skippableSize
	if size < outlineSize || size > int64(len(packed)) {
		return nil, packed
	}
	return packed[:size], packed[size:]
}

// Outline is the outline of the block; nil if it has none, or one in a form that is not known. The error is an *Error.
func (b *Block) Outline() (*outline.Block, error) {
	text, err := b.OutlineText()
	if err != nil || text == nil {
		return nil, err
	}
	of, err := outline.Decode(text)
	if err != nil {
		return nil, b.Damaged(err)
	}
	return of, nil
}

// OutlineText is the encoded outline of the block; nil if it has none, or one in a form that is not known. The error is an *Error.
func (b *Block) OutlineText() ([]byte, error) {
	if b.Entry.Outline == 0 {
		return nil, nil
	}
	size := binary.LittleEndian.Uint32(b.outline[skippableSize:])
	if size > b.Text+outlineFrom {
		return nil, b.Damaged(errLargeOutline)
	}
	text, err := UnpackOutline(b.codec, b.outline)
	switch {
	case err != nil:
		return nil, b.Damaged(err)
	case !outline.IsKnown(text):
		return nil, nil
	}
	return text, nil
}

// PackedOutline is the outline of the block as it is in the file, for UnpackOutline.
func (b *Block) PackedOutline() []byte { return b.outline }

var errChanged = errors.New("the file has changed since it was opened")

// ReadBlock reads the content of a block that a Reader has read before: its outline, for UnpackOutline, and its lines, for Codec.Unpack.
// The error says that it is not the same any more.
func ReadBlock(in io.ReaderAt, e Entry) (outline, lines []byte, err error) {
	packed := make([]byte, e.Size)
	if _, err := in.ReadAt(packed, e.Offset+frameSize); err != nil {
		return nil, nil, errChanged
	}
	f := frame{kind: kindBlock, size: e.Size, text: e.Text}
	if f.checksum(packed) != e.Sum {
		return nil, nil, errChanged
	}
	outline, lines = splitOutline(packed)
	return outline, lines, nil
}

// UnpackOutline is the encoded outline of a block.
func UnpackOutline(codec *Codec, packed []byte) ([]byte, error) {
	return codec.Unpack(packed[outlineSize:], int(binary.LittleEndian.Uint32(packed[skippableSize:])))
}

// outlineFrom is how much larger than its lines the outline of a block may be: it has some numbers for each column.
const outlineFrom = 4 << 10

var errLargeOutline = errors.New("its outline is larger than its lines")
