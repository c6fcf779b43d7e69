package image

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

func write(t *testing.T) []byte {
	t.Helper()
	image := Image{
		Name: "example.com/kubestep", Version: "v0.1.0", Date: time.Date(2026, 5, 17, 12, 0, 0, 0, time.UTC),
		Labels: map[string]string{"org.opencontainers.image.version": "v0.1.0"},
	}
	var platforms []Platform
	for _, arch := range []string{"amd64", "arm64"} {
		platforms = append(platforms, Platform{
			Architecture: arch, Program: []byte("a program for " + arch), Licenses: map[string][]byte{"LICENSE": []byte("a license")},
		})
	}
	var out bytes.Buffer
	if err := image.Write(&out, platforms); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// unpack writes the files of the archive to a folder, as an image layout.
func unpack(t *testing.T, data []byte) (folder string, names []string) {
	t.Helper()
	folder = t.TempDir()
	for r := tar.NewReader(bytes.NewReader(data)); ; {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			return folder, names
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(folder, header.Name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, content, 0o644)); err != nil {
			t.Fatal(err)
		}
		names = append(names, header.Name)
	}
}

// TestTheIndex reads the archive as podman and skopeo do: from index.json to an index of an image for each architecture.
func TestTheIndex(t *testing.T) {
	folder, _ := unpack(t, write(t))
	root, err := layout.ImageIndexFromPath(folder)
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Index(root); err != nil {
		t.Fatal(err)
	}
	list, err := root.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	if len(list.Manifests) != 1 || list.Manifests[0].Annotations["org.opencontainers.image.ref.name"] != "v0.1.0" {
		t.Fatalf("index.json has %+v", list.Manifests)
	}
	index, err := root.ImageIndex(list.Manifests[0].Digest)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := index.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	var platforms []string
	for _, m := range manifest.Manifests {
		platforms = append(platforms, m.Platform.String())
		image, err := index.Image(m.Digest)
		if err != nil {
			t.Fatal(err)
		}
		testImage(t, image, m.Platform.Architecture)
	}
	if diff := cmp.Diff([]string{"linux/amd64", "linux/arm64"}, platforms); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// testImage looks at the configuration and the files of an image.
func testImage(t *testing.T, image v1.Image, arch string) {
	t.Helper()
	config, err := image.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	c := config.Config
	got := fmt.Sprint(config.Architecture, c.User, c.WorkingDir, c.Entrypoint, c.Labels, config.Created.UTC().Format(time.DateOnly))
	want := fmt.Sprint(arch, "65532:65532", "/work", []string{"/kubestep"}, map[string]string{"org.opencontainers.image.version": "v0.1.0"}, "2026-05-17")
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
	content := mutate.Extract(image)
	defer content.Close()
	var list []string
	for r := tar.NewReader(content); ; {
		header, err := r.Next()
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
		list = append(list, fmt.Sprintf("%o %s %s", header.Mode, header.Name, data))
	}
	slices.Sort(list)
	files := []string{"1777 tmp ", "644 licenses/LICENSE a license", "755 kubestep a program for " + arch, "755 licenses ", "755 work "}
	if diff := cmp.Diff(files, list); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// TestDockerLoad reads the archive as docker load does without the containerd image store: from manifest.json.
func TestDockerLoad(t *testing.T) {
	data := write(t)
	folder, _ := unpack(t, data)
	text, err := os.ReadFile(filepath.Join(folder, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var list []loadable
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	var tags []string
	for _, l := range list {
		tags = append(tags, l.RepoTags...)
		for _, file := range append(l.Layers, l.Config) {
			if _, err := os.Stat(filepath.Join(folder, file)); err != nil {
				t.Error(err)
			}
		}
	}
	if diff := cmp.Diff([]string{"example.com/kubestep:v0.1.0-amd64", "example.com/kubestep:v0.1.0-arm64"}, tags); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// TestDockerLoadReadsTheArchive reads one of the images with a library that reads what docker save writes.
func TestDockerLoadReadsTheArchive(t *testing.T) {
	path := filepath.Join(t.TempDir(), "image.tar")
	if err := os.WriteFile(path, write(t), 0o644); err != nil {
		t.Fatal(err)
	}
	images, err := tarball.LoadManifest(func() (io.ReadCloser, error) { return os.Open(path) })
	if err != nil || len(images) != 2 {
		t.Fatalf("%d images, %v", len(images), err)
	}
}

func TestTwoImagesAreAlike(t *testing.T) {
	if !bytes.Equal(write(t), write(t)) {
		t.Error("the same files give two archives")
	}
}
