package controllers

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"strings"
	"sync/atomic"

	"k8s.io/kubernetes/cmd/kube-controller-manager/names"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/syncs"
)

// serials is the world whose seed decides the serial numbers of certificates; nil while no world signs any.
var serials atomic.Pointer[sim.Simulation]

// serialSource is crypto/rand's Reader with one exception: upstream's signer draws the serial numbers of
// certificates from it (CertificateAuthority.Sign in pkg/controller/certificates/authority/authority.go), and
// these must hang on the seed.
type serialSource struct{ upstream io.Reader }

func init() { rand.Reader = serialSource{rand.Reader} }

// Read implements io.Reader. What the signing controller reads hangs on the request that it works on and on
// the time, and not on what others read.
func (s serialSource) Read(p []byte) (int, error) {
	world := serials.Load()
	if world == nil {
		return s.upstream.Read(p)
	}
	current := world.Activities.Current()
	if current == nil || !strings.HasPrefix(current.Actor, names.CertificateSigningRequestSigningController) {
		return s.upstream.Read(p)
	}
	key := ""
	if sync, ok := current.Task.(*syncs.Sync); ok {
		key = sync.Key()
	}
	var seed [32]byte
	binary.LittleEndian.PutUint64(seed[:], engine.Hash(world.Seed(), fmt.Sprintf("serial|%s|%d", key, world.Engine.Now())))
	return mathrand.NewChaCha8(seed).Read(p)
}
