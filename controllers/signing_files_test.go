package controllers

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/kubestep/kubestep/sim/apiserver/keys"
)

// TestAsFiles hands an authority over as files without a folder to write to, or with one where there are no pipes.
func TestAsFiles(t *testing.T) {
	ca := keys.CertificateAuthority{Certificate: []byte("certificate"), Key: []byte("key")}
	read := func(certFile, keyFile string) error {
		cert, certErr := os.ReadFile(certFile)
		key, keyErr := os.ReadFile(keyFile)
		if string(cert) != "certificate" || string(key) != "key" {
			t.Errorf("%s holds %q, %s %q", certFile, cert, keyFile, key)
		}
		return errors.Join(certErr, keyErr)
	}
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	if err := asTemporaryFiles(ca, read); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("%v stays in the temporary folder, %v", left, err)
	}
	if _, err := os.Stat(openFiles); err != nil {
		t.Skip("this system has no /dev/fd")
	}
	t.Setenv("TMPDIR", filepath.Join(folder, "missing"))
	if err := asFiles(ca, read); err != nil {
		t.Error(err)
	}
}
