// Package archive writes archives that depend on their contents only: entries in the order of their names, one date for all of
// them, no owners, and nothing of the machine that writes them. Two builds of a release are compared by the hashes of their
// archives, so the same files give the same bytes.
package archive

import (
	"archive/tar"
	"archive/zip"
	"cmp"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"time"
)

// Entry is a file or a folder of an archive.
type Entry struct {
	// Name is the path in the archive, with slashes. The name of a folder ends with one.
	Name string
	// Mode has the permissions: 0o755 for a program, 0o644 for another file.
	Mode int64
	Data []byte
}

func (e Entry) folder() bool { return e.Name[len(e.Name)-1] == '/' }

// sorted returns the entries in the order of their names. It refuses names that an archive cannot have twice, and those that
// would leave the folder into which somebody unpacks it.
func sorted(entries []Entry) ([]Entry, error) {
	entries = slices.Clone(entries)
	slices.SortFunc(entries, func(a, b Entry) int { return cmp.Compare(a.Name, b.Name) })
	for i, e := range entries {
		switch clean := path.Clean(e.Name); {
		case e.Name == "" || path.IsAbs(e.Name) || clean == ".." || len(clean) > 2 && clean[:3] == "../":
			return nil, fmt.Errorf("%q is not a name in an archive", e.Name)
		case i > 0 && entries[i-1].Name == e.Name:
			return nil, fmt.Errorf("%s is duplicate", e.Name)
		}
	}
	return entries, nil
}

// Tar writes an archive. Modified is the date of all entries.
func Tar(out io.Writer, entries []Entry, modified time.Time) error {
	entries, err := sorted(entries)
	if err != nil {
		return err
	}
	w := tar.NewWriter(out)
	for _, e := range entries {
		header := &tar.Header{
			Name: e.Name, Typeflag: tar.TypeReg, Mode: e.Mode, Size: int64(len(e.Data)), ModTime: modified.UTC(), Format: tar.FormatUSTAR,
		}
		if e.folder() {
			header.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(header); err != nil {
			return err
		}
		if _, err := w.Write(e.Data); err != nil {
			return err
		}
	}
	return w.Close()
}

// TarGzip writes a compressed archive. The header of gzip has neither a name nor a date.
func TarGzip(out io.Writer, entries []Entry, modified time.Time) error {
	w := gzip.NewWriter(out)
	if err := Tar(w, entries, modified); err != nil {
		return err
	}
	return w.Close()
}

// Zip writes the archive that Windows opens without a program.
func Zip(out io.Writer, entries []Entry, modified time.Time) error {
	entries, err := sorted(entries)
	if err != nil {
		return err
	}
	w := zip.NewWriter(out)
	for _, e := range entries {
		header := &zip.FileHeader{Name: e.Name, Method: zip.Deflate, Modified: modified.UTC()}
		header.SetMode(permissions(e.Mode))
		file, err := w.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := file.Write(e.Data); err != nil {
			return err
		}
	}
	return w.Close()
}

// permissions are those of a mode as Go has them.
func permissions(mode int64) fs.FileMode { return fs.FileMode(mode).Perm() }
