package archive

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"time"

	"github.com/kubestep/kubestep/sim/trace/file/input"
)

// Suffix is the suffix of the names of archives.
const Suffix = ".kst"

// Version is the version of the format that this package writes, and the newest that it reads.
const Version = 1

// signature begins every archive. The first byte is no text, and the line ends show a transfer that changed them, as in
// a PNG file.
const signature = input.ArchiveMark + "\r\n\x1a\n"

const (
	// signatureSize has four more bytes for the version.
	signatureSize = len(signature) + 4
	// frameSize is the size of a frame without its content, endSize that of the end.
	frameSize, endSize = 16, 16
)

// endMark is behind the offset of the index, at the end of a complete archive.
const endMark = "KST.END\n"

// The kinds of frames.
const (
	kindHeader = "HEAD"
	kindBlock  = "RECS"
	kindIndex  = "INDX"
)

const (
	// blockSize is the size at which a block is complete, without compression.
	blockSize = 512 << 10
	// textMax is the largest content of a frame without compression: a line can have 64 MiB (package trace).
	textMax = 65 << 20
	// headerMax and indexMax are those of the header, which has the scenario, and of the index.
	headerMax, indexMax = textMax, 64 << 20
)

// An archive may have so much text: what any trace has, and so many times its own size. A trace shrinks to a fifteenth, one of an
// idle cluster to a hundredth; a file that shrinks to a thousandth was made to fill somebody's memory.
const (
	swollenFrom  = 64 << 20
	swollenTimes = 1000
)

// Header says what the run was made from.
type Header struct {
	// Kubestep and Kubernetes are the versions that made the run, and Build the build: exact or stock.
	Kubestep   string `json:"kubestep,omitempty"`
	Kubernetes string `json:"kubernetes,omitempty"`
	Build      string `json:"build,omitempty"`
	// File is the name under which the scenario was run, and Scenario its text. With Seed, and with WithoutFaults as
	// --without-faults, it repeats the run. An archive that was made from JSON lines has none of them.
	File          string `json:"file,omitempty"`
	Scenario      string `json:"scenario,omitempty"`
	Seed          *int64 `json:"seed,omitempty"`
	WithoutFaults string `json:"withoutFaults,omitempty"`
	// Secrets means that the values of Secrets are not redacted.
	Secrets bool `json:"secrets,omitempty"`
}

// Index lists the blocks, and says what is in them.
type Index struct {
	Blocks []Entry `json:"blocks"`
	// Records is the number of records, and Text the size of their lines. Lines is the SHA-256 of the lines without
	// a halt record, which is the trace hash unless the values of Secrets are shown.
	Records int64  `json:"records"`
	Text    int64  `json:"text"`
	Lines   string `json:"lines"`
	// End is how the run ended; it is empty in an archive that was made from JSON lines.
	End
}

// End is how a run ended.
type End struct {
	// Result is the verdict, and Virtual the virtual time at the end, in nanoseconds.
	Result  string        `json:"result,omitempty"`
	Virtual time.Duration `json:"virtual,omitempty"`
}

// Entry is a block in the index.
type Entry struct {
	// First is the number of the first record, At its virtual time, and Records how many there are.
	First   int64         `json:"first"`
	At      time.Duration `json:"at"`
	Records int64         `json:"records"`
	// Offset is where the frame begins, and Size and Text are the sizes of its content, with and without compression.
	Offset int64  `json:"offset"`
	Size   uint32 `json:"size"`
	Text   uint32 `json:"text"`
	// Sum is the CRC-32C of the frame.
	Sum uint32 `json:"crc32c"`
	// Outline is the size of the part of the content, at its beginning, that has the outline of the records; 0 if there is none.
	Outline uint32 `json:"outline,omitempty"`
}

// frame is what precedes the content of a frame.
type frame struct {
	kind string
	// size and text are the sizes of the content, with and without compression.
	size, text uint32
	sum        uint32
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// newFrame is the frame of a compressed content.
func newFrame(kind string, packed []byte, text int) frame {
	f := frame{kind: kind, size: uint32(len(packed)), text: uint32(text)}
	f.sum = f.checksum(packed)
	return f
}

// append adds the encoded frame without its checksum.
func (f frame) append(to []byte) []byte {
	to = append(to, f.kind...)
	to = binary.LittleEndian.AppendUint32(to, f.size)
	return binary.LittleEndian.AppendUint32(to, f.text)
}

func (f frame) checksum(packed []byte) uint32 {
	return crc32.Update(crc32.Checksum(f.append(nil), castagnoli), castagnoli, packed)
}

// bytes is the encoded frame.
func (f frame) bytes() []byte { return binary.LittleEndian.AppendUint32(f.append(nil), f.sum) }

// parseFrame decodes a frame, and checks what can be known without its content.
func parseFrame(data []byte) (frame, error) {
	f := frame{
		kind: string(data[:4]), size: binary.LittleEndian.Uint32(data[4:]), text: binary.LittleEndian.Uint32(data[8:]),
		sum: binary.LittleEndian.Uint32(data[12:]),
	}
	limit := uint32(textMax)
	switch f.kind {
	case kindHeader:
		limit = headerMax
	case kindIndex:
		limit = indexMax
	case kindBlock:
	default:
		return f, fmt.Errorf("%q is not the kind of a frame", f.kind)
	}
	// Content that does not shrink grows by less than a percent.
	if f.text > limit || f.size > limit+limit/64+1024 {
		return f, fmt.Errorf("a frame of %d bytes, %d without compression, exceeds the limit of %d", f.size, f.text, limit)
	}
	return f, nil
}
