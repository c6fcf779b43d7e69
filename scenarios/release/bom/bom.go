// Package bom describes what is in a binary as a software bill of materials in the form of CycloneDX. It asks the binary itself:
// the go command records in it which modules were compiled in, with their checksums.
package bom

import (
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
	"golang.org/x/mod/module"
)

// Program is what the binary does not say of itself.
type Program struct {
	Name, Version, Commit, Kubernetes, License string
	// Date is that of the commit.
	Date time.Time
	// SHA256 is the checksum of the binary, in hexadecimal digits.
	SHA256 string
	// Licenses returns the SPDX identifiers of a module, or of Go's standard library, whose path is std.
	Licenses func(path string) []string
}

// Write writes the bill of materials of a binary. Its lists are sorted and it has no serial number, so that a second build gives
// the same file.
func (p Program) Write(out io.Writer, info *buildinfo.BuildInfo) error {
	main := p.main(info)
	components := []cdx.Component{p.standardLibrary(info)}
	for _, dep := range info.Deps {
		component, err := p.module(dep)
		if err != nil {
			return err
		}
		components = append(components, component)
	}
	slices.SortFunc(components, func(a, b cdx.Component) int { return strings.Compare(a.BOMRef, b.BOMRef) })
	refs := make([]string, len(components))
	for i, c := range components {
		refs[i] = c.BOMRef
	}
	doc := cdx.NewBOM()
	doc.Metadata = &cdx.Metadata{Timestamp: p.Date.UTC().Format(time.RFC3339), Component: &main}
	doc.Components = &components
	// The binary says which modules it has, and not which of them needs which.
	doc.Dependencies = &[]cdx.Dependency{{Ref: main.BOMRef, Dependencies: &refs}}
	return cdx.NewBOMEncoder(out, cdx.BOMFileFormatJSON).SetPretty(true).SetEscapeHTML(false).Encode(doc)
}

func (p Program) main(info *buildinfo.BuildInfo) cdx.Component {
	properties := []cdx.Property{{Name: "kubestep:kubernetes", Value: p.Kubernetes}, {Name: "kubestep:commit", Value: p.Commit}}
	for _, s := range info.Settings {
		properties = append(properties, cdx.Property{Name: "cdx:gomod:build:" + s.Key, Value: s.Value})
	}
	return cdx.Component{
		BOMRef: purl(info.Main.Path, p.Version), Type: cdx.ComponentTypeApplication, Name: p.Name, Version: p.Version,
		PackageURL: purl(info.Main.Path, p.Version), Licenses: choices([]string{p.License}), Properties: &properties,
		Hashes:             &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: p.SHA256}},
		ExternalReferences: &[]cdx.ExternalReference{{Type: cdx.ERTypeVCS, URL: "https://" + info.Main.Path}},
	}
}

// standardLibrary is a module that the binary does not list.
func (p Program) standardLibrary(info *buildinfo.BuildInfo) cdx.Component {
	version, _, _ := strings.Cut(strings.TrimPrefix(info.GoVersion, "go"), " ")
	note := "compiled from edited files: see sim/toolchain/exact/overlay in the source code of " + p.Name
	return cdx.Component{
		BOMRef: purl("std", version), Type: cdx.ComponentTypeLibrary, Name: "std", Version: version, PackageURL: purl("std", version),
		Licenses: choices(p.Licenses("std")), Pedigree: &cdx.Pedigree{Notes: note},
	}
}

func (p Program) module(dep *debug.Module) (cdx.Component, error) {
	if dep.Replace != nil {
		dep = dep.Replace
	}
	sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(dep.Sum, "h1:"))
	if err != nil || len(sum) == 0 {
		return cdx.Component{}, fmt.Errorf("%s %s has no checksum: %q", dep.Path, dep.Version, dep.Sum)
	}
	if err := module.Check(dep.Path, dep.Version); err != nil {
		return cdx.Component{}, err
	}
	return cdx.Component{
		BOMRef: purl(dep.Path, dep.Version), Type: cdx.ComponentTypeLibrary, Name: dep.Path, Version: dep.Version,
		PackageURL: purl(dep.Path, dep.Version), Licenses: choices(p.Licenses(dep.Path)),
		// As in go.sum: the hash of the list of the hashes of the module's files.
		Hashes: &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: hex.EncodeToString(sum)}},
	}, nil
}

// purl is the package URL of a module. A version may contain a plus sign, which a URL escapes.
func purl(path, version string) string {
	return "pkg:golang/" + path + "@" + strings.ReplaceAll(version, "+", "%2B")
}

// choices lists identifiers of licenses, all of which apply.
func choices(ids []string) *cdx.Licenses {
	switch len(ids) {
	case 0:
		return nil
	case 1:
		return &cdx.Licenses{{License: &cdx.License{ID: ids[0]}}}
	}
	return &cdx.Licenses{{Expression: strings.Join(ids, " AND ")}}
}
