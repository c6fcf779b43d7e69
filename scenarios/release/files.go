package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/kubestep/kubestep/scenarios/release/archive"
	"github.com/kubestep/kubestep/scenarios/release/bom"
	"github.com/kubestep/kubestep/scenarios/release/notices"
)

// archives writes an archive for each platform, and the bill of materials of the binary in it.
func (r *release) archives(binaries []binary) error {
	for _, b := range binaries {
		entries, err := r.entries(b)
		if err != nil {
			return err
		}
		write := archive.TarGzip
		if b.os == "windows" {
			write = archive.Zip
		}
		err = r.write(r.archive(b), func(out io.Writer) error { return write(out, entries, r.source.date) })
		if err != nil {
			return err
		}
		err = r.write(r.file(b.os, b.arch, ".cdx.json"), func(out io.Writer) error { return r.materials(b).Write(out, b.info) })
		if err != nil {
			return err
		}
	}
	return nil
}

// archive is the name of the archive for a platform.
func (r *release) archive(b binary) string {
	if b.os == "windows" {
		return r.file(b.os, b.arch, ".zip")
	}
	return r.file(b.os, b.arch, ".tar.gz")
}

// entries are the contents of an archive.
func (r *release) entries(b binary) ([]archive.Entry, error) {
	readme, err := os.ReadFile(filepath.Join(r.root, "README.md"))
	if err != nil {
		return nil, err
	}
	entries, err := r.texts(b)
	if err != nil {
		return nil, err
	}
	entries = append(entries,
		archive.Entry{Name: b.name, Mode: 0o755, Data: b.data}, archive.Entry{Name: "README.md", Mode: 0o644, Data: readme})
	for name, data := range b.pages {
		entries = append(entries, archive.Entry{Name: name, Mode: 0o644, Data: data})
	}
	return entries, nil
}

// texts are the license of kubestep and those of what is compiled in.
func (r *release) texts(b binary) ([]archive.Entry, error) {
	own, err := os.ReadFile(filepath.Join(r.root, "LICENSE"))
	if err != nil {
		return nil, err
	}
	var others bytes.Buffer
	if err := notices.Write(&others, "kubestep", b.modules); err != nil {
		return nil, err
	}
	return []archive.Entry{
		{Name: "LICENSE", Mode: 0o644, Data: own}, {Name: "THIRD_PARTY_LICENSES", Mode: 0o644, Data: others.Bytes()},
	}, nil
}

// materials describes a binary for its bill of materials.
func (r *release) materials(b binary) bom.Program {
	licenses := map[string][]string{}
	for _, m := range b.modules {
		licenses[m.Path] = m.Licenses()
	}
	return bom.Program{
		Name: "kubestep", Version: r.version, Commit: r.source.commit, Kubernetes: r.kubernetes, License: license,
		Date: r.source.date, SHA256: b.sha256, Licenses: func(path string) []string { return licenses[path] },
	}
}

const sumsFile = "SHA256SUMS"

// checksums writes the checksums of all files, in the form that sha256sum -c reads.
func (r *release) checksums([]binary) error {
	entries, err := os.ReadDir(r.out)
	if err != nil {
		return err
	}
	var sums strings.Builder
	for _, entry := range entries {
		sum, err := sumOf(filepath.Join(r.out, entry.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%s  %s\n", sum, entry.Name())
	}
	return r.write(sumsFile, func(out io.Writer) error {
		_, err := io.WriteString(out, sums.String())
		return err
	})
}

// sumOf is the checksum of a file, in hexadecimal digits.
func sumOf(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", hash.Sum(nil)), nil
}

// write writes a file of the release.
func (r *release) write(name string, content func(io.Writer) error) error {
	path := filepath.Join(r.out, name)
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := content(file); err != nil {
		file.Close()
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := file.Close(); err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "wrote %s (%.1f MB)\n", path, float64(info.Size())/1e6)
	return nil
}
