package sim

import (
	cryptorand "crypto/rand"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/exact"
	"github.com/kubestep/kubestep/sim/syncs"
)

// randomSource is crypto/rand's Reader while a simulation runs. What its actors read - the serial numbers of certificates, an
// operator's passwords and keys - ends up in objects, so it must be a function of the seed. Everybody else in the process,
// such as a server that shows the run, gets numbers that nobody can predict.
type randomSource struct {
	sim    *Simulation
	secret *lockedRandom

	mu sync.Mutex
	// drawn counts the reads of each actor and key at the time at.
	drawn map[string]int
	at    time.Duration
}

// lockedRandom is a generator that is seeded by the operating system. The source cannot ask the operating system each time:
// crypto/rand's own Reader asks the source.
type lockedRandom struct {
	mu     sync.Mutex
	random *rand.ChaCha8
}

func (l *lockedRandom) Read(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.random.Read(p)
}

// seedRandom makes cryptographic randomness a function of the seed until the simulation ends. It replaces global variables, so
// it is called before any goroutine of the simulation runs. In the stock build, keys are generated as ever.
func seedRandom(s *Simulation) {
	var seed [32]byte
	// It never fails.
	_, _ = cryptorand.Read(seed[:])
	source := &randomSource{sim: s, secret: &lockedRandom{random: rand.NewChaCha8(seed)}, drawn: map[string]int{}}
	before := cryptorand.Reader
	cryptorand.Reader = source
	exact.SetRandom(source)
	s.OnEnd(func() {
		if cryptorand.Reader == io.Reader(source) {
			cryptorand.Reader = before
			exact.SetRandom(nil)
		}
	})
}

// Read implements io.Reader. What an actor reads depends on the key that it works on, on the time, and on how much it has
// read before at that time, and not on other actors.
func (r *randomSource) Read(p []byte) (int, error) {
	current := r.sim.Activities.Current()
	if current == nil {
		return r.secret.Read(p)
	}
	who := current.Actor
	if task, ok := current.Task.(*syncs.Sync); ok {
		who += "|" + task.Queue + "|" + task.Key()
	}
	var seed [32]byte
	binary.LittleEndian.PutUint64(seed[:], r.draw(who))
	return rand.NewChaCha8(seed).Read(p)
}

func (r *randomSource) draw(who string) uint64 {
	now := r.sim.Engine.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.at != now {
		r.at = now
		clear(r.drawn)
	}
	r.drawn[who]++
	return engine.Hash(r.sim.Seed(), fmt.Sprintf("random|%s|%d|%d", who, now, r.drawn[who]))
}
