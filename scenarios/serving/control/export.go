package control

import (
	"regexp"
	"runtime"
	"strings"
)

// plain are the paths that a shell takes as they are.
var plain = regexp.MustCompile(`^[A-Za-z0-9_./:@%+=,-]+$`)

// Export is the command that makes kubectl use the session: for a POSIX shell, or for PowerShell on Windows.
func (s Session) Export() string { return export(s.Kubeconfig, runtime.GOOS) }

func export(path, goos string) string {
	if goos == "windows" {
		return `$env:KUBECONFIG = '` + strings.ReplaceAll(path, `'`, `''`) + `'`
	}
	if !plain.MatchString(path) {
		path = `'` + strings.ReplaceAll(path, `'`, `'\''`) + `'`
	}
	return "export KUBECONFIG=" + path
}
