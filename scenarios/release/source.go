package main

import (
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// source is the commit that a release is made from.
type source struct {
	commit string
	// date is that of the commit, which all files of the release have.
	date time.Time
}

// readSource asks git. It refuses changes that are not committed, since nobody could repeat the release.
func readSource(root string, trial bool) (source, error) {
	changes, err := git(root, "status", "--porcelain", "--untracked-files=no")
	if err != nil {
		return source{}, err
	}
	if changes != "" && !trial {
		const problem = "there are changes that are not committed:\n%s\nTry: git commit, or -trial to try a release out"
		return source{}, fmt.Errorf(problem, changes)
	}
	text, err := git(root, "log", "-1", "--format=%H %ct")
	if err != nil {
		return source{}, err
	}
	commit, seconds, _ := strings.Cut(text, " ")
	unix, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return source{}, fmt.Errorf("the date of %s: %w", commit, err)
	}
	return source{commit: commit, date: time.Unix(unix, 0).UTC()}, nil
}

func git(root string, args ...string) (string, error) {
	out, err := exec.Command("git", append([]string{"-C", root}, args...)...).Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w", args[0], err)
	}
	return strings.TrimSpace(string(out)), nil
}
