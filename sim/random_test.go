package sim_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	cryptorand "crypto/rand"
	"crypto/rsa"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/toolchain/exact"
)

// drawn is what two actors of a simulation and somebody outside of it get from crypto/rand, and what anybody gets when it is over.
type drawn struct{ first, second, outside, after string }

func draw(t *testing.T, seed uint64) (all drawn) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s, err := sim.New(sim.Options{Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		s.Go("first", func(context.Context) { all.first = secrets(t) })
		s.Go("second", func(context.Context) { all.second = secrets(t) })
		s.Run(time.Second)
		all.outside = cryptorand.Text()
		s.End()
	})
	all.after = cryptorand.Text()
	return all
}

// secrets are a password, another one, and in the exact build two keys, whose generation does not use the Reader that it gets.
func secrets(t *testing.T) string {
	if !exact.Enabled() {
		return cryptorand.Text() + " " + cryptorand.Text()
	}
	curve, err := ecdsa.GenerateKey(elliptic.P256(), cryptorand.Reader)
	if err != nil {
		t.Error(err)
		return ""
	}
	key, err := rsa.GenerateKey(cryptorand.Reader, 1024)
	if err != nil {
		t.Error(err)
		return ""
	}
	return fmt.Sprint(cryptorand.Text(), " ", cryptorand.Text(), curve.D, key.D)
}

// TestCryptographicRandomness has a function of the seed for those who act in the simulation, and for nobody else.
func TestCryptographicRandomness(t *testing.T) {
	t.Setenv("GODEBUG", "rsa1024min=0")
	one, again, two := draw(t, 1), draw(t, 1), draw(t, 2)
	passwords := strings.Fields(one.first)
	if one.first != again.first || one.second != again.second {
		t.Errorf("one seed gives\n%v and\n%v", one, again)
	}
	if one.first == one.second || one.first == two.first || passwords[0] == passwords[1] {
		t.Errorf("different actors, seeds or reads give the same: %v, %v", one, two)
	}
	if one.outside == again.outside || one.after == again.after {
		t.Error("the seed decides what is read outside of the simulation, or after it")
	}
}
