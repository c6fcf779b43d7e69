package controllers

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"strings"

	"k8s.io/kubernetes/cmd/kube-controller-manager/names"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/syncs"
)

// serialSource is crypto/rand's Reader with one exception: upstream's signer draws the serial numbers of
// certificates from it (CertificateAuthority.Sign in pkg/controller/certificates/authority/authority.go), and
// these must depend on the seed.
type serialSource struct {
	sim      *sim.Simulation
	upstream io.Reader
}

// seedSerials makes the serial numbers of certificates a function of the seed until the simulation ends. It replaces a
// global variable, so it is called before any goroutine of the simulation runs.
func seedSerials(s *sim.Simulation) {
	source := &serialSource{s, rand.Reader}
	rand.Reader = source
	s.OnEnd(func() {
		if rand.Reader == io.Reader(source) {
			rand.Reader = source.upstream
		}
	})
}

// Read implements io.Reader. What the signing controller reads depends on the request that it works on and on the time,
// and not on other readers.
func (s *serialSource) Read(p []byte) (int, error) {
	current := s.sim.Activities.Current()
	if current == nil || !strings.HasPrefix(current.Actor, names.CertificateSigningRequestSigningController) {
		return s.upstream.Read(p)
	}
	key := ""
	if sync, ok := current.Task.(*syncs.Sync); ok {
		key = sync.Key()
	}
	var seed [32]byte
	binary.LittleEndian.PutUint64(seed[:], engine.Hash(s.sim.Seed(), fmt.Sprintf("serial|%s|%d", key, s.sim.Engine.Now())))
	return mathrand.NewChaCha8(seed).Read(p)
}
