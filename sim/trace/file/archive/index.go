package archive

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
)

// ReadIndex reads the index from the end of an archive of a size, without the blocks. What it says of them is not compared with them, as
// Reader.Compare does. The error is an *Error; a Reader that reads the archive from its beginning says what is wrong where.
func ReadIndex(in io.ReaderAt, size int64) (*Index, error) {
	r := tail{in, size}
	end, err := r.bytes(size-endSize, endSize)
	if err != nil {
		return nil, err
	}
	at := int64(binary.LittleEndian.Uint64(end))
	if string(end[8:]) != endMark || at < int64(signatureSize) || at > size-endSize-frameSize {
		return nil, damaged(size-endSize, "the end does not point to the index")
	}
	head, err := r.bytes(at, frameSize)
	if err != nil {
		return nil, err
	}
	f, err := parseFrame(head)
	if err != nil || f.kind != kindIndex || at+frameSize+int64(f.size) != size-endSize {
		return nil, damaged(at, "the end does not point to the index")
	}
	packed, err := r.bytes(at+frameSize, int64(f.size))
	switch {
	case err != nil:
		return nil, err
	case f.checksum(packed) != f.sum:
		return nil, damaged(at, "the checksum of the frame %s differs", f.kind)
	}
	index := &Index{}
	text, err := SharedCodec().Unpack(packed, int(f.text))
	if err == nil {
		err = json.Unmarshal(text, index)
	}
	if err == nil {
		err = index.check(at)
	}
	if err != nil {
		return nil, damaged(at, "the frame %s: %v", f.kind, err)
	}
	return index, nil
}

var errEntries = errors.New("its blocks do not follow each other")

// check finds an index that cannot be that of an archive with the index at a byte.
func (i *Index) check(at int64) error {
	var records, text int64
	offset := int64(signatureSize)
	for _, b := range i.Blocks {
		if b.Offset < offset || b.Records < 1 || b.First != records+1 {
			return errEntries
		}
		offset = b.Offset + frameSize + int64(b.Size)
		records, text = records+b.Records, text+int64(b.Text)
	}
	if offset > at || records != i.Records || text != i.Text {
		return errEntries
	}
	return nil
}

// tail reads the end of an archive.
type tail struct {
	in   io.ReaderAt
	size int64
}

// bytes are n bytes from an offset on.
func (t tail) bytes(offset, n int64) ([]byte, error) {
	if offset < 0 || offset+n > t.size {
		return nil, &Error{Kind: Truncated, Offset: t.size, Problem: "the archive ends before its index"}
	}
	to := make([]byte, n)
	if _, err := t.in.ReadAt(to, offset); err != nil {
		return nil, &Error{Kind: Unreadable, Offset: offset, Problem: err.Error()}
	}
	return to, nil
}
