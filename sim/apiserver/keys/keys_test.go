package keys

import (
	"context"
	"crypto/x509"
	"encoding/pem"
	"testing"
	"time"

	"gopkg.in/go-jose/go-jose.v2"
	"gopkg.in/go-jose/go-jose.v2/jwt"
	"k8s.io/kubernetes/pkg/serviceaccount"
)

// signed signs a token as the token controller does.
func signed(t *testing.T, seed uint64) (signed string, signer *TokenSigner) {
	t.Helper()
	signer, err := NewTokenSigner(seed)
	if err != nil {
		t.Fatal(err)
	}
	generator, err := serviceaccount.JWTTokenGenerator(serviceaccount.LegacyIssuer, signer)
	if err != nil {
		t.Fatal(err)
	}
	signed, err = generator.GenerateToken(context.Background(), &jwt.Claims{Subject: "system:serviceaccount:shop:deployer"}, map[string]any{})
	if err != nil {
		t.Fatal(err)
	}
	return signed, signer
}

// TestTokensAreSignedFromTheSeed: one seed, one token, and the public key verifies it.
func TestTokensAreSignedFromTheSeed(t *testing.T) {
	one, signer := signed(t, 1)
	if again, _ := signed(t, 1); again != one {
		t.Error("two tokens from one seed")
	}
	other, _ := signed(t, 2)
	if other == one {
		t.Error("two seeds give one token")
	}
	for _, test := range []struct {
		token string
		valid bool
	}{{one, true}, {other, false}} {
		parsed, err := jose.ParseSigned(test.token)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parsed.Verify(signer.Public()); (err == nil) != test.valid {
			t.Errorf("verified: %v, want %t", err, test.valid)
		}
	}
}

func TestTheCertificateAuthorityIsThatOfTheSeed(t *testing.T) {
	one, err := NewCertificateAuthority(1, time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	again, err := NewCertificateAuthority(1, time.Unix(0, 0))
	if err != nil || string(again.Certificate) != string(one.Certificate) {
		t.Errorf("two authorities from one seed, %v", err)
	}
	block, _ := pem.Decode(one.Certificate)
	certificate, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	if err := certificate.CheckSignatureFrom(certificate); err != nil || !certificate.IsCA {
		t.Errorf("CA: %t, %v", certificate.IsCA, err)
	}
}
