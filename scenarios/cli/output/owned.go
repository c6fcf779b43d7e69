package output

import (
	"io/fs"
	"os"
	"slices"
	"sync"

	"github.com/kubestep/kubestep/sim/trace/file/input"
)

// owned are the files that were read to their end and found to be ours. A command asks before its work and behind it, and reading a
// trace of a gigabyte takes seconds: a file that has not changed since is not read again.
var owned found

type found struct {
	mu    sync.Mutex
	files map[string]foundFile
}

type foundFile struct {
	info fs.FileInfo
	kind input.Kind
}

func (f *found) add(path string, info fs.FileInfo, kind input.Kind) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.files == nil {
		f.files = map[string]foundFile{}
	}
	f.files[path] = foundFile{info, kind}
}

// has reports whether a file was found to be of one of the kinds, and is the same since: no other one under its name, not longer or
// shorter, and not written.
func (f *found) has(path string, now fs.FileInfo, kinds []input.Kind) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	known, ok := f.files[path]
	return ok && slices.Contains(kinds, known.kind) && os.SameFile(known.info, now) && known.info.Size() == now.Size() &&
		known.info.ModTime().Equal(now.ModTime())
}
