package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/kubestep/kubestep/sim/toolchain/versions"
)

// TestDerive derives the requirements for another version from three module files.
func TestDerive(t *testing.T) {
	datadriven.RunTest(t, "testdata/derive.txt", func(t *testing.T, d *datadriven.TestData) string {
		files := map[string]*module{"ours": {}, "main": {}, "other": {}}
		for line := range strings.SplitSeq(d.Input, "\n") {
			var file, path, version string
			if _, err := fmt.Sscan(line, &file, &path, &version); err != nil {
				d.Fatalf(t, "%s: %v", line, err)
			}
			files[file].Require = append(files[file].Require, requirement{path, version, strings.HasSuffix(line, "indirect")})
		}
		required, err := derive(*files["ours"], *files["main"], *files["other"], d.CmdArgs[0].Key)
		if err != nil {
			return err.Error()
		}
		return moduleText(module{Go: "1.26.0"}, d.CmdArgs[0].Key, required)
	})
}

// TestTheModuleFilesAreUpToDate derives all module files again. The go command may have raised a version in one of them, since
// another module requires it. It needs the module files of Kubernetes, from the module cache or the proxy, and nothing else.
func TestTheModuleFilesAreUpToDate(t *testing.T) {
	t.Chdir(filepath.Join("..", "..", "..", ".."))
	for _, v := range versions.Supported {
		if v.IsMain() {
			continue
		}
		t.Run(v.Name, func(t *testing.T) {
			if _, err := upstream("go", v.Kubernetes); err != nil {
				t.Skipf("the module file of Kubernetes %s is not to be had: %v", v.Kubernetes, err)
			}
			_, want, err := derived("go", v)
			if err != nil {
				t.Fatal(err)
			}
			file, err := read("go", v.ModuleFile(""))
			if err != nil {
				t.Fatal(err)
			}
			kept, expected := requirements(file), requirements(module{Require: want})
			for path, version := range expected {
				if less, err := older(kept[path], version); err != nil || less {
					t.Errorf("%s requires %s %q, and not %s: run go run ./sim/toolchain/versions/modules", v.ModuleFile(""), path, kept[path], version)
				}
			}
			for path := range kept {
				if expected[path] == "" {
					t.Errorf("%s requires %s, which nobody needs: run go run ./sim/toolchain/versions/modules", v.ModuleFile(""), path)
				}
			}
		})
	}
}
