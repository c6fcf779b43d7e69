// Assemble completes bin/web, the folder of the playground: beside the page it puts the engine, under a name with its hash and
// compressed, and what the worker reads without the engine - the library, the schema of scenarios, and what the engine is.
//
// Usage: go run ./scenarios/web/playground/assemble -wasm FILE -o DIR [-version V] [-commit C] [-quality N]
//
// Node compresses with Brotli. What is compressed already is not compressed again.
package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/web/playground"
)

// built are the rights of what is built: it replaces what was built before.
var built = output.Rights{Force: true}

// site is what is to be assembled.
type site struct {
	out, wasm, version, commit string
	// quality is that of Brotli, up to 11.
	quality int
}

func main() {
	var s site
	flag.StringVar(&s.out, "o", "", "the folder of the site")
	flag.StringVar(&s.wasm, "wasm", "", "the engine")
	flag.StringVar(&s.version, "version", "devel", "the version of kubestep")
	flag.StringVar(&s.commit, "commit", "", "the commit that the engine is made of")
	flag.IntVar(&s.quality, "quality", 11, "the quality of Brotli, up to 11")
	flag.Parse()
	if s.out == "" || s.wasm == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := s.assemble(); err != nil {
		fmt.Fprintf(os.Stderr, "Error: %v\n", err)
		os.Exit(1)
	}
}

func (s site) assemble() error {
	if err := os.MkdirAll(s.out, 0o755); err != nil {
		return err
	}
	engine, err := os.ReadFile(s.wasm)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(engine)
	about := playground.Engine{
		Version: s.version, Kubernetes: controllers.KubernetesVersion, Commit: s.commit,
		Wasm: "kubestep." + hex.EncodeToString(sum[:6]) + ".wasm", Bytes: len(engine),
	}
	library, err := playground.ReadLibrary()
	if err != nil {
		return err
	}
	schema, err := format.JSONSchema(verb.All)
	if err != nil {
		return err
	}
	if err := s.scripts(); err != nil {
		return err
	}
	if err := s.pack(about.Wasm, engine); err != nil {
		return err
	}
	err = errors.Join(s.writeJSON("library.json", library), s.writeJSON("schema.json", json.RawMessage(schema)),
		s.writeJSON("engine.json", about), s.writeJSON("site.json", struct{}{}))
	if err != nil {
		return err
	}
	return s.clean(about.Wasm)
}

func (s site) writeJSON(name string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return output.WriteFile(filepath.Join(s.out, name), text, built)
}

//go:embed brotli.mjs
var brotli string

// scripts copies the worker, and Go's script that starts a program.
func (s site) scripts() error {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("go env GOROOT: %w", err)
	}
	for name, from := range map[string]string{
		"worker.js":    "scenarios/web/playground/wasm/worker.js",
		"files.js":     "scenarios/web/playground/wasm/files.js",
		"wasm_exec.js": filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"),
	} {
		text, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		if err := output.WriteFile(filepath.Join(s.out, name), text, built); err != nil {
			return err
		}
	}
	return nil
}

// clean removes the engines that no page asks for any more.
func (s site) clean(name string) error {
	old, err := filepath.Glob(filepath.Join(s.out, "kubestep.*.wasm*"))
	if err != nil {
		return err
	}
	for _, file := range old {
		if !strings.HasPrefix(filepath.Base(file), name) {
			if err := os.Remove(file); err != nil {
				return err
			}
		}
	}
	return nil
}

// pack writes the compressed forms of the engine.
func (s site) pack(name string, engine []byte) error {
	path := filepath.Join(s.out, name)
	if _, err := os.Stat(path + ".gz"); err != nil {
		var packed bytes.Buffer
		w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
		if err != nil {
			return err
		}
		if _, err := w.Write(engine); err != nil {
			return err
		}
		if err := w.Close(); err != nil {
			return err
		}
		if err := output.WriteFile(path+".gz", packed.Bytes(), built); err != nil {
			return err
		}
	}
	// The folder of the engine notes how the last one was compressed.
	note, how := filepath.Join(filepath.Dir(s.wasm), "brotli"), fmt.Sprintf("%s quality %d\n", name, s.quality)
	if done, _ := os.ReadFile(note); string(done) == how {
		if _, err := os.Stat(path + ".br"); err == nil {
			return s.sizes(path, len(engine))
		}
	}
	node := exec.Command("node", "--input-type=module", "-", s.wasm, path+".br", strconv.Itoa(s.quality))
	node.Stdin, node.Stderr = strings.NewReader(brotli), os.Stderr
	if err := node.Run(); err != nil {
		return fmt.Errorf("compress with Brotli: node: %w", err)
	}
	if err := os.WriteFile(note, []byte(how), 0o644); err != nil {
		return err
	}
	return s.sizes(path, len(engine))
}

// sizes says how large the engine is.
func (s site) sizes(path string, plain int) error {
	fmt.Printf("%s: %.1f MB", filepath.Base(path), float64(plain)/1e6)
	for _, form := range []string{".gz", ".br"} {
		info, err := os.Stat(path + form)
		if err != nil {
			return err
		}
		fmt.Printf(", %s %.1f MB", form, float64(info.Size())/1e6)
	}
	fmt.Println()
	return nil
}
