package notices

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const mit = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the
following conditions: The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software. THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY
CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE
SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`

// list is what go list prints of packages in a folder of modules: the paths of the packages, by those of their modules.
func list(t *testing.T, folder string, packages map[string][]string) *bytes.Buffer {
	t.Helper()
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	for module, paths := range packages {
		for _, path := range paths {
			p := map[string]any{
				"Dir":    filepath.Join(folder, path),
				"Module": map[string]string{"Path": module, "Version": "v1.0.0", "Dir": filepath.Join(folder, module)},
			}
			if err := encoder.Encode(p); err != nil {
				t.Fatal(err)
			}
		}
	}
	return &out
}

func writeFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func TestTheLicensesOfPackages(t *testing.T) {
	folder := writeFiles(t, map[string]string{
		"go/LICENSE":                 mit,
		"one/LICENSE":                "Copyright One\n" + mit,
		"one/license.go":             "package one",
		"one/forked/list/list.go":    "package list",
		"one/forked/LICENSE.txt":     "something of their own",
		"one/unused/LICENSE":         "not compiled in",
		"two/COPYING":                "Copyright Two\r\n" + mit,
		"two/NOTICE":                 "Two has parts of Three",
		"two/below/documentation.go": "package below",
		"three/LICENSE":              "Copyright One\n" + mit + "\n",
	})
	packages := map[string][]string{"one": {"one", "one/forked/list"}, "two": {"two/below"}, "three": {"three"}}
	modules, err := Read(list(t, folder, packages), filepath.Join(folder, "go"), "go1.26.8")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range modules {
		got = append(got, m.Path+" "+strings.Join(m.Licenses(), ","))
	}
	if diff := cmp.Diff([]string{"one ", "std MIT", "three MIT", "two MIT"}, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	var out bytes.Buffer
	if err := Write(&out, "kubestep", modules); err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(strings.ReplaceAll(out.String(), mit, "(MIT)"), strings.Repeat("=", 80), "==")
	want := `kubestep contains the modules below. These are their licenses and notices.

==
one v1.0.0 (LICENSE)
three v1.0.0 (LICENSE)
==

Copyright One
(MIT)

==
one v1.0.0 (forked/LICENSE.txt)
==

something of their own

==
std go1.26.8 (LICENSE)
==

(MIT)

==
two v1.0.0 (COPYING)
==

Copyright Two
(MIT)

==
two v1.0.0 (NOTICE)
==

Two has parts of Three
`
	if diff := cmp.Diff(want, text); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestAModuleWithoutALicense(t *testing.T) {
	folder := writeFiles(t, map[string]string{"go/LICENSE": mit, "one/one.go": "package one"})
	_, err := Read(list(t, folder, map[string][]string{"one": {"one"}}), filepath.Join(folder, "go"), "go1.26.8")
	if err == nil || err.Error() != "one v1.0.0 has no license" {
		t.Errorf("%v", err)
	}
}

// TestALicenseThatIsOnlyStated is about a module that names its license in its README and does not have the text.
func TestALicenseThatIsOnlyStated(t *testing.T) {
	const module = "github.com/mattn/go-localereader"
	read := func(files map[string]string) ([]Module, error) {
		files["go/LICENSE"] = mit
		folder := writeFiles(t, files)
		return Read(list(t, folder, map[string][]string{module: {module}}), filepath.Join(folder, "go"), "go1.26.8")
	}
	readme := "# Reader\n\n## License\n\nMIT\n\n## Author\n\nSomebody\n"
	modules, err := read(map[string]string{module + "/README.md": readme})
	if err != nil {
		t.Fatal(err)
	}
	if m := modules[0]; m.Path != module || string(m.Texts["README.md"]) != readme || strings.Join(m.Licenses(), ",") != "MIT" {
		t.Errorf("%s: %q, licenses %v", m.Path, m.Texts, m.Licenses())
	}
	_, err = read(map[string]string{module + "/README.md": "# Reader\n\nAll rights reserved. Not MIT.\n"})
	if err == nil || err.Error() != module+" v1.0.0: README.md no longer states the license MIT" {
		t.Errorf("another license: %v", err)
	}
	modules, err = read(map[string]string{module + "/README.md": readme, module + "/LICENSE": "Copyright\n" + mit})
	if err != nil || len(modules[0].Texts) != 1 || modules[0].Texts["LICENSE"] == nil {
		t.Errorf("a module that got a file with its license: %v, %v", modules, err)
	}
}
