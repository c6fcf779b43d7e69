package serving

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"time"

	"github.com/kubestep/kubestep/scenarios/cli"
)

// Loopback is a free port of this machine.
const Loopback = "127.0.0.1:0"

// address is where the server listens.
type address struct {
	listener net.Listener
	url      string
	// certificate is that of the server, which made it itself, and authority the same for clients.
	certificate tls.Certificate
	authority   []byte
}

// Close stops listening.
func (a *address) Close() { _ = a.listener.Close() }

// listen listens on an address. It uses TLS on this machine, too: without, clients do not send their token.
func listen(where string) (*address, error) {
	host, _, err := net.SplitHostPort(where)
	if err != nil {
		return nil, cli.Usage("--listen: "+err.Error(), "--listen 127.0.0.1:6443")
	}
	names := namesOf(host)
	certificate, authority, err := selfSigned(names)
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", where)
	if err != nil {
		return nil, cli.Usage("--listen: "+err.Error(), "--listen "+net.JoinHostPort(host, "0"))
	}
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	return &address{listener, "https://" + net.JoinHostPort(names[0], port), certificate, authority}, nil
}

// serve serves until the server is shut down.
func (a *address) serve(server *http.Server) {
	server.TLSConfig = &tls.Config{Certificates: []tls.Certificate{a.certificate}, MinVersion: tls.VersionTLS12}
	server.ErrorLog = log.New(io.Discard, "", 0) // clients that were killed
	_ = server.ServeTLS(a.listener, "", "")
}

// namesOf are the names under which others reach a host: itself or, if it means all, the addresses of this machine.
func namesOf(host string) []string {
	if ip := net.ParseIP(host); host != "" && (ip == nil || !ip.IsUnspecified()) {
		return []string{host}
	}
	var names []string
	all, _ := net.InterfaceAddrs()
	for _, a := range all {
		if ip, ok := a.(*net.IPNet); ok && ip.IP.IsGlobalUnicast() {
			names = append(names, ip.IP.String())
		}
	}
	return append(names, "127.0.0.1")
}

// selfSigned makes a certificate for the time of a session. Its key is in this process only.
func selfSigned(names []string) (certificate tls.Certificate, authority []byte, err error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return certificate, nil, err
	}
	var serial [12]byte
	_, _ = rand.Read(serial[:]) // it never fails
	template := &x509.Certificate{
		SerialNumber: new(big.Int).SetBytes(serial[:]), Subject: pkix.Name{CommonName: "kubestep serve"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().AddDate(0, 1, 0),
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, IsCA: true, BasicConstraintsValid: true,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	for _, name := range names {
		if ip := net.ParseIP(name); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, name)
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return certificate, nil, err
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key},
		pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), nil
}

// newToken is what the clients of one session have to know.
func newToken() string {
	var random [16]byte
	_, _ = rand.Read(random[:]) // it never fails
	return hex.EncodeToString(random[:])
}
