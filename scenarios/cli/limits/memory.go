package limits

import (
	"fmt"
	"runtime/metrics"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubestep/kubestep/sim/engine"
)

// DefaultMemory is far more than a usual simulation needs: a thousand Pods take 400 MiB.
const (
	DefaultMemory      = "4Gi"
	DefaultMemoryBytes = 4 << 30
)

// ParseMemory reads an amount of memory such as 512Mi, in bytes.
func ParseMemory(text string) (int64, error) {
	quantity, err := resource.ParseQuantity(text)
	if err != nil || quantity.Sign() < 0 {
		return 0, fmt.Errorf("%q is not a memory size", text)
	}
	return quantity.Value(), nil
}

// How often memory is looked at. A simulation that waits, and whose process needs no more than before, costs nothing: a keyframe waits for
// as long as the interface is open.
const (
	lookEvery = 100 * time.Millisecond
	restEvery = 2 * time.Second
)

// watchMemory calls exceeded once, with the bytes in use, when the process holds more than the limit, and adapts the soft limit to what
// lives. It looks from outside the bubble, in real time, until stop is called. progress is nil if there is no simulation.
func (l Limits) watchMemory(progress *engine.Progress, exceeded func(used int64)) (stop func()) {
	limit := l.Memory
	if limit == 0 {
		return func() {}
	}
	done := make(chan struct{})
	used := int64(0)
	look := func() (rests bool) {
		before := used
		used = MemoryInUse()
		if used > limit {
			exceeded(used)
			return false
		}
		l.soften()
		return progress != nil && progress.Waits.Load() && used == before
	}
	if look(); used > limit {
		return func() {}
	}
	go func() {
		tick := time.NewTicker(lookEvery)
		defer tick.Stop()
		for resting := false; used <= limit; {
			select {
			case <-done:
				return
			case <-tick.C:
			}
			switch rests := look(); {
			case rests && !resting:
				tick.Reset(restEvery)
				resting = true
			case !rests && resting:
				tick.Reset(lookEvery)
				resting = false
			}
		}
	}()
	return func() { close(done) }
}

// MemoryInUse is what the process has from the system, without what it gave back.
func MemoryInUse() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64() - samples[1].Value.Uint64())
}
