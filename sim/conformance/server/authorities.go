package server

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"fmt"
	"os"
	"path/filepath"

	"k8s.io/client-go/util/cert"
	"k8s.io/client-go/util/keyutil"
	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"
)

// issuer is the issuer of tokens of service accounts in upstream's tests.
const issuer = "https://foo.bar.example.com"

// issueTokens makes the key with which a server signs tokens of service accounts, and with which it verifies them.
func issueTokens(dir string, opts *options.ServerRunOptions) error {
	file := filepath.Join(dir, "sa.key")
	if _, _, err := keyutil.LoadOrGenerateKeyFile(file); err != nil {
		return err
	}
	opts.ServiceAccountSigningKeyFile = file
	opts.Authentication.ServiceAccounts.KeyFiles = []string{file}
	opts.Authentication.ServiceAccounts.Issuers = []string{issuer}
	return nil
}

// trustAuthorities makes the authorities of clients and of proxies that a server trusts. proxies may be nil.
func trustAuthorities(dir string, opts *options.ServerRunOptions, proxies *ProxyCA) error {
	client, proxy := filepath.Join(dir, "client-ca.crt"), filepath.Join(dir, "proxy-ca.crt")
	opts.Authentication.ClientCert.ClientCA, opts.Authentication.RequestHeader.ClientCAFile = client, proxy
	if err := writeAuthority(client, "client-ca", nil); err != nil {
		return err
	}
	if proxies != nil {
		return writeAuthority(proxy, "front-proxy-ca", proxies.ProxySigningCert)
	}
	return writeAuthority(proxy, "front-proxy-ca", nil)
}

// writeAuthority writes the certificate of an authority, nil means a new one.
func writeAuthority(file, name string, authority *x509.Certificate) error {
	if authority == nil {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			return err
		}
		if authority, err = cert.NewSelfSignedCACert(cert.Config{CommonName: name}, key); err != nil {
			return fmt.Errorf("authority %s: %w", name, err)
		}
	}
	encoded, err := cert.EncodeCertificates(authority)
	if err != nil {
		return err
	}
	return os.WriteFile(file, encoded, 0o644)
}
