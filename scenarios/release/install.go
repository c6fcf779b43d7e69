package main

import (
	"errors"
	"path/filepath"
	"slices"

	"github.com/kubestep/kubestep/scenarios/release/packages"
)

// packages writes the files of Homebrew and krew, which need the checksums of the archives.
func (r *release) packages(binaries []binary) error {
	p := packages.Release{Version: r.version, Homepage: "https://" + mainModule, Description: description, License: license}
	for _, b := range binaries {
		name := r.archive(b)
		sum, err := sumOf(filepath.Join(r.out, name))
		if err != nil {
			return err
		}
		p.Archives = append(p.Archives, packages.Archive{
			OS: b.os, Architecture: b.arch, URL: r.downloads + "/" + r.version + "/" + name, SHA256: sum, Program: b.name,
		})
	}
	err := r.write("step.yaml", p.Plugin)
	if slices.ContainsFunc(binaries, func(b binary) bool { return b.os != "windows" }) {
		err = errors.Join(err, r.write("kubestep.rb", p.Formula))
	}
	return err
}
