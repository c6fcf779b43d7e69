package sim

import (
	"encoding/binary"
	"math/rand/v2"
	"sync"

	"github.com/google/uuid"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/types"
	utilrand "k8s.io/apimachinery/pkg/util/rand"

	"github.com/kubestep/kubestep/sim/apiserver"
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
	// taken are the uids of objects that were restored; nil without any.
	taken map[uuid.UUID]bool
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
	n, err := i.random.Read(p)
	for i.isTaken(p) {
		n, err = i.random.Read(p)
	}
	return n, err
}

// isTaken reports whether google/uuid makes a uid of these bytes that an object has already: one of a run with the same seed, which was
// restored from its dump.
func (i *idSource) isTaken(p []byte) bool {
	const version, variant = 0x40, 0x80 // of a random UUID: google/uuid's NewRandomFromReader
	if i.taken == nil || len(p) != len(uuid.UUID{}) {
		return false
	}
	id := uuid.UUID(p)
	id[6], id[8] = id[6]&0x0f|version, id[8]&0x3f|variant
	return i.taken[id]
}

// take refuses a uid for objects that come later.
func (i *idSource) take(uid types.UID) {
	id, err := uuid.Parse(string(uid))
	if err != nil {
		return // none that is ever drawn
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.taken == nil {
		i.taken = map[uuid.UUID]bool{}
	}
	i.taken[id] = true
}

// Restore adds an object to the store with its uid and status, before any client reads it; see network.Network. No object that is created
// gets the same uid.
func (s *Simulation) Restore(req apiserver.Request) error {
	if object, err := meta.Accessor(req.Object); err == nil {
		s.ids.take(object.GetUID())
	}
	return s.Network.Restore(req)
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
