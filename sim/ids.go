package sim

import (
	"encoding/binary"
	"math/rand/v2"
	"sync"

	"github.com/google/uuid"
	utilrand "k8s.io/apimachinery/pkg/util/rand"

	"github.com/kubestep/kubestep/sim/engine"
)

// idSource makes uids and generated names a function of the seed and of the request that needs them. Both come from
// package-level generators of upstream (google/uuid and util/rand), so one process runs one simulation at a time.
type idSource struct {
	seed uint64

	mu     sync.Mutex
	random *rand.ChaCha8
	// held has the ids of Hold, which never come twice either: upstream recognizes a changed document by a new one.
	held *rand.ChaCha8
}

func newIDSource(seed uint64) *idSource {
	ids := &idSource{seed: seed, held: generator(engine.Hash(seed, "held"))}
	ids.reset(engine.Hash(seed, "ids"))
	uuid.SetRand(ids)
	return ids
}

// Read implements io.Reader for google/uuid.
func (i *idSource) Read(p []byte) (int, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.random.Read(p)
}

func (i *idSource) reset(n uint64) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.random = generator(n)
}

func generator(n uint64) *rand.ChaCha8 {
	var seed [32]byte
	binary.LittleEndian.PutUint64(seed[:], n)
	return rand.NewChaCha8(seed)
}

// Prepare implements network.IDs.
func (i *idSource) Prepare(draw uint64, generatesName bool) {
	i.reset(draw)
	if generatesName {
		utilrand.Seed(int64(draw))
	}
}

// Hold implements network.IDs.
func (i *idSource) Hold() (release func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	before := i.random
	i.random = i.held
	return func() {
		i.mu.Lock()
		defer i.mu.Unlock()
		i.random = before
	}
}
