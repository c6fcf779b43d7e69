package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"os"
	"path"
	"regexp"
	"strings"
)

// Site is a playground: a handler that hands out the files of a folder, and nothing outside of it.
type Site struct{ root *os.Root }

// Close closes the folder.
func (s *Site) Close() error { return s.root.Close() }

// types are the types of the files of a site. A file of another type is handed out as bytes.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".json": "application/json", ".svg": "image/svg+xml", ".txt": "text/plain; charset=utf-8", ".wasm": "application/wasm",
	".map": "application/json", ".gz": "application/gzip",
}

// named is a file whose name has a hash of its content: it never changes.
var named = regexp.MustCompile(`\.[0-9a-f]{12}\.wasm(\.gz)?$`)

// ServeHTTP implements http.Handler.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "only GET", http.StatusMethodNotAllowed)
		return
	}
	name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
	if name == "" {
		name = "index.html"
	}
	f, err := s.file(name, r.Header.Get("Accept-Encoding"))
	if err != nil {
		http.Error(w, name+" is not part of the playground", http.StatusNotFound)
		return
	}
	defer f.content.Close()
	header := w.Header()
	header.Set("Content-Type", f.kind)
	header.Set("Vary", "Accept-Encoding")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("Cache-Control", "no-cache")
	if named.MatchString(name) {
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	if f.encoding != "" {
		header.Set("Content-Encoding", f.encoding)
	}
	header.Set("ETag", f.tag)
	if strings.Contains(r.Header.Get("If-None-Match"), f.tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	if f.size >= 0 {
		header.Set("Content-Length", fmt.Sprint(f.size))
	}
	if r.Method == http.MethodGet {
		_, _ = io.Copy(w, f.content)
	}
}

// file is a file in the form that a browser takes.
type file struct {
	content        io.ReadCloser
	kind, encoding string
	tag            string
	// size is that of the content; -1 if it is not known.
	size int64
}

// file finds a file in the best form that the browser takes. The engine is there in compressed forms only; the other files
// are small and compressed here.
func (s *Site) file(name, accept string) (*file, error) {
	kind, ok := types[path.Ext(name)]
	if !ok {
		kind = "application/octet-stream"
	}
	for _, form := range []struct{ encoding, suffix string }{{"br", ".br"}, {"gzip", ".gz"}, {"", ""}} {
		if form.encoding != "" && !accepts(accept, form.encoding) {
			continue
		}
		content, size, err := s.open(name + form.suffix)
		if err != nil {
			continue
		}
		if form.suffix == "" && strings.HasPrefix(kind, "application/gzip") || form.suffix != "" || named.MatchString(name) {
			return &file{content, kind, form.encoding, tagOf(name + form.suffix), size}, nil
		}
		return small(content, kind, accept)
	}
	packed, _, err := s.open(name + ".gz")
	if err != nil {
		return nil, err
	}
	plain, err := gzip.NewReader(packed)
	if err != nil {
		packed.Close()
		return nil, err
	}
	return &file{both{plain, packed}, kind, "", tagOf(name), -1}, nil
}

// both reads from one and closes the other.
type both struct {
	io.Reader
	io.Closer
}

// open opens a regular file of the folder.
func (s *Site) open(name string) (*os.File, int64, error) {
	// A device or a pipe would block.
	info, err := s.root.Stat(name)
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, os.ErrNotExist
	}
	f, err := s.root.Open(name)
	return f, info.Size(), err
}

// small is a file that is read as a whole, compressed if the browser takes that.
func small(content io.ReadCloser, kind, accept string) (*file, error) {
	defer content.Close()
	data, err := io.ReadAll(content)
	if err != nil {
		return nil, err
	}
	f := &file{kind: kind, tag: tagOf(string(data))}
	if accepts(accept, "gzip") {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		_, _ = w.Write(data)
		if err := w.Close(); err != nil {
			return nil, err
		}
		f.tag, f.encoding, data = tagOf("gzip"+string(data)), "gzip", packed.Bytes()
	}
	f.content, f.size = io.NopCloser(bytes.NewReader(data)), int64(len(data))
	return f, nil
}

// tagOf is the ETag of a text.
func tagOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`
}

// accepts reports whether an Accept-Encoding header names an encoding, and does not refuse it.
func accepts(header, encoding string) bool {
	for part := range strings.SplitSeq(header, ",") {
		name, quality, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.EqualFold(strings.TrimSpace(name), encoding) {
			quality = strings.ReplaceAll(quality, " ", "")
			return quality != "q=0" && !strings.HasPrefix(quality, "q=0.000")
		}
	}
	return false
}
