package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var date = time.Date(2026, 5, 17, 12, 0, 0, 0, time.FixedZone("elsewhere", 3600))

func entries() []Entry {
	return []Entry{
		{Name: "kubestep", Mode: 0o755, Data: []byte("a program")},
		{Name: "LICENSE", Mode: 0o644, Data: []byte("a license")},
		{Name: "man/man1/kubestep.1", Mode: 0o644, Data: []byte("a page")},
	}
}

func TestTarGzip(t *testing.T) {
	var out bytes.Buffer
	if err := TarGzip(&out, entries(), date); err != nil {
		t.Fatal(err)
	}
	unzipped, err := gzip.NewReader(&out)
	if err != nil {
		t.Fatal(err)
	}
	if unzipped.Name != "" || !unzipped.ModTime.IsZero() {
		t.Errorf("gzip's header has the name %q and the date %s", unzipped.Name, unzipped.ModTime)
	}
	var list []string
	for r := tar.NewReader(unzipped); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, fmt.Sprintf("%o %d:%d %q %s %s %s", h.Mode, h.Uid, h.Gid, h.Uname, h.ModTime.UTC().Format(time.RFC3339), h.Name, data))
	}
	want := []string{
		`644 0:0 "" 2026-05-17T11:00:00Z LICENSE a license`,
		`755 0:0 "" 2026-05-17T11:00:00Z kubestep a program`,
		`644 0:0 "" 2026-05-17T11:00:00Z man/man1/kubestep.1 a page`,
	}
	if diff := cmp.Diff(want, list); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestZip(t *testing.T) {
	var out bytes.Buffer
	if err := Zip(&out, entries(), date); err != nil {
		t.Fatal(err)
	}
	r, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, f := range r.File {
		list = append(list, fmt.Sprintf("%s %s %s", f.Mode(), f.Modified.UTC().Format(time.RFC3339), f.Name))
	}
	want := []string{
		"-rw-r--r-- 2026-05-17T11:00:00Z LICENSE", "-rwxr-xr-x 2026-05-17T11:00:00Z kubestep", "-rw-r--r-- 2026-05-17T11:00:00Z man/man1/kubestep.1",
	}
	if diff := cmp.Diff(want, list); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// TestTheOrderOfEntriesDoesNotMatter writes the same files in two orders.
func TestTheOrderOfEntriesDoesNotMatter(t *testing.T) {
	for name, write := range map[string]func(io.Writer, []Entry, time.Time) error{"tar.gz": TarGzip, "zip": Zip} {
		turned := entries()
		slices.Reverse(turned)
		var one, other bytes.Buffer
		if err := errors.Join(write(&one, entries(), date), write(&other, turned, date.UTC())); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(one.Bytes(), other.Bytes()) {
			t.Errorf("%s: the order of the entries, or the time zone, changes the archive", name)
		}
	}
}

func TestNamesThatAnArchiveCannotHave(t *testing.T) {
	for _, names := range []string{"/etc/passwd", "../kubestep", "a/../../b", "", "LICENSE LICENSE"} {
		var list []Entry
		for name := range strings.SplitSeq(names, " ") {
			list = append(list, Entry{Name: name})
		}
		if err := Tar(io.Discard, list, date); err == nil {
			t.Errorf("%q: accepted", names)
		}
	}
}
