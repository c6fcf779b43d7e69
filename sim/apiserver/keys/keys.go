// Package keys makes the keys of a cluster from the seed of its simulation.
//
// An administrator creates keys for a cluster, and passes their files to kube-apiserver and kube-controller-manager: kubeadm's ca.crt and
// ca.key (--root-ca-file, --cluster-signing-cert-file and -key-file), and sa.key (--service-account-private-key-file,
// --service-account-signing-key-file). Those of a simulation are the same in each run with the same seed, since certificates and tokens
// are part of its trace. They protect nothing.
package keys

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"math/big"
	"time"

	"gopkg.in/go-jose/go-jose.v2"
)

// secret returns 32 bytes that depend on the seed and on their purpose.
func secret(seed uint64, purpose string, attempt int) []byte {
	sum := sha256.Sum256(fmt.Appendf(nil, "kubestep|%s|%d|%d", purpose, attempt, seed))
	return sum[:]
}

// CertificateAuthority is the cluster's root: it signed the API server's certificate, and signs requested ones.
type CertificateAuthority struct {
	// Certificate and Key are in PEM.
	Certificate, Key []byte
}

// caLifetime is kubeadm's.
const caLifetime = 10 * 365 * 24 * time.Hour

// NewCertificateAuthority derives the root from the seed. Its key is Ed25519, and not RSA as kubeadm's, because such a
// signature is not randomized.
func NewCertificateAuthority(seed uint64, now time.Time) (CertificateAuthority, error) {
	private := ed25519.NewKeyFromSeed(secret(seed, "ca", 0))
	template := &x509.Certificate{
		SerialNumber: big.NewInt(0), Subject: pkix.Name{CommonName: "kubernetes"}, DNSNames: []string{"kubernetes"},
		NotBefore: now.UTC(), NotAfter: now.Add(caLifetime).UTC(),
		KeyUsage:              x509.KeyUsageKeyEncipherment | x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		BasicConstraintsValid: true, IsCA: true,
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		return CertificateAuthority{}, fmt.Errorf("the cluster's certificate authority: %w", err)
	}
	key, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return CertificateAuthority{}, fmt.Errorf("the key of the cluster's certificate authority: %w", err)
	}
	return CertificateAuthority{
		Certificate: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate}),
		Key:         pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key}),
	}, nil
}

// TokenSigner signs the tokens of service accounts. Of the kinds of keys that upstream's JWTTokenGenerator accepts,
// this is the one that leaves the signing to its owner: Go's ECDSA draws a random number for each signature, unless it
// is called for one after RFC 6979.
type TokenSigner struct {
	private *ecdsa.PrivateKey
	id      string
}

var _ jose.OpaqueSigner = &TokenSigner{}

// NewTokenSigner derives the key of the signer from the seed.
func NewTokenSigner(seed uint64) (*TokenSigner, error) {
	for attempt := 0; ; attempt++ {
		// One in four billion numbers is not a valid key.
		private, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), secret(seed, "service account tokens", attempt))
		if err != nil && attempt < 8 {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("the key of the token issuer: %w", err)
		}
		public, err := x509.MarshalPKIXPublicKey(private.Public())
		if err != nil {
			return nil, fmt.Errorf("the key of the token issuer: %w", err)
		}
		sum := sha256.Sum256(public)
		return &TokenSigner{private, base64.RawURLEncoding.EncodeToString(sum[:])}, nil
	}
}

// Public implements jose.OpaqueSigner.
func (t *TokenSigner) Public() *jose.JSONWebKey {
	return &jose.JSONWebKey{Algorithm: string(jose.ES256), Key: t.private.Public(), KeyID: t.id, Use: "sig"}
}

// Algs implements jose.OpaqueSigner.
func (t *TokenSigner) Algs() []jose.SignatureAlgorithm { return []jose.SignatureAlgorithm{jose.ES256} }

// SignPayload implements jose.OpaqueSigner. A JWT has the two numbers of the signature next to each other, each with 32
// bytes, and not in ASN.1 as Go returns them.
func (t *TokenSigner) SignPayload(payload []byte, _ jose.SignatureAlgorithm) ([]byte, error) {
	sum := sha256.Sum256(payload)
	signed, err := t.private.Sign(nil, sum[:], crypto.SHA256)
	if err != nil {
		return nil, fmt.Errorf("signing a token: %w", err)
	}
	var numbers struct{ R, S *big.Int }
	if _, err := asn1.Unmarshal(signed, &numbers); err != nil {
		return nil, fmt.Errorf("signing a token: %w", err)
	}
	out := make([]byte, 64)
	numbers.R.FillBytes(out[:32])
	numbers.S.FillBytes(out[32:])
	return out, nil
}
