package main

import (
	"io"
	"time"

	"github.com/kubestep/kubestep/scenarios/release/image"
)

// images writes one archive with the images of all architectures of Linux.
func (r *release) images(binaries []binary) error {
	var platforms []image.Platform
	for _, b := range binaries {
		if b.os != "linux" {
			continue
		}
		entries, err := r.texts(b)
		if err != nil {
			return err
		}
		licenses := map[string][]byte{}
		for _, e := range entries {
			licenses[e.Name] = e.Data
		}
		platforms = append(platforms, image.Platform{Architecture: b.arch, Program: b.data, Licenses: licenses})
	}
	if len(platforms) == 0 {
		return nil
	}
	i := image.Image{Name: r.image, Version: r.version, Date: r.source.date, Labels: map[string]string{
		"org.opencontainers.image.title":       "kubestep",
		"org.opencontainers.image.description": description,
		"org.opencontainers.image.source":      "https://" + mainModule,
		"org.opencontainers.image.licenses":    license,
		"org.opencontainers.image.version":     r.version,
		"org.opencontainers.image.revision":    r.source.commit,
		"org.opencontainers.image.created":     r.source.date.Format(time.RFC3339),
	}}
	return r.write(r.file("image", ".tar"), func(out io.Writer) error { return i.Write(out, platforms) })
}
