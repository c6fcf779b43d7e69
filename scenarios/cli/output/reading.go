package output

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/kubestep/kubestep/sim/trace/file/input"
)

// ShowReading shows on a terminal how much of a file was read, if that takes long, and returns the function that ends and erases it.
// Files that are read at once share the line.
func ShowReading(out io.Writer, file *input.File) (stop func()) {
	return underRead.begin(file, func(text func(time.Duration) string) func() { return ShowLine(out, text) })
}

// underRead are the files that this process reads.
var underRead readings

type readings struct {
	mu    sync.Mutex
	files []*input.File
	erase func()
}

// begin adds a file. The first one shows the line, and the last one that is complete erases it.
func (r *readings) begin(file *input.File, show func(text func(time.Duration) string) (erase func())) (stop func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.files = append(r.files, file); len(r.files) == 1 {
		r.erase = show(func(time.Duration) string { return r.line() })
	}
	return func() {
		r.mu.Lock()
		r.files = slices.DeleteFunc(r.files, func(other *input.File) bool { return other == file })
		last, erase := len(r.files) == 0, r.erase
		r.mu.Unlock()
		if last {
			erase()
		}
	}
}

// line is how far the files are: "reads a.jsonl, 40 % of 230 MiB; reads b.kst, 100 % of 15 MiB".
func (r *readings) line() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var parts []string
	for _, file := range r.files {
		parts = append(parts, fmt.Sprintf("reads %s, %d %% of %d MiB",
			filepath.Base(file.Name()), file.BytesRead()*100/max(file.Size, 1), (file.Size+1<<20-1)>>20))
	}
	return strings.Join(parts, "; ")
}
