// Package image writes an image for container runtimes, without one and without a base image: the program, its licenses, and a
// folder for scenarios. It has no shell and no package manager, and runs as a user without rights.
//
// The file is an OCI image layout in a tar archive, with an index of one image for each architecture, as podman load, skopeo and
// docker load (with the containerd image store) read it. It also has the manifest.json that docker load reads otherwise, where
// the images of the architectures have tags of their own.
package image

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/kubestep/kubestep/scenarios/release/archive"
)

const (
	// nobody is the user and the group of the program, as in the images of distroless.
	nobody = "65532:65532"
	// workingFolder is where files that a user mounts are expected.
	workingFolder = "/work"
	program       = "/kubestep"
)

// Image is what all architectures have in common.
type Image struct {
	// Name is that of the repository, such as ghcr.io/kubestep/kubestep, and Version the tag.
	Name, Version string
	// Date is that of the commit.
	Date time.Time
	// Labels are annotations of OCI, for the image and for the index.
	Labels map[string]string
}

// Platform is the content for an architecture.
type Platform struct {
	Architecture string
	Program      []byte
	// Licenses are files for /licenses, by their names.
	Licenses map[string][]byte
}

// Write writes the archive.
func (i Image) Write(out io.Writer, platforms []Platform) error {
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	var loaded []loadable
	for _, p := range platforms {
		image, err := i.build(p)
		if err != nil {
			return err
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{
			Add: image, Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: "linux", Architecture: p.Architecture}},
		})
		description, err := describe(image, i.Name+":"+i.Version+"-"+p.Architecture)
		if err != nil {
			return err
		}
		loaded = append(loaded, description)
	}
	index, ok := mutate.Annotations(index, i.Labels).(v1.ImageIndex)
	if !ok {
		return fmt.Errorf("the index is not one with annotations")
	}
	root := mutate.AppendManifests(mutate.IndexMediaType(empty.Index, types.OCIImageIndex), mutate.IndexAddendum{
		Add: index,
		Descriptor: v1.Descriptor{Annotations: map[string]string{
			"org.opencontainers.image.ref.name": i.Version, "io.containerd.image.name": i.Name + ":" + i.Version,
		}},
	})
	entries, err := files(root)
	if err != nil {
		return err
	}
	list, err := json.Marshal(loaded)
	if err != nil {
		return err
	}
	return archive.Tar(out, append(entries, archive.Entry{Name: "manifest.json", Mode: 0o644, Data: list}), i.Date)
}

// build makes the image of an architecture: one layer and its configuration.
func (i Image) build(p Platform) (v1.Image, error) {
	entries := []archive.Entry{
		{Name: program[1:], Mode: 0o755, Data: p.Program},
		{Name: "tmp/", Mode: 0o1777},
		{Name: workingFolder[1:] + "/", Mode: 0o755},
		{Name: "licenses/", Mode: 0o755},
	}
	for name, data := range p.Licenses {
		entries = append(entries, archive.Entry{Name: "licenses/" + name, Mode: 0o644, Data: data})
	}
	var content bytes.Buffer
	if err := archive.TarGzip(&content, entries, i.Date); err != nil {
		return nil, err
	}
	open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content.Bytes())), nil }
	layer, err := tarball.LayerFromOpener(open, tarball.WithMediaType(types.OCILayer))
	if err != nil {
		return nil, err
	}
	date := v1.Time{Time: i.Date.UTC()}
	base := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	image, err := mutate.Append(base, mutate.Addendum{Layer: layer, History: v1.History{Created: date, CreatedBy: "kubestep " + i.Version}})
	if err != nil {
		return nil, err
	}
	config, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	config.OS, config.Architecture, config.Created = "linux", p.Architecture, date
	config.Config = v1.Config{Entrypoint: []string{program}, User: nobody, WorkingDir: workingFolder, Labels: i.Labels}
	return mutate.ConfigFile(image, config)
}

// files are those of an image layout.
func files(root v1.ImageIndex) (entries []archive.Entry, err error) {
	folder, err := os.MkdirTemp("", "kubestep-image-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	if _, err := layout.Write(folder, root); err != nil {
		return nil, err
	}
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		entries = append(entries, archive.Entry{Name: filepath.ToSlash(name), Mode: 0o644, Data: data})
		return err
	})
	return entries, err
}

// loadable is an image in the manifest.json of docker save.
type loadable struct {
	Config   string
	RepoTags []string
	Layers   []string
}

// describe names the files of an image as they are in an image layout.
func describe(image v1.Image, tag string) (loadable, error) {
	path := func(h v1.Hash) string { return "blobs/" + h.Algorithm + "/" + h.Hex }
	manifest, err := image.Manifest()
	if err != nil {
		return loadable{}, err
	}
	l := loadable{Config: path(manifest.Config.Digest), RepoTags: []string{tag}}
	for _, layer := range manifest.Layers {
		l.Layers = append(l.Layers, path(layer.Digest))
	}
	return l, nil
}
