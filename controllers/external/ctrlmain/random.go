package ctrlmain

import (
	"encoding/binary"
	mathrand "math/rand/v2"
	"sync"
)

// random is the source of crypto/rand: names, uids, passwords and keys of a run depend on its seed.
type random struct {
	mu     sync.Mutex
	source *mathrand.ChaCha8
}

func seedRandom(seed uint64) {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	setRandom(&random{source: mathrand.NewChaCha8(key)})
}

// Read implements io.Reader. It never fails.
func (r *random) Read(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.source.Read(p)
}
