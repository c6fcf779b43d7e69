package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// completions are the scripts with which shells complete, by their names in an archive: those that each shell looks for.
var completions = map[string]string{
	"bash": "completions/kubestep.bash", "zsh": "completions/_kubestep", "fish": "completions/kubestep.fish", "powershell": "completions/kubestep.ps1",
}

// readPages lets a program that this machine runs write its completion scripts and man pages. The pages have the date of the source.
func readPages(program string, s source) (map[string][]byte, error) {
	pages := map[string][]byte{}
	for shell, name := range completions {
		out, err := exec.Command(program, "completion", shell).Output()
		if err != nil || len(out) == 0 {
			return nil, fmt.Errorf("kubestep completion %s: %d bytes, %v", shell, len(out), err)
		}
		pages[name] = out
	}
	folder, err := os.MkdirTemp("", "kubestep-man-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	cmd := exec.Command(program, "man", folder)
	cmd.Env = append(os.Environ(), "SOURCE_DATE_EPOCH="+strconv.FormatInt(s.date.Unix(), 10))
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("kubestep man: %w: %s", err, out)
	}
	written, err := filepath.Glob(filepath.Join(folder, "*.1"))
	if err != nil || len(written) == 0 {
		return nil, fmt.Errorf("kubestep man: %d pages, %v", len(written), err)
	}
	for _, path := range written {
		if pages["man/man1/"+filepath.Base(path)], err = os.ReadFile(path); err != nil {
			return nil, err
		}
	}
	return pages, nil
}
