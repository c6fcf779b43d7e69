package sim

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/network"
	"github.com/kubestep/kubestep/sim/observe/syncs"
	"github.com/kubestep/kubestep/sim/process/random"
)

// randomSource is the randomness of the actors of a simulation.
type randomSource struct {
	parts network.Parts

	mu sync.Mutex
	// drawn counts the reads of each actor and key at the time at.
	drawn map[string]int
	at    time.Duration
}

// seedRandom makes cryptographic randomness a function of the seed until restore is called.
func seedRandom(parts network.Parts) (restore func()) {
	source := &randomSource{parts: parts, drawn: map[string]int{}}
	return random.From(source.read)
}

// read implements random.Source. What an actor reads depends on the key that it works on, on the time, and on how much it has read
// before at that time, and not on other actors.
func (r *randomSource) read(p []byte) bool {
	current := r.parts.Activities.Current()
	if current == nil {
		return false
	}
	who := current.Actor
	if task, ok := current.Task.(*syncs.Sync); ok {
		who += "|" + task.Queue + "|" + task.Key()
	}
	var seed [32]byte
	binary.LittleEndian.PutUint64(seed[:], r.draw(who))
	_, _ = rand.NewChaCha8(seed).Read(p) // it never fails
	return true
}

func (r *randomSource) draw(who string) uint64 {
	now := r.parts.Engine.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.at != now {
		r.at = now
		clear(r.drawn)
	}
	r.drawn[who]++
	return engine.Hash(r.parts.Engine.Seed(), fmt.Sprintf("random|%s|%d|%d", who, now, r.drawn[who]))
}
