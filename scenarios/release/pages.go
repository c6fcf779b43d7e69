package main

import (
	"fmt"
	"os/exec"
)

// completions are the scripts with which shells complete, by their names in an archive: those that each shell looks for.
var completions = map[string]string{
	"bash": "completions/kubestep.bash", "zsh": "completions/_kubestep", "fish": "completions/kubestep.fish", "powershell": "completions/kubestep.ps1",
}

// readPages lets a program that this machine runs print its completion scripts.
func readPages(program string) (map[string][]byte, error) {
	pages := map[string][]byte{}
	for shell, name := range completions {
		out, err := exec.Command(program, "completion", shell).Output()
		if err != nil || len(out) == 0 {
			return nil, fmt.Errorf("kubestep completion %s: %d bytes, %w", shell, len(out), err)
		}
		pages[name] = out
	}
	return pages, nil
}
