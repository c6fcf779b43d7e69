package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// engine is the name of the engine in a site.
const engine = "kubestep.0123456789ab.wasm"

// siteOf is a site with files, and a secret beside it that a link in it leads to.
func siteOf(t *testing.T) *httptest.Server {
	t.Helper()
	around := t.TempDir()
	dir := filepath.Join(around, "web")
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = w.Write([]byte("wasm"))
	_ = w.Close()
	for name, text := range map[string]string{
		"web/index.html": "<!doctype html>", "web/engine.json": "{}", "web/worker.js": strings.Repeat("import ", 100),
		"web/" + engine + ".br": "brotli", "web/" + engine + ".gz": packed.String(), "secret": "secret",
	} {
		path := filepath.Join(around, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../secret", filepath.Join(dir, "link.txt")); err != nil {
		t.Fatal(err)
	}
	s, err := Open(dir, "--dir")
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s)
	t.Cleanup(func() {
		server.Close()
		s.root.Close()
	})
	return server
}

// get asks as a browser does that takes some encodings.
func get(t *testing.T, method, url, accept, tag string) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept-Encoding", accept)
	request.Header.Set("If-None-Match", tag)
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(body)
}

// TestFiles asks for each kind of file.
func TestFiles(t *testing.T) {
	url := siteOf(t).URL
	for _, test := range []struct {
		path, accept                   string
		code                           int
		kind, encoding, caching, start string
	}{
		{"/", "", 200, "text/html; charset=utf-8", "", "no-cache", "<!doctype"},
		{"/worker.js", "gzip, br", 200, "text/javascript; charset=utf-8", "gzip", "no-cache", "\x1f\x8b"},
		{"/worker.js", "gzip;q=0", 200, "text/javascript; charset=utf-8", "", "no-cache", "import"},
		{"/" + engine, "gzip, deflate, br", 200, "application/wasm", "br", "public, max-age=31536000, immutable", "brotli"},
		{"/" + engine, "gzip", 200, "application/wasm", "gzip", "public, max-age=31536000, immutable", "\x1f\x8b"},
		{"/" + engine, "", 200, "application/wasm", "", "public, max-age=31536000, immutable", "wasm"},
		{"/" + engine + ".gz", "gzip, br", 200, "application/gzip", "", "public, max-age=31536000, immutable", "\x1f\x8b"},
		{"/gone.js", "", 404, "text/plain; charset=utf-8", "", "", "gone.js is not part of the playground"},
		{"/../secret", "", 404, "text/plain; charset=utf-8", "", "", ""},
		{"/%2e%2e/secret", "", 404, "text/plain; charset=utf-8", "", "", ""},
		{"/link.txt", "", 404, "text/plain; charset=utf-8", "", "", ""},
		{"/.", "", 200, "text/html; charset=utf-8", "", "no-cache", "<!doctype"},
	} {
		response, body := get(t, http.MethodGet, url+test.path, test.accept, "")
		header := response.Header
		got := []string{header.Get("Content-Type"), header.Get("Content-Encoding"), header.Get("Cache-Control")}
		want := []string{test.kind, test.encoding, test.caching}
		if response.StatusCode != test.code || strings.Join(got, "|") != strings.Join(want, "|") || !strings.HasPrefix(body, test.start) {
			t.Errorf("%s (%s): %d %q %.20q, want %d %q %q", test.path, test.accept, response.StatusCode, got, body, test.code, want, test.start)
		}
		if strings.Contains(body, "secret") && test.code == 200 {
			t.Errorf("%s hands out a file outside of the folder", test.path)
		}
	}
}

// TestWhatABrowserHas is not sent again, and only GET and HEAD are answered.
func TestWhatABrowserHas(t *testing.T) {
	url := siteOf(t).URL
	for _, path := range []string{"/worker.js", "/" + engine} {
		first, _ := get(t, http.MethodGet, url+path, "gzip, br", "")
		second, body := get(t, http.MethodGet, url+path, "gzip, br", first.Header.Get("ETag"))
		if second.StatusCode != http.StatusNotModified || body != "" {
			t.Errorf("%s: %d with %d bytes", path, second.StatusCode, len(body))
		}
		other, _ := get(t, http.MethodGet, url+path, "gzip", first.Header.Get("ETag"))
		if path != "/worker.js" && other.StatusCode != http.StatusOK {
			t.Errorf("%s in another encoding: %d", path, other.StatusCode)
		}
		if head, body := get(t, http.MethodHead, url+path, "br", ""); head.StatusCode != http.StatusOK || body != "" {
			t.Errorf("HEAD %s: %d with %d bytes", path, head.StatusCode, len(body))
		}
	}
	if response, _ := get(t, http.MethodPost, url+"/", "", ""); response.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d", response.StatusCode)
	}
}
