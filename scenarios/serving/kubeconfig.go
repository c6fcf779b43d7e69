package serving

import (
	"bytes"
	"io"
	"os"
	"path/filepath"

	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/serving/control"
	"github.com/kubestep/kubestep/sim/trace/file/input"
)

// kubeconfig is the content of the file with which clients reach the server.
func (a *address) kubeconfig(token string) []byte {
	return control.Kubeconfig{Server: a.url, Authority: a.authority, Token: token}.Text()
}

// writeKubeconfig writes a file that only its owner can read. It replaces what an earlier session has left behind, and
// nothing else.
func writeKubeconfig(path string, config []byte) error {
	return output.WriteFile(path, config, output.Rights{
		Own: []input.Kind{input.Session}, Whole: isWritten, Private: true, Instead: "another --kubeconfig",
	})
}

// isWritten reports whether a file is what kubestep serve wrote, byte for byte.
func isWritten(file *input.File) bool {
	text, err := io.ReadAll(file)
	if err != nil {
		return false
	}
	k, err := control.ParseKubeconfig(text)
	return err == nil && bytes.Equal(k.Text(), text)
}

// removeKubeconfig removes the file, unless somebody else has written it since.
func removeKubeconfig(path string, config []byte) {
	file, err := input.Open(path, input.Session)
	if err != nil {
		return
	}
	defer file.Close()
	if now, err := io.ReadAll(file); err == nil && bytes.Equal(now, config) {
		_ = os.Remove(path)
	}
}

func absolute(path string) string {
	if full, err := filepath.Abs(path); err == nil {
		return full
	}
	return path
}
