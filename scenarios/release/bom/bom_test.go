package bom

import (
	"bytes"
	"debug/buildinfo"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
	"github.com/google/go-cmp/cmp"
)

func program() Program {
	return Program{
		Name: "kubestep", Version: "v0.1.0", Commit: "c0ffee", Kubernetes: "v1.36.3", License: "Apache-2.0",
		Date: time.Date(2026, 5, 17, 12, 0, 0, 0, time.UTC), SHA256: strings.Repeat("0", 64),
		Licenses: func(path string) []string {
			return map[string][]string{"std": {"BSD-3-Clause"}, "example.com/two": {"Apache-2.0", "MIT"}}[path]
		},
	}
}

func info(deps ...*debug.Module) *buildinfo.BuildInfo {
	return &buildinfo.BuildInfo{
		GoVersion: "go1.26.8", Main: debug.Module{Path: "github.com/kubestep/kubestep"}, Deps: deps,
		Settings: []debug.BuildSetting{{Key: "-trimpath", Value: "true"}},
	}
}

// sum is a checksum as go.sum has it: 32 bytes.
const sum = "h1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

func TestComponents(t *testing.T) {
	two := &debug.Module{Path: "example.com/two", Version: "v2.0.0+incompatible", Sum: sum}
	one := &debug.Module{Path: "example.com/first", Version: "v1.0.0", Replace: &debug.Module{Path: "example.com/one", Version: "v1.2.3", Sum: sum}}
	var first, second bytes.Buffer
	if err := program().Write(&first, info(two, one)); err != nil {
		t.Fatal(err)
	}
	if err := program().Write(&second, info(one, two)); err != nil {
		t.Fatal(err)
	}
	if first.String() != second.String() {
		t.Error("the order of the modules changes the document")
	}
	var doc cdx.BOM
	if err := cdx.NewBOMDecoder(&first, cdx.BOMFileFormatJSON).Decode(&doc); err != nil {
		t.Fatal(err)
	}
	list := []string{doc.Metadata.Timestamp + " " + doc.Metadata.Component.PackageURL}
	for _, c := range *doc.Components {
		licenses := "unknown"
		if c.Licenses != nil {
			licenses = (*c.Licenses)[0].Expression
			if l := (*c.Licenses)[0].License; l != nil {
				licenses = l.ID
			}
		}
		list = append(list, c.PackageURL+" "+licenses)
	}
	want := []string{
		"2026-05-17T12:00:00Z pkg:golang/github.com/kubestep/kubestep@v0.1.0",
		"pkg:golang/example.com/one@v1.2.3 unknown",
		"pkg:golang/example.com/two@v2.0.0%2Bincompatible Apache-2.0 AND MIT",
		"pkg:golang/std@1.26.8 BSD-3-Clause",
	}
	if diff := cmp.Diff(want, list); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if deps := *(*doc.Dependencies)[0].Dependencies; len(deps) != 3 {
		t.Errorf("kubestep depends on %v", deps)
	}
}

func TestAModuleWithoutAChecksum(t *testing.T) {
	err := program().Write(&bytes.Buffer{}, info(&debug.Module{Path: "example.com/local", Version: "v1.0.0"}))
	if err == nil || !strings.Contains(err.Error(), "example.com/local v1.0.0 has no checksum") {
		t.Errorf("%v", err)
	}
}
