package command

import (
	"fmt"
	"runtime/metrics"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/trace"
)

// defaultMemory is far more than any simulation in its right mind needs: a thousand pods take 400 MiB.
const defaultMemory = "4Gi"

// parseMemory reads the limit of --max-memory, in bytes; 0 is none.
func parseMemory(text string) (int64, error) {
	quantity, err := resource.ParseQuantity(text)
	if err != nil || quantity.Sign() < 0 {
		return 0, &UsageError{fmt.Sprintf("--max-memory %q is not an amount of memory", text), "--max-memory " + defaultMemory}
	}
	return quantity.Value(), nil
}

// watchMemory calls exceeded once, with the bytes in use, when the process holds more than limit. It looks
// from outside the bubble, in real time, until stop is called.
func watchMemory(limit int64, exceeded func(used int64)) (stop func()) {
	if limit == 0 {
		return func() {}
	}
	done := make(chan struct{})
	look := func() bool {
		used := memoryInUse()
		if used > limit {
			exceeded(used)
		}
		return used > limit
	}
	if look() {
		return func() {}
	}
	go func() {
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
			}
			if look() {
				return
			}
		}
	}()
	return func() { close(done) }
}

// memoryInUse is what the process has from the system, without what it gave back.
func memoryInUse() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64() - samples[1].Value.Uint64())
}

func memoryHalt(used, limit int64, progress *engine.Progress) trace.Halt {
	quantity := func(bytes int64) string { return resource.NewQuantity(bytes, resource.BinarySI).String() }
	const mebibyte = 1 << 20
	return trace.Halt{Reason: trace.HaltMemory, Message: fmt.Sprintf(
		"the process uses %s of memory, more than the limit of %s, at virtual time %s",
		quantity(used/mebibyte*mebibyte), quantity(limit), time.Duration(progress.Virtual.Load()))}
}
