package tracefile

import (
	"bytes"
	"io"

	"github.com/kubestep/kubestep/sim/trace/file/input"
)

// Same reports whether two files are traces with the same bytes. It holds a small part of each.
func Same(a, b string) bool {
	first, err := Open(a)
	if err != nil {
		return false
	}
	defer first.Close()
	second, err := Open(b)
	if err != nil {
		return false
	}
	defer second.Close()
	return first.Size == second.Size && first.Kind != input.Unknown && sameBytes(first, second)
}

func sameBytes(a, b io.Reader) bool {
	const size = 256 << 10
	x, y := make([]byte, size), make([]byte, size)
	for {
		n, errA := io.ReadFull(a, x)
		m, errB := io.ReadFull(b, y)
		switch {
		case !bytes.Equal(x[:n], y[:m]):
			return false
		case isEnd(errA) && isEnd(errB):
			return true
		case errA != nil || errB != nil:
			return false
		}
	}
}

// isEnd reports whether io.ReadFull has come to the end of a file.
func isEnd(err error) bool { return err == io.EOF || err == io.ErrUnexpectedEOF }
