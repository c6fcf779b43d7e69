// Modules writes the module files with which kubestep is compiled for other versions of Kubernetes than the main one, and prints
// the flags of such a build.
//
// Usage:
//
//	go run ./sim/toolchain/versions/modules                    write the module files of all supported versions
//	go run ./sim/toolchain/versions/modules -flags 1.35        print the flags with which 1.35 is compiled
//	go run ./sim/toolchain/versions/modules -flags 1.35.2      the same; its module file is written to -o first
//
// It reads the module files of Kubernetes from the module proxy, and has the go command add the checksums of the modules that
// kubestep imports packages of, on each operating system that it is compiled for. It compiles nothing.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/kubestep/kubestep/sim/toolchain/versions"
)

func main() {
	command := flag.String("go", "go", "the go command")
	out := flag.String("o", filepath.Join("bin", "_versions"), "the folder for module files of versions that have none yet")
	flags := flag.String("flags", "", "print the flags with which this version is compiled")
	flag.Parse()
	if flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(*command, *out, *flags); err != nil {
		fmt.Fprintf(os.Stderr, "Error: %v\n", err)
		os.Exit(1)
	}
}

func run(command, out, name string) error {
	if name == "" {
		for _, v := range versions.Supported {
			if err := write(command, v, v.ModuleFile("")); err != nil {
				return fmt.Errorf("Kubernetes %s: %w", v.Name, err)
			}
		}
		return nil
	}
	v, err := versions.Find(name)
	if err != nil || v.IsMain() {
		return err
	}
	file, err := filepath.Abs(v.ModuleFile(out))
	if err != nil {
		return err
	}
	if _, err := os.Stat(file); err != nil {
		if err := write(command, v, file); err != nil {
			return fmt.Errorf("Kubernetes %s: %w", name, err)
		}
	}
	fmt.Printf("-tags=%s -modfile=%s\n", v.Tags(), file)
	return nil
}
