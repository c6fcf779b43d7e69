package controllers

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/kubestep/kubestep/sim/apiserver/keys"
)

// openFiles is the folder in which the system shows the open files of a process under their numbers.
const openFiles = "/dev/fd"

// asFiles calls read with the names of two files that hold the certificate and the key of an authority. Upstream's
// signers take them as files only. They are the reading ends of two pipes, so that nothing is written to a disk and no
// temporary folder is needed; read must read each of them once. Where the system has no pipes (js/wasm) or no /dev/fd, or
// does not allow this process to use it, they are files in a temporary folder. Windows has no /dev/fd, but Wine shows that of the
// system below it.
func asFiles(ca keys.CertificateAuthority, read func(certFile, keyFile string) error) error {
	if _, err := os.Stat(openFiles); err != nil || runtime.GOOS == "windows" {
		return asTemporaryFiles(ca, read)
	}
	cert, err := filled(ca.Certificate)
	if errors.Is(err, errors.ErrUnsupported) {
		return asTemporaryFiles(ca, read)
	}
	if err != nil {
		return err
	}
	defer cert.Close()
	key, err := filled(ca.Key)
	if err != nil {
		return err
	}
	defer key.Close()
	return read(openFile(cert), openFile(key))
}

// filled is a pipe that holds data and then ends. The data must fit into the buffer of a pipe, which POSIX makes 512
// bytes and Linux and macOS 16 KiB or more: a certificate and a key have less than 2 KiB.
func filled(data []byte) (*os.File, error) {
	reader, writer, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("a pipe for the keys of the signers: %w", err)
	}
	_, err = writer.Write(data)
	if err = errors.Join(err, writer.Close()); err != nil {
		return nil, errors.Join(fmt.Errorf("a pipe for the keys of the signers: %w", err), reader.Close())
	}
	return reader, nil
}

func openFile(f *os.File) string { return fmt.Sprintf("%s/%d", openFiles, f.Fd()) }

func asTemporaryFiles(ca keys.CertificateAuthority, read func(certFile, keyFile string) error) error {
	dir, err := os.MkdirTemp("", "kubestep-keys-")
	if err != nil {
		return fmt.Errorf("a folder for the keys of the signers: %w", err)
	}
	defer os.RemoveAll(dir)
	certFile, keyFile := filepath.Join(dir, "ca.crt"), filepath.Join(dir, "ca.key")
	err = errors.Join(os.WriteFile(certFile, ca.Certificate, 0o600), os.WriteFile(keyFile, ca.Key, 0o600))
	if err != nil {
		return err
	}
	return read(certFile, keyFile)
}
