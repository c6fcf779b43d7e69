package serving

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/kubestep/kubestep/scenarios/command"
)

// mark begins each kubeconfig file that kubestep writes, so that it does not replace another.
const mark = "# Written by kubestep serve, which removes it at the end of the session.\n"

// kubeconfig is the content of the file with which clients reach the server.
func (a *address) kubeconfig(token string) []byte {
	const name = "kubestep"
	config := clientcmdapi.NewConfig()
	config.Clusters[name] = &clientcmdapi.Cluster{Server: a.url, CertificateAuthorityData: a.authority}
	config.AuthInfos[name] = &clientcmdapi.AuthInfo{Token: token}
	config.Contexts[name] = &clientcmdapi.Context{Cluster: name, AuthInfo: name}
	config.CurrentContext = name
	data, err := clientcmd.Write(*config)
	if err != nil {
		panic("serving: a kubeconfig does not encode: " + err.Error())
	}
	return append([]byte(mark), data...)
}

// writeKubeconfig writes a file that only its owner can read. It replaces what an earlier session has left behind, and
// nothing else.
func writeKubeconfig(path string, config []byte) error {
	before, err := os.ReadFile(path)
	switch {
	case err == nil && !bytes.HasPrefix(before, []byte(mark)):
		return &command.UsageError{Message: path + " exists, and kubestep serve did not write it", Try: "another --kubeconfig"}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return &command.UsageError{Message: "--kubeconfig: " + err.Error(), Try: "another --kubeconfig"}
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), ".kubeconfig-*") // its mode is 0600
	if err == nil {
		defer os.Remove(temporary.Name())
		_, err = temporary.Write(config)
		err = errors.Join(err, temporary.Close())
	}
	if err == nil {
		err = os.Rename(temporary.Name(), path)
	}
	if err != nil {
		return &command.UsageError{Message: "--kubeconfig: " + err.Error(), Try: "another --kubeconfig"}
	}
	return nil
}

// removeKubeconfig removes the file, unless somebody else has written it since.
func removeKubeconfig(path string, config []byte) {
	if now, err := os.ReadFile(path); err == nil && bytes.Equal(now, config) {
		_ = os.Remove(path)
	}
}

// IsKubeconfig reports whether kubestep serve has written a file.
func IsKubeconfig(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	begin := make([]byte, len(mark))
	_, err = io.ReadFull(file, begin)
	return err == nil && string(begin) == mark
}

func absolute(path string) string {
	if full, err := filepath.Abs(path); err == nil {
		return full
	}
	return path
}
